CREATE TABLE visits (
    id     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     timestamptz NOT NULL,
    person text        NOT NULL,
    what   text        NOT NULL,
    detail text        NOT NULL
);
COMMENT ON TABLE visits IS 'who signed in and out at the interface, and how many were refused';

-- Refused sign-ins of all tables and of the floor itself, by the ID that was entered.

CREATE TABLE refused (
    table_id text        NOT NULL,
    log      text        NOT NULL,
    seq      bigint      NOT NULL,
    person   text        NOT NULL,
    at       timestamptz NOT NULL CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
    count    bigint      NOT NULL,
    PRIMARY KEY (table_id, log, seq, person)
);
CREATE INDEX refused_of ON refused (person, at);
CREATE INDEX refused_at ON refused (at);
COMMENT ON COLUMN refused.person IS 'a known ID; empty: all that the line counts';

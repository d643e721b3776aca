-- What the floor's lists of persons are measured against: a folder `state` that was restored has forgotten versions.

CREATE TABLE lists (
    key      text        PRIMARY KEY,
    version  bigint      NOT NULL,
    began_at timestamptz NOT NULL
);
COMMENT ON COLUMN lists.key IS 'the public key that signs them: the versions of another one begin anew';
COMMENT ON COLUMN lists.version IS 'the newest one that was ever handed to a table';
COMMENT ON COLUMN lists.began_at IS 'when a collector was started last';

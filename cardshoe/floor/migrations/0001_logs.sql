-- Identity is (table_id, log, seq). A partition key must be part of a primary key, so each log has one month, that in
-- which its first line came here, and the foreign key binds each of its lines to it: by that no number of a log can be
-- there twice, in whatever partition.

CREATE TABLE streams (
    table_id   text        NOT NULL,
    log        text        NOT NULL CHECK (log ~ '^[0-9a-f]{32}$'),
    month      date        NOT NULL CHECK (month = date_trunc('month', month)),
    origin     text        NOT NULL,
    first_key  text        NOT NULL,
    game       text        NOT NULL,
    program    text        NOT NULL,
    began_at   timestamptz NOT NULL DEFAULT now(),
    heard_at   timestamptz NOT NULL DEFAULT now(),
    mark       bigint      NOT NULL,
    edge       bytea       NOT NULL,
    open_input bigint      NOT NULL,
    note       bytea       NOT NULL,
    epoch      integer     NOT NULL DEFAULT -1,
    proved     bigint      NOT NULL DEFAULT -1,
    last       bigint      NOT NULL,
    stopped    text        NOT NULL DEFAULT '',
    dropped    boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (table_id, log),
    UNIQUE (table_id, log, month),
    CHECK (octet_length(edge) % 32 = 0)
);
COMMENT ON COLUMN streams.mark IS 'the last line up to which there is no gap';
COMMENT ON COLUMN streams.edge IS 'the right edge of the tree over the lines up to the mark';
COMMENT ON COLUMN streams.note IS 'the signed mark';
COMMENT ON COLUMN streams.proved IS 'the last line under a signature that the witness holds';
COMMENT ON COLUMN streams.last IS 'the last line that the table said to have';
COMMENT ON COLUMN streams.stopped IS 'the alarm that stopped it';
COMMENT ON COLUMN streams.dropped IS 'its lines were dropped by retention';

CREATE TABLE events (
    table_id    text        NOT NULL,
    log         text        NOT NULL,
    seq         bigint      NOT NULL CHECK (seq >= 0),
    month       date        NOT NULL,
    epoch       integer     NOT NULL,
    kind        smallint    NOT NULL,
    event       text        NOT NULL,
    round       integer,
    at          timestamptz,
    received_at timestamptz NOT NULL DEFAULT now(),
    line        bytea       NOT NULL,
    node        bytea       NOT NULL CHECK (octet_length(node) = 32),
    PRIMARY KEY (table_id, log, seq, month),
    FOREIGN KEY (table_id, log, month) REFERENCES streams (table_id, log, month)
) PARTITION BY RANGE (month);
CREATE INDEX events_of_kind ON events (event, at);

CREATE TABLE notes (
    table_id text   NOT NULL,
    log      text   NOT NULL,
    what     text   NOT NULL,
    size     bigint NOT NULL,
    note     bytea  NOT NULL,
    PRIMARY KEY (table_id, log, what),
    FOREIGN KEY (table_id, log) REFERENCES streams (table_id, log)
);
COMMENT ON COLUMN notes.what IS 'key N, or checkpoint: the newest one';

CREATE TABLE senders (
    table_id    text        PRIMARY KEY,
    sender      text        NOT NULL,
    at          timestamptz NOT NULL,
    rival       text        NOT NULL DEFAULT '',
    rival_since timestamptz
);

CREATE TABLE alarms (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id  text        NOT NULL,
    log       text        NOT NULL,
    kind      text        NOT NULL,
    seq       bigint,
    detail    text        NOT NULL,
    first_at  timestamptz NOT NULL DEFAULT now(),
    last_at   timestamptz NOT NULL DEFAULT now(),
    times     integer     NOT NULL DEFAULT 1,
    closed_at timestamptz,
    closed_by text
);
CREATE UNIQUE INDEX open_alarms ON alarms (table_id, log, kind) WHERE closed_at IS NULL;

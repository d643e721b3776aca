-- What each receiver outside was told: its place in each log, and what of the alarms.

CREATE TABLE outward (
    name     text        PRIMARY KEY,
    began_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE outward_logs (
    name     text   NOT NULL REFERENCES outward (name) ON DELETE CASCADE,
    table_id text   NOT NULL,
    log      text   NOT NULL,
    seq      bigint NOT NULL,
    PRIMARY KEY (name, table_id, log),
    FOREIGN KEY (table_id, log) REFERENCES streams (table_id, log)
);
COMMENT ON COLUMN outward_logs.seq IS 'the last line that was looked at, and told if it is one that is told';

CREATE TABLE outward_alarms (
    name  text   NOT NULL REFERENCES outward (name) ON DELETE CASCADE,
    alarm bigint NOT NULL REFERENCES alarms (id),
    told  text   NOT NULL CHECK (told IN ('raised', 'closed')),
    PRIMARY KEY (name, alarm, told)
);

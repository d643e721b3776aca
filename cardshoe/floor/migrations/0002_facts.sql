-- What pages tell of logs. All of it is made from `events` and can be made anew: empty `projected`, and it comes again.
-- A log that retention drops takes its facts along.

CREATE TABLE projected (
    table_id text    NOT NULL,
    log      text    NOT NULL,
    seq      bigint  NOT NULL,
    form     integer NOT NULL,
    kept_seq bigint  NOT NULL DEFAULT -1,
    kept     bytea,
    fault    text    NOT NULL DEFAULT '',
    PRIMARY KEY (table_id, log),
    FOREIGN KEY (table_id, log) REFERENCES streams (table_id, log)
);
COMMENT ON COLUMN projected.seq IS 'the last line that went into the facts, committed with them';
COMMENT ON COLUMN projected.kept IS 'how the table stood after the line kept_seq, JSON: from there it is folded on';
COMMENT ON COLUMN projected.fault IS 'why no more of it can be read; empty: it can';

CREATE TABLE rounds (
    table_id      text    NOT NULL,
    log           text    NOT NULL,
    round         bigint  NOT NULL,
    shoe          bigint  NOT NULL,
    at            timestamptz NOT NULL,
    outcome       text,
    voided        boolean NOT NULL,
    demonstration boolean NOT NULL,
    corrected     boolean NOT NULL,
    PRIMARY KEY (table_id, log, round),
    FOREIGN KEY (table_id, log) REFERENCES projected (table_id, log) ON DELETE CASCADE
);
CREATE INDEX rounds_at ON rounds (at);
COMMENT ON COLUMN rounds.outcome IS 'the result that stands; null: none does';

CREATE TABLE irregularities (
    table_id        text   NOT NULL,
    log             text   NOT NULL,
    irregularity    bigint NOT NULL,
    seq             bigint NOT NULL,
    at              timestamptz NOT NULL,
    round           bigint,
    shoe            bigint NOT NULL,
    code            text   NOT NULL,
    article         text   NOT NULL,
    detail          text   NOT NULL,
    settled_at      timestamptz,
    settled_by      text[] NOT NULL DEFAULT '{}',
    action          text   NOT NULL DEFAULT '',
    settled_article text   NOT NULL DEFAULT '',
    PRIMARY KEY (table_id, log, irregularity),
    FOREIGN KEY (table_id, log) REFERENCES projected (table_id, log) ON DELETE CASCADE
);
CREATE INDEX irregularities_at ON irregularities (at);
CREATE INDEX irregularities_of_table ON irregularities (table_id, at);
CREATE INDEX irregularities_of_code ON irregularities (code, at);

CREATE TABLE acts (
    table_id     text   NOT NULL,
    log          text   NOT NULL,
    seq          bigint NOT NULL,
    kind         text   NOT NULL,
    at           timestamptz NOT NULL,
    round        bigint,
    by           text[] NOT NULL,
    article      text   NOT NULL,
    code         text   NOT NULL,
    reason       text   NOT NULL,
    irregularity bigint,
    PRIMARY KEY (table_id, log, seq, kind),
    FOREIGN KEY (table_id, log) REFERENCES projected (table_id, log) ON DELETE CASCADE
);
CREATE INDEX acts_at ON acts (at);
COMMENT ON TABLE acts IS 'what persons did in place of the equipment or the rule; what was refused is none';

CREATE TABLE device_faults (
    table_id text   NOT NULL,
    log      text   NOT NULL,
    seq      bigint NOT NULL,
    device   text   NOT NULL,
    serial   text   NOT NULL,
    model    text   NOT NULL,
    firmware text   NOT NULL,
    code     text   NOT NULL,
    origin   text   NOT NULL,
    at       timestamptz NOT NULL,
    over_at  timestamptz,
    PRIMARY KEY (table_id, log, seq),
    FOREIGN KEY (table_id, log) REFERENCES projected (table_id, log) ON DELETE CASCADE
);
CREATE INDEX device_faults_at ON device_faults (at);
CREATE INDEX device_faults_open ON device_faults (table_id, log, device) WHERE over_at IS NULL;

-- By this index one look finds the logs that were heard of since the last.
CREATE INDEX streams_heard ON streams (heard_at);

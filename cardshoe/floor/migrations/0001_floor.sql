-- Identity is (table_id, log, number). A partition key must be part of a primary key, so each log has one month, that in
-- which its first entry came here, and the foreign key binds each of its entries to it: by that no number of a log can be
-- there twice, in whatever partition. No row has a time that a page cannot show: one table's row would keep all others
-- from being shown beside it.

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
    seq        bigint      NOT NULL,
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
COMMENT ON COLUMN streams.mark IS 'the last entry up to which there is no gap';
COMMENT ON COLUMN streams.edge IS 'the right edge of the tree over the entries up to the mark';
COMMENT ON COLUMN streams.seq IS 'the last line up to the mark';
COMMENT ON COLUMN streams.note IS 'the signed mark';
COMMENT ON COLUMN streams.proved IS 'the last entry under a signature that the witness holds';
COMMENT ON COLUMN streams.last IS 'the last entry that the table said to have';
COMMENT ON COLUMN streams.stopped IS 'the alarm that stopped it';
COMMENT ON COLUMN streams.dropped IS 'its entries were dropped by retention';

-- By this index one query finds the logs that sent something since the last.
CREATE INDEX streams_heard ON streams (heard_at);
-- By this one the newest log of each table, without the closed ones.
CREATE INDEX streams_newest ON streams (table_id, began_at DESC, log);

CREATE TABLE entries (
    table_id    text        NOT NULL,
    log         text        NOT NULL,
    number      bigint      NOT NULL CHECK (number >= 0),
    seq         bigint      NOT NULL,
    month       date        NOT NULL,
    epoch       integer     NOT NULL,
    events      text[]      NOT NULL,
    round       integer,
    at          timestamptz CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
    received_at timestamptz NOT NULL DEFAULT now(),
    lines       bytea       NOT NULL,
    node        bytea       NOT NULL CHECK (octet_length(node) = 32),
    PRIMARY KEY (table_id, log, number, month),
    FOREIGN KEY (table_id, log, month) REFERENCES streams (table_id, log, month)
) PARTITION BY RANGE (month);
COMMENT ON COLUMN entries.seq IS 'the number of its first line; 0: of the header, which has none';
COMMENT ON COLUMN entries.events IS 'of its lines, in order: the input first';

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
    entry     bigint,
    detail    text        NOT NULL,
    first_at  timestamptz NOT NULL DEFAULT now(),
    last_at   timestamptz NOT NULL DEFAULT now(),
    times     integer     NOT NULL DEFAULT 1,
    closed_at timestamptz,
    closed_by text
);
CREATE UNIQUE INDEX open_alarms ON alarms (table_id, log, kind) WHERE closed_at IS NULL;

-- Facts of logs for pages. All of them are made from `entries` and can be made again: empty `projected`. A log that
-- retention drops takes its facts along.

CREATE TABLE projected (
    table_id text    NOT NULL,
    log      text    NOT NULL,
    entry    bigint  NOT NULL,
    form     integer NOT NULL,
    kept_at  bigint  NOT NULL DEFAULT -1,
    kept     bytea,
    fault    text    NOT NULL DEFAULT '',
    PRIMARY KEY (table_id, log),
    FOREIGN KEY (table_id, log) REFERENCES streams (table_id, log)
);
COMMENT ON COLUMN projected.entry IS 'the last entry that went into the facts, committed with them';
COMMENT ON COLUMN projected.kept IS 'the state of the table after the entry kept_at, JSON: folding continues from there';
COMMENT ON COLUMN projected.fault IS 'why no more of it can be read; empty: it can';

CREATE TABLE rounds (
    table_id      text    NOT NULL,
    log           text    NOT NULL,
    round         bigint  NOT NULL,
    shoe          bigint  NOT NULL,
    at            timestamptz NOT NULL CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
    outcome       text,
    voided        boolean NOT NULL,
    demonstration boolean NOT NULL,
    corrected     boolean NOT NULL,
    seq           bigint  NOT NULL,
    last_seq      bigint  NOT NULL,
    entry         bigint  NOT NULL,
    last_entry    bigint  NOT NULL,
    staked        bigint  NOT NULL,
    house         bigint  NOT NULL,
    tags          text[]  NOT NULL,
    start         bytea   NOT NULL,
    PRIMARY KEY (table_id, log, round),
    FOREIGN KEY (table_id, log) REFERENCES projected (table_id, log) ON DELETE CASCADE
);
CREATE INDEX rounds_seq ON rounds (log, seq);
CREATE INDEX rounds_at ON rounds (at, table_id, log, round);
CREATE INDEX rounds_of_table ON rounds (table_id, at, log, round);
CREATE INDEX rounds_number ON rounds (round, at);
CREATE INDEX rounds_tags ON rounds USING gin (tags);
COMMENT ON COLUMN rounds.outcome IS 'the result that stands; null: none does';
COMMENT ON COLUMN rounds.tags IS 'what a search finds it by, such as card:9H; no card that was never disclosed';
COMMENT ON COLUMN rounds.start IS 'the state before its first line, JSON: with that its entries alone tell the round';

-- Sums of the rounds, so that a plot of a quarter of a year reads thousands of rows instead of millions. By the hour, and
-- not by the day: a house may change the hour at which its day begins. A trigger keeps them, in the transaction that
-- changes a round: also if two processes store the same round, and if a correction or a void comes after the result.

CREATE TABLE round_sums (
    table_id text        NOT NULL,
    log      text        NOT NULL,
    hour     timestamptz NOT NULL,
    counted  bigint      NOT NULL,
    voided   bigint      NOT NULL,
    staked   bigint      NOT NULL,
    house    bigint      NOT NULL,
    PRIMARY KEY (table_id, log, hour),
    FOREIGN KEY (table_id, log) REFERENCES projected (table_id, log) ON DELETE CASCADE
);
CREATE INDEX round_sums_hour ON round_sums (hour);
COMMENT ON COLUMN round_sums.counted IS 'rounds with a result, without void ones and demonstrations';

CREATE FUNCTION counted(one rounds) RETURNS integer IMMUTABLE LANGUAGE sql
RETURN (one.outcome IS NOT NULL AND NOT one.voided AND NOT one.demonstration)::integer;

CREATE FUNCTION sum_round() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    more_counted integer := counted(NEW);
    more_voided  integer := NEW.voided::integer;
    more_staked  bigint := NEW.staked;
    more_house   bigint := NEW.house;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        more_counted := more_counted - counted(OLD);
        more_voided := more_voided - OLD.voided::integer;
        more_staked := more_staked - OLD.staked;
        more_house := more_house - OLD.house;
    END IF;
    INSERT INTO round_sums AS sums (table_id, log, hour, counted, voided, staked, house)
    VALUES (NEW.table_id, NEW.log, date_bin('1 hour', NEW.at, '1970-01-01Z'), more_counted, more_voided, more_staked,
            more_house)
    ON CONFLICT (table_id, log, hour) DO UPDATE
    SET counted = sums.counted + excluded.counted, voided = sums.voided + excluded.voided,
        staked = sums.staked + excluded.staked, house = sums.house + excluded.house;
    RETURN NULL;
END $$;
CREATE TRIGGER rounds_are_summed AFTER INSERT OR UPDATE ON rounds FOR EACH ROW EXECUTE FUNCTION sum_round();

CREATE TABLE irregularities (
    table_id        text   NOT NULL,
    log             text   NOT NULL,
    irregularity    bigint NOT NULL,
    seq             bigint NOT NULL,
    at              timestamptz NOT NULL CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
    round           bigint,
    shoe            bigint NOT NULL,
    code            text   NOT NULL,
    article         text   NOT NULL,
    detail          text   NOT NULL,
    settled_at      timestamptz CHECK (settled_at >= '1970-01-01Z' AND settled_at < '2200-01-01Z'),
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
    at           timestamptz NOT NULL CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
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
    at       timestamptz NOT NULL CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
    over_at  timestamptz CHECK (over_at >= '1970-01-01Z' AND over_at < '2200-01-01Z'),
    PRIMARY KEY (table_id, log, seq),
    FOREIGN KEY (table_id, log) REFERENCES projected (table_id, log) ON DELETE CASCADE
);
CREATE INDEX device_faults_at ON device_faults (at);
CREATE INDEX device_faults_open ON device_faults (table_id, log, device) WHERE over_at IS NULL;

CREATE TABLE visits (
    id     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     timestamptz NOT NULL,
    person text        NOT NULL,
    what   text        NOT NULL,
    detail text        NOT NULL
);
COMMENT ON TABLE visits IS 'who signed in and out at the interface, how many were refused, and who downloaded what';

-- What each receiver outside was told: its place in each log, and what of the alarms.

CREATE TABLE outward (
    name     text        PRIMARY KEY,
    began_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE outward_logs (
    name     text   NOT NULL REFERENCES outward (name) ON DELETE CASCADE,
    table_id text   NOT NULL,
    log      text   NOT NULL,
    entry    bigint NOT NULL,
    PRIMARY KEY (name, table_id, log),
    FOREIGN KEY (table_id, log) REFERENCES streams (table_id, log)
);
COMMENT ON COLUMN outward_logs.entry IS 'the last entry that was read, and whose lines were sent if they are among those that are sent';

CREATE TABLE outward_alarms (
    name  text   NOT NULL REFERENCES outward (name) ON DELETE CASCADE,
    alarm bigint NOT NULL REFERENCES alarms (id),
    told  text   NOT NULL CHECK (told IN ('raised', 'closed')),
    PRIMARY KEY (name, alarm, told)
);

-- What the floor's lists of persons are measured against: a folder `state` that was restored has forgotten versions.

CREATE TABLE lists (
    key      text        PRIMARY KEY,
    version  bigint      NOT NULL,
    began_at timestamptz NOT NULL
);
COMMENT ON COLUMN lists.key IS 'the public key that signs them: the versions of another one begin anew';
COMMENT ON COLUMN lists.version IS 'the newest one that was ever handed to a table';
COMMENT ON COLUMN lists.began_at IS 'when a collector was started last';

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

-- The alarms of the live watch: with numbers of their own, and apart from all that others read. No card, place or
-- direction is stored.

CREATE TABLE watch_alarms (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('kept_order', 'shuffle_weak')),
    subject         text        NOT NULL,
    table_id        text        NOT NULL,
    log             text        NOT NULL,
    shoe            integer     NOT NULL,
    device          text        NOT NULL,
    strength        integer     NOT NULL,
    first_at        timestamptz NOT NULL DEFAULT now(),
    last_at         timestamptz NOT NULL DEFAULT now(),
    acknowledged_at timestamptz,
    acknowledged_by text,
    closed_at       timestamptz,
    closed_by       text,
    UNIQUE (kind, table_id, subject)
);
COMMENT ON COLUMN watch_alarms.subject IS 'the shoe of a log, or the day of a device: each is raised once';
COMMENT ON COLUMN watch_alarms.strength IS 'k: shuffled cards show as much once in 10^k';

CREATE TABLE watch_looks (
    one       boolean     PRIMARY KEY DEFAULT true CHECK (one),
    looked_at timestamptz NOT NULL
);

CREATE TABLE outward_watch (
    name  text   NOT NULL REFERENCES outward (name) ON DELETE CASCADE,
    alarm bigint NOT NULL REFERENCES watch_alarms (id),
    told  text   NOT NULL CHECK (told IN ('raised', 'closed')),
    PRIMARY KEY (name, alarm, told)
);

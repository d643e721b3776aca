-- No row has a time that a page cannot show: one table's row would keep all others from being shown beside it.

ALTER TABLE rounds ADD CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z');
ALTER TABLE irregularities ADD CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
    ADD CHECK (settled_at >= '1970-01-01Z' AND settled_at < '2200-01-01Z');
ALTER TABLE acts ADD CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z');
ALTER TABLE device_faults ADD CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z'),
    ADD CHECK (over_at >= '1970-01-01Z' AND over_at < '2200-01-01Z');
ALTER TABLE events ADD CHECK (at >= '1970-01-01Z' AND at < '2200-01-01Z');

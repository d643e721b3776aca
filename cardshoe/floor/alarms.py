"""Alarms: one per open cause; those about a log stop it."""

import logging
from typing import Any, Final

from cardshoe.floor.alarm_kinds import STOPPING, Alarm
from cardshoe.floor.database import Database, Db

logger: Final = logging.getLogger(__name__)

LOGS_MAX: Final = 16
"""Logs of one table with an open alarm of a kind; more share one without a log."""
_IS_NAMED: Final = """
SELECT count(*) < %(most)s OR coalesce(bool_or(log = %(log)s), false)
FROM alarms WHERE table_id = %(table)s AND kind = %(kind)s AND closed_at IS NULL
"""
_GO_ON: Final = """
UPDATE streams s SET stopped = '' WHERE table_id = %(table)s AND stopped = %(kind)s AND (log = %(log)s OR (
    %(log)s = '' AND NOT EXISTS (SELECT 1 FROM alarms a WHERE a.table_id = s.table_id AND a.log = s.log
                                 AND a.kind = s.stopped AND a.closed_at IS NULL)))
"""
_FURTHER: Final = " (one of several further logs)"


def raise_alarm(db: Db, table: str, log: str, alarm: Alarm) -> None:
    """Store an alarm, and stop its log if its kind does.

    Args:
        log: empty: none.
        db: a transaction of its own, because the rejected batch's is rolled back.
    """
    wanted = {"table": table, "log": log, "kind": alarm.kind, "most": LOGS_MAX}
    (is_named,) = db.execute(_IS_NAMED, wanted).fetchone() or (True,)
    row = db.execute(
        "INSERT INTO alarms (table_id, log, kind, entry, detail) VALUES (%s, %s, %s, %s, %s) "
        "ON CONFLICT (table_id, log, kind) WHERE closed_at IS NULL "
        "DO UPDATE SET last_at = now(), times = alarms.times + 1 RETURNING times",
        (table, log if is_named else "", alarm.kind, alarm.entry, alarm.detail[:1000] + ("" if is_named else _FURTHER)),
    ).fetchone()
    if row == (1,):
        logger.error("%s %s: ALARM %s: %s", table, log, alarm.kind, alarm.detail)
    if alarm.kind in STOPPING:
        db.execute(
            "UPDATE streams SET stopped = %s WHERE table_id = %s AND log = %s AND stopped = ''",
            (alarm.kind, table, log),
        )


def open_alarms(database: Database) -> list[dict[str, Any]]:
    return database.rows(
        'SELECT id, table_id AS "table", log, kind, entry, detail, first_at::text, last_at::text, times FROM alarms '
        "WHERE closed_at IS NULL ORDER BY id",
        {},
    )


def close_alarm(database: Database, number: int, by: str, *, go_on: bool) -> bool:
    """Close an alarm; ``go_on`` accepts more of its log. Returns whether it was open."""
    with database.transaction() as db:
        row = db.execute(
            "UPDATE alarms SET closed_at = now(), closed_by = %s WHERE id = %s AND closed_at IS NULL "
            "RETURNING table_id, log, kind",
            (by, number),
        ).fetchone()
        if row is not None and go_on:
            db.execute(_GO_ON, dict(zip(("table", "log", "kind"), row, strict=True)))
        return row is not None

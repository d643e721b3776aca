"""Alarms of the watch, in tables that no other part reads."""

from datetime import datetime
from typing import Any, Final

from cardshoe.floor.database import Database, Db
from cardshoe.floor.watch.shoes import ShuffleFinding

ROWS_MAX: Final = 1000
_AGAIN: Final = """
UPDATE watch_alarms SET strength = greatest(strength, %(strength)s), last_at = now()
WHERE kind = %(kind)s AND table_id = %(table)s AND subject = %(subject)s RETURNING id
"""
_RAISED: Final = """
INSERT INTO watch_alarms (kind, subject, table_id, log, shoe, device, strength)
VALUES (%(kind)s, %(subject)s, %(table)s, %(log)s, %(shoe)s, %(device)s, %(strength)s)
"""
_LOOKED: Final = """
INSERT INTO watch_looks (looked_at) VALUES (now()) ON CONFLICT (one) DO UPDATE SET looked_at = excluded.looked_at
"""
_ALARMS: Final = """
SELECT id, kind, table_id AS "table", log, shoe, device, strength, first_at, last_at,
       acknowledged_at, acknowledged_by, closed_at, closed_by
FROM watch_alarms WHERE closed_at IS NULL OR %(all)s ORDER BY closed_at IS NOT NULL, id DESC LIMIT %(rows)s
"""
_ACKNOWLEDGED: Final = """
UPDATE watch_alarms SET acknowledged_at = now(), acknowledged_by = %s
WHERE id = %s AND acknowledged_at IS NULL AND closed_at IS NULL RETURNING id
"""
_CLOSED: Final = """
UPDATE watch_alarms SET closed_at = now(), closed_by = %s WHERE id = %s AND closed_at IS NULL RETURNING id
"""


def raise_finding(db: Db, finding: ShuffleFinding) -> None:
    """Store a finding once; later ones of its subject strengthen it, closed or not."""
    wanted = finding._asdict()
    if db.execute(_AGAIN, wanted).fetchone() is None:
        db.execute(_RAISED, wanted)


def note_look(db: Db) -> None:
    db.execute(_LOOKED)


def watch_alarms(database: Database, *, closed: bool = False) -> tuple[datetime | None, list[dict[str, Any]]]:
    looked = database.rows("SELECT looked_at FROM watch_looks", {})
    alarms = database.rows(_ALARMS, {"all": closed, "rows": ROWS_MAX})
    return (looked[0]["looked_at"] if looked else None), alarms


def acknowledge(database: Database, number: int, by: str) -> bool:
    """Record who has seen an alarm; False: not open, or acknowledged before."""
    return _changed(database, _ACKNOWLEDGED, number, by)


def close(database: Database, number: int, by: str) -> bool:
    """Close an alarm; False: not open."""
    return _changed(database, _CLOSED, number, by)


def _changed(database: Database, query: str, number: int, by: str) -> bool:
    with database.transaction() as db:
        return db.execute(query, (by, number)).fetchone() is not None

"""Counts refused sign-ins over all tables: who tries five PINs at each of them is noticed here alone."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec
from msgspec import UNSET

from floor.alarms import raise_alarm
from floor.database import Db
from floor.facts.told import plain
from floor.refusals import Alarm
from floor.streams import time_in_range
from regulations.events.notices import SignInsRefused

EVENT: Final = "sign_ins_refused"
WITHIN: Final = timedelta(hours=1)
OF_PERSON: Final = 30
"""Refusals of one ID within `WITHIN`, over all tables, that are an alarm: a table locks it after 5 in a row."""
OF_ALL: Final = 120
"""Refusals with any IDs within `WITHIN`, over all tables, that are an alarm."""
KEPT: Final = timedelta(days=31)
HERE: Final = "floor"
"""In place of a table's ID: the floor's own pages."""
_line: Final = msgspec.json.Decoder(SignInsRefused)
_STORED: Final = """
INSERT INTO refused (table_id, log, seq, person, at, count) VALUES (%s, %s, %s, %s, least(%s, now()), %s)
ON CONFLICT DO NOTHING
"""
_SUM: Final = """
SELECT coalesce(sum(count), 0), count(DISTINCT table_id) FROM refused
WHERE (person = %(person)s) AND at > %(at)s - %(within)s AND at <= %(at)s
"""
_DROPPED: Final = "DELETE FROM refused WHERE at < now() - %s"


def count_line(db: Db, table: str, log: str, seq: int, line: bytes) -> None:
    """Counts a line of a table's log, and raises an alarm if there were too many.

    Args:
        db: the transaction that stores the line.
        table: the table.
        log: its log.
        seq: the number of the line.
        line: a `SignInsRefused`; one that is not counts as nothing.
    """
    try:
        event = _line.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return
    at = None if event.at is UNSET else time_in_range(event.at)
    count(db, table, log, seq, event, at)


def count(db: Db, table: str, log: str, seq: int, event: SignInsRefused, at: datetime | None) -> None:
    """As `count_line`, of an event that was read; ``at``: when it was, ``None``: now."""
    named = [] if event.ids is UNSET else [(plain(one.person), one.count) for one in event.ids]
    moment = at or _now(db)
    for person, number in [("", event.count), *named]:
        db.execute(_STORED, (table, log, seq, person, moment, number))
        total, tables = _sum(db, person, moment)
        if total >= (OF_PERSON if person else OF_ALL):
            raise_alarm(db, table, "", Alarm("guessing", _detail(person, total, tables)))
    db.execute(_DROPPED, (KEPT,))


def _detail(person: str, total: int, tables: int) -> str:
    whose = f"of {person!r}" if person else "with any IDs"
    return f"{total} sign-ins {whose} were refused within an hour, at {tables} places"


def _sum(db: Db, person: str, at: datetime) -> tuple[int, int]:
    row = db.execute(_SUM, {"person": person, "at": at, "within": WITHIN}).fetchone()
    return (0, 0) if row is None else (int(row[0]), int(row[1]))


def _now(db: Db) -> datetime:
    (now,) = db.execute("SELECT now()").fetchone() or (None,)
    if not isinstance(now, datetime):
        raise TypeError("the database has no clock")
    return now


def refused_in(entries: Iterable[tuple[int, bytes]], name: bytes = EVENT.encode()) -> Iterable[tuple[int, bytes]]:
    """The lines among others that tell of refused sign-ins, with their numbers."""
    begin = b'{"event":"' + name + b'"'
    return ((seq, line) for seq, line in entries if line.startswith(begin))

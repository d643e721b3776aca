"""Count refused sign-ins over all tables: reveals PIN guessing spread over them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.floor.alarm_kinds import Alarm
from cardshoe.floor.alarms import raise_alarm
from cardshoe.floor.database import Db
from cardshoe.floor.streams import time_in_range
from cardshoe.screens.rounds.acts import short
from regulations.events.notices import SignInsRefused

_BEGIN: Final = b'{"event":"sign_ins_refused"'
WITHIN: Final = timedelta(hours=1)
OF_PERSON: Final = 30
"""Alarm limit per ID within `WITHIN`; a table locks after 5 in a row."""
OF_ALL: Final = 120
KEPT: Final = timedelta(days=31)
HERE: Final = "floor"
_line: Final = msgspec.json.Decoder(SignInsRefused)
_STORED: Final = """
INSERT INTO refused (table_id, log, seq, person, at, count) VALUES (%s, %s, %s, %s, least(%s, now()), %s)
ON CONFLICT DO NOTHING
"""
_SUMS: Final = """
SELECT w.person, sum(r.count), count(DISTINCT r.table_id)
FROM unnest(%(persons)s::text[], %(moments)s::timestamptz[]) AS w (person, at)
JOIN refused r ON r.person = w.person AND r.at > w.at - %(within)s AND r.at <= w.at GROUP BY w.person
"""
_DROPPED: Final = "DELETE FROM refused WHERE at < now() - %s"
Refusals = tuple[int, SignInsRefused, datetime | None]


def read_refusals(lines: Iterable[bytes]) -> Iterator[Refusals]:
    for line in lines:
        if line.startswith(_BEGIN):
            try:
                event = _line.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
            yield (
                event.seq if isinstance(event.seq, int) else 0,
                event,
                None if event.at is UNSET else time_in_range(event.at),
            )


def count(db: Db, table: str, log: str, refusals: Sequence[Refusals]) -> None:
    if not refusals:
        return
    now, newest = _now(db), dict[str, datetime]()
    rows: list[tuple[object, ...]] = []
    for seq, event, at in refusals:
        moment = min(at or now, now)
        named = [] if event.ids is UNSET else [(short(one.person), one.count) for one in event.ids]
        for person, number in [("", event.count), *named]:
            rows.append((table, log, seq, person, moment, number))
            newest[person] = max(moment, newest.get(person, moment))
    with db.cursor() as cursor:
        cursor.executemany(_STORED, rows)
    wanted = {"persons": [*newest], "moments": [*newest.values()], "within": WITHIN}
    for person, total, tables in db.execute(_SUMS, wanted).fetchall():
        if total >= (OF_PERSON if person else OF_ALL):
            raise_alarm(db, table, "", Alarm("guessing", _detail(person, total, tables)))
    db.execute(_DROPPED, (KEPT,))


def _detail(person: str, total: int, tables: int) -> str:
    whose = f"of {person!r}" if person else "with any IDs"
    return f"{total} sign-ins {whose} were refused within an hour, at {tables} places"


def _now(db: Db) -> datetime:
    (now,) = db.execute("SELECT now()").fetchone() or (None,)
    if not isinstance(now, datetime):
        raise TypeError("the database has no clock")
    return now

"""The watch at work: read committed entries, judge, store findings."""

import logging
import threading
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec

from cardshoe.analysis.lines import EVENTS
from cardshoe.analysis.shoe import Shoe
from cardshoe.floor.database import Database, Db, Unavailable
from cardshoe.floor.facts.projector import MARGIN
from cardshoe.floor.watch.shoes import PAST, DayAccounts, LogWatch, ShuffleFinding
from cardshoe.floor.watch.store import note_look, raise_finding
from cardshoe.journal.file.chain import lines_of
from cardshoe.process.signals import signals_stop

logger: Final = logging.getLogger(__name__)

ENTRIES: Final = 2000
NOTE_S: Final = 5.0
LOGS: Final = 2

Key = tuple[str, str]
_NEWEST: Final = """
SELECT table_id, log, month, mark, began_at FROM (
    SELECT *, row_number() OVER (PARTITION BY table_id ORDER BY began_at DESC, log) AS rank FROM streams
) s WHERE rank <= %(logs)s AND NOT dropped ORDER BY table_id, rank DESC
"""
_HEARD: Final = """
SELECT table_id, log, month, mark, began_at FROM streams
WHERE heard_at >= %(since)s AND NOT dropped ORDER BY began_at
"""
_LIVE: Final = """
SELECT coalesce(max(number) FILTER (WHERE events[1] = 'loaded' AND NOT 'refused' = ANY (events)
    AND received_at <= %(looked)s), 0) FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s
HAVING max(received_at) > %(looked)s
"""
_FIRST: Final = """
SELECT number FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s
  AND events[1] = 'loaded' AND NOT 'refused' = ANY (events) AND (number <= %(live)s OR %(live)s IS NULL)
ORDER BY number DESC OFFSET %(past)s LIMIT 1
"""
_PAST: Final = """
SELECT number, lines FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s
  AND number > 0 AND number <= %(mark)s
  AND CASE WHEN number >= %(first)s THEN events && %(events)s ELSE events[1] IN ('table', 'equipment', 'loaded') END
ORDER BY number
"""
_NEWS: Final = """
SELECT w.table_id, w.log, e.number, e.lines
FROM unnest(%(tables)s::text[], %(logs)s::text[], %(months)s::date[], %(after)s::bigint[], %(upto)s::bigint[])
     AS w (table_id, log, month, after, upto)
JOIN entries e ON e.table_id = w.table_id AND e.log = w.log AND e.month = w.month
    AND e.number > w.after AND e.number <= w.upto
WHERE e.events && %(events)s ORDER BY w.table_id, w.log, e.number
"""


class _LogPlace(NamedTuple):
    table: str
    log: str
    month: Any
    mark: int
    began_at: datetime

    @property
    def key(self) -> Key:
        return self.table, self.log


class Watcher:
    """Follows all tables, in one thread."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database
        self._accounts: Final = DayAccounts()
        self._past: Final[dict[str, list[Shoe]]] = {}
        self._logs: Final[dict[Key, LogWatch]] = {}
        self._read: Final[dict[Key, int]] = {}
        self._followed: Final[dict[str, list[_LogPlace]]] = {}
        self._findings: list[ShuffleFinding] = []
        self._since: datetime | None = None
        self._noted_s = -NOTE_S

    def run(self, over: threading.Event, look_s: float) -> None:
        """Poll until an event is set."""
        told = ""
        while not over.is_set():
            try:
                more = self.look()
            except Unavailable as error:
                if str(error) != told:
                    logger.warning("%s; trying again", error)
                told, more = str(error), False
            else:
                told = ""
            if not more:
                over.wait(look_s)

    def look(self) -> bool:
        """Judge new entries; True: there may be more."""
        if self._since is None:
            self._begin()
            more = True
        else:
            more = self._go_on()
        now_s = time.monotonic()
        if self._findings or now_s - self._noted_s >= NOTE_S:
            with self._database.transaction() as db:
                for finding in self._findings:
                    raise_finding(db, finding)
                note_look(db)
            self._findings.clear()
            self._noted_s = now_s
        return more

    def _begin(self) -> None:
        for known in (self._past, self._logs, self._read, self._followed):
            known.clear()
        with self._database.transaction() as db:
            streams = self._streams(db, _NEWEST, {"logs": LOGS})
            looked = db.execute("SELECT looked_at - %s FROM watch_looks", (MARGIN,)).fetchone() or (None,)
            now = _now(db)
        for stream in streams:
            wanted: dict[str, object] = {**stream._asdict(), "looked": looked[0], "past": PAST, "events": list(EVENTS)}
            with self._database.transaction() as db:
                (live,) = db.execute(_LIVE, wanted).fetchone() or (None,)
                (first,) = db.execute(_FIRST, {**wanted, "live": live}).fetchone() or (0,)
                rows = db.execute(_PAST, {**wanted, "first": first}).fetchall()
            watch = self._follow(stream)
            self._take(stream.key, rows, live)
            if stream.key in self._logs:
                self._findings += watch.go_live()
            self._read[stream.key] = stream.mark
        self._since = now - MARGIN

    def _go_on(self) -> bool:
        with self._database.transaction() as db:
            now = _now(db)
            moved = self._moved(self._streams(db, _HEARD, {"since": self._since}))
            rows = self._news(db, moved)
        for key, upto in moved.items():
            self._take(key, rows.get(key, ()))
            self._read[key] = upto
        self._since = now - MARGIN
        return any(upto < stream.mark for stream, upto in self._places(moved))

    def _streams(self, db: Db, query: str, wanted: dict[str, object]) -> list[_LogPlace]:
        return [_LogPlace(*row) for row in db.execute(query, wanted)]

    def _moved(self, heard: Iterable[_LogPlace]) -> dict[Key, int]:
        moved: dict[Key, int] = {}
        for stream in heard:
            followed = self._followed.get(stream.table, [])
            if stream.key not in self._read:
                if followed and stream.began_at < followed[-1].began_at:
                    continue  # its shoes were dealt before those that are known
                self._follow(stream).is_live = True
                self._read[stream.key] = 0  # the header is no input
            else:
                self._followed[stream.table] = [stream if one.key == stream.key else one for one in followed]
            if stream.mark > self._read[stream.key]:
                moved[stream.key] = min(stream.mark, self._read[stream.key] + ENTRIES)
        return moved

    def _places(self, moved: dict[Key, int]) -> Iterable[tuple[_LogPlace, int]]:
        for streams in self._followed.values():
            for stream in streams:
                if stream.key in moved:
                    yield stream, moved[stream.key]

    def _news(self, db: Db, moved: dict[Key, int]) -> dict[Key, list[tuple[int, bytes]]]:
        places = list(self._places(moved))
        if not places:
            return {}
        wanted = {
            "tables": [stream.table for stream, _ in places],
            "logs": [stream.log for stream, _ in places],
            "months": [stream.month for stream, _ in places],
            "after": [self._read[stream.key] for stream, _ in places],
            "upto": [upto for _, upto in places],
            "events": list(EVENTS),
        }
        found: dict[Key, list[tuple[int, bytes]]] = {}
        for table, log, number, data in db.execute(_NEWS, wanted):
            found.setdefault((table, log), []).append((number, data))
        return found

    def _follow(self, stream: _LogPlace) -> LogWatch:
        past = self._past.setdefault(stream.table, [])
        followed = self._followed.setdefault(stream.table, [])
        followed.append(stream)
        watch = self._logs[stream.key] = LogWatch(stream.log, past, self._accounts)
        for old in followed[:-LOGS]:
            self._logs.pop(old.key, None)
            self._read.pop(old.key, None)
        del followed[:-LOGS]
        return watch

    def _take(self, key: Key, rows: Sequence[tuple[int, bytes]], live: int | None = None) -> None:
        for number, data in rows:
            watch = self._logs.get(key)
            if watch is None:
                return
            try:
                watch.is_live |= live is not None and number >= live
                self._findings += watch.take([msgspec.json.decode(line) for line in lines_of(data)])
            except Exception as error:  # noqa: BLE001  # a table sends any lines; those of the others count
                # The text of an error may have a card.
                logger.warning("%s %s: entry %d is unreadable (%s); not watched", *key, number, type(error).__name__)
                del self._logs[key]


def watching(database: Database, look_s: float) -> None:
    """Watch until SIGTERM or Ctrl-C.

    Raises:
        Stop: the database is unfit.
    """
    over = threading.Event()
    with signals_stop(over.set):
        told = ""
        while not over.is_set():
            try:
                database.prepare()
            except Unavailable as error:
                if str(error) != told:
                    logger.warning("%s; trying again", error)
                told = str(error)
                over.wait(look_s)
            else:
                break
        Watcher(database).run(over, look_s)


def _now(db: Db) -> datetime:
    (now,) = db.execute("SELECT now()").fetchone() or (None,)
    if not isinstance(now, datetime):
        raise TypeError("the database has no clock")
    return now

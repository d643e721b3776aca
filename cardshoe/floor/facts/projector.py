"""Turn stored lines into facts.

Polls: with `NOTIFY` every commit takes a database-wide lock.
"""

import contextlib
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
import psycopg
from msgspec import Struct
from psycopg.rows import dict_row

from cardshoe.floor.database import Database, Db
from cardshoe.floor.facts.fold import LogFold, LogState, Unreadable
from cardshoe.floor.facts.store import Key, forget, store_facts, store_fault, store_position
from cardshoe.floor.facts.told import Fact
from cardshoe.screens.rounds.parts import RoundFacts, StaffAtPlace
from cardshoe.screens.view import TableView

FORM: Final = 1
"""Facts of another version are rebuilt."""
ENTRIES_A_LOOK: Final = 1500
EACH: Final = (12, 400)
LOGS_A_LOOK: Final = 500
KEEP_ENTRIES: Final = 180
"""Entries between stored states, the most a start folds per table."""
SWEEP_S: Final = 60.0
MARGIN: Final = timedelta(seconds=60)
"""Longest time from a batch's begin to its visibility."""
ALARMS_MAX: Final = 500

_COLUMNS: Final = (
    "s.table_id, s.log, s.month, s.game, s.program, s.mark, s.last, s.proved, s.stopped, s.began_at, s.heard_at"
)
_BEHIND: Final = f"""
SELECT {_COLUMNS} FROM streams s LEFT JOIN projected p USING (table_id, log)
WHERE NOT s.dropped AND (p.form IS DISTINCT FROM %(form)s OR (p.fault = '' AND s.mark > p.entry))
ORDER BY s.heard_at DESC LIMIT 10000
"""  # noqa: S608  # made of texts of this file
_NEWEST: Final = f"""
SELECT DISTINCT ON (s.table_id) {_COLUMNS} FROM streams s ORDER BY s.table_id, s.began_at DESC, s.log
"""  # noqa: S608  # made of texts of this file
_HEARD: Final = f"""
SELECT {_COLUMNS} FROM streams s WHERE s.heard_at >= %(since)s
"""  # noqa: S608  # made of texts of this file
_DROPPED: Final = """
SELECT table_id, log FROM projected JOIN streams USING (table_id, log) WHERE dropped LIMIT 50
"""
_POSITIONS: Final = """
SELECT p.table_id, p.log, p.entry, p.form, p.kept_at, p.kept, p.fault
FROM unnest(%(tables)s::text[], %(logs)s::text[]) AS w (table_id, log) JOIN projected p USING (table_id, log)
"""
_ENTRIES: Final = """
SELECT w.table_id, w.log, e.number, e.lines
FROM unnest(%(tables)s::text[], %(logs)s::text[], %(months)s::date[], %(after)s::bigint[])
     AS w (table_id, log, month, after)
CROSS JOIN LATERAL (
    SELECT number, lines FROM entries
    WHERE table_id = w.table_id AND log = w.log AND month = w.month AND number > w.after ORDER BY number
    LIMIT %(each)s
) e
"""
_ALARMS: Final = """
SELECT id, table_id AS "table", log, kind, detail, first_at, times FROM alarms WHERE closed_at IS NULL
ORDER BY id LIMIT %(most)s
"""


class StreamRow(Struct, frozen=True):
    table: str
    log: str
    month: Any
    game: str
    program: str
    mark: int
    last: int
    proved: int
    stopped: str
    began_at: datetime
    heard_at: datetime

    @property
    def key(self) -> Key:
        """Table and fingerprint."""
        return self.table, self.log


class OpenAlarm(Struct, frozen=True, kw_only=True):
    id: int
    table: str
    log: str
    kind: str
    detail: str
    first_at: datetime
    times: int


class Known(Struct, frozen=True, kw_only=True):
    """A table and its newest log.

    Attributes:
        state: changes; read it under `reading`.
    """

    stream: StreamRow
    state: LogState
    last: int
    fault: str = ""


class Projector:
    """Makes facts of lines. One thread calls `look`, any thread the rest.

    Attributes:
        reading: held while states change; never while waiting for the database.
    """

    def __init__(self, database: Database, keep_entries: int = KEEP_ENTRIES) -> None:
        self._database: Final = database
        self._keep_entries: Final = keep_entries
        self._newest: Final[dict[str, StreamRow]] = {}
        self._behind: Final[dict[Key, StreamRow]] = {}
        self._folds: Final[dict[Key, LogFold]] = {}
        self._stored: Final[dict[Key, int]] = {}
        self._kept: Final[dict[Key, int]] = {}
        self._faults: Final[dict[Key, str]] = {}
        self._heard: datetime | None = None
        self._swept_s = 0.0
        self.alarms: Sequence[OpenAlarm] = ()
        self.now: datetime = datetime.fromtimestamp(0, UTC)
        self.reading: Final = threading.Lock()

    @property
    def is_behind(self) -> bool:
        return bool(self._behind)

    def tables(self) -> Iterable[Known]:
        """Each table with its newest log; for the thread of `look`."""
        nothing = LogFold()
        for table in sorted(self._newest):
            stream = self._newest[table]
            fold = self._folds.get(stream.key, nothing)
            yield Known(stream=stream, state=fold.state, last=fold.last, fault=self._faults.get(stream.key, ""))

    def view(self, table: str) -> tuple[StreamRow, dict[str, StaffAtPlace], TableView] | None:
        """A table's newest log, its signed-in staff and its view; ``None``: no such table."""
        with self.reading:
            stream = self._newest.get(table)
            if stream is None:
                return None
            state = (self._folds.get(stream.key) or LogFold()).state
            view = msgspec.json.decode(msgspec.json.encode(state.view), type=TableView)
            return stream, dict(state.signed_in), view

    def open_round(self, log: str) -> tuple[StreamRow, RoundFacts] | None:
        """The open or last round of a log; ``None``: no round began."""
        with self.reading:
            for stream in list(self._newest.values()):  # `look` adds tables at any time
                fold = self._folds.get(stream.key) if stream.log == log else None
                facts = None if fold is None else fold.state.rounds.facts
                if facts is not None and facts.entries:
                    return stream, msgspec.json.decode(msgspec.json.encode(facts), type=RoundFacts)
        return None

    def look(self) -> int:
        """Fold new lines up to the limit; return their number. Lines not stored are read again."""
        try:
            with self._database.transaction() as db:
                self._find(db)
                rows = self._due()
                self._load(db, [row for row in rows if row.key not in self._folds])
                lines = self._read(db, [row for row in rows if row.key in self._folds])
                with self.reading:
                    folded = self._fold(lines)
                self._store_all(db, folded)
        except BaseException:
            # The folds may be ahead of what is stored; they are made anew.
            with self.reading:
                self._forget_all()
            raise
        self._rest()
        return sum(map(len, lines.values()))

    def keep(self) -> None:
        """Store all states for the next start."""
        with self._database.transaction() as db:
            for key, fold in self._folds.items():
                if fold.last > self._kept[key] and key not in self._faults:
                    with contextlib.suppress(Unreadable):
                        store_position(db, key, fold.last, FORM, fold.kept())

    # --- which logs --------------------------------------------------------------------------------------------------

    def _find(self, db: Db) -> None:
        began_s = time.monotonic()
        is_sweep = self._heard is None or began_s - self._swept_s > SWEEP_S
        if is_sweep:
            for key in db.execute(_DROPPED).fetchall():
                forget(db, (key[0], key[1]))
            for row in self._streams(db, _NEWEST, {}):
                self._newest[row.table] = row
                if row.key not in self._folds:
                    self._behind[row.key] = row
            found = self._streams(db, _BEHIND, {"form": FORM})
            self._swept_s = began_s
        else:
            found = self._streams(db, _HEARD, {"since": self._heard})
        for row in found:
            newest = self._newest.get(row.table)
            if newest is None or newest.log == row.log or newest.began_at < row.began_at:
                self._newest[row.table] = row
            if row.key not in self._faults and row.mark > self._read_up_to(row.key):
                self._behind[row.key] = row
        (self.now,) = db.execute("SELECT now()").fetchone() or (self.now,)
        self._heard = self.now - MARGIN
        self.alarms = [OpenAlarm(**row) for row in _dicts(db, _ALARMS, {"most": ALARMS_MAX})]

    def _streams(self, db: Db, query: str, wanted: Mapping[str, object]) -> list[StreamRow]:
        return [StreamRow(*row) for row in db.execute(query, wanted)]

    def _read_up_to(self, key: Key) -> int:
        fold = self._folds.get(key)
        return -1 if fold is None else fold.last

    def _due(self) -> list[StreamRow]:
        return sorted(self._behind.values(), key=lambda row: row.heard_at, reverse=True)[:LOGS_A_LOOK]

    def _load(self, db: Db, rows: Sequence[StreamRow]) -> None:
        wanted = {"tables": [row.table for row in rows], "logs": [row.log for row in rows]}
        found = {(row[0], row[1]): row[2:] for row in db.execute(_POSITIONS, wanted)} if rows else {}
        for row in rows:
            entry, form, kept_at, kept, fault = found.get(row.key, (-1, FORM, -1, None, ""))
            if form != FORM:
                forget(db, row.key)
                entry, kept_at, kept, fault = -1, -1, None, ""
            if fault:
                self._faults[row.key] = fault
            self._folds[row.key] = LogFold(kept, kept_at)
            self._stored[row.key], self._kept[row.key] = entry, kept_at

    # --- entries -----------------------------------------------------------------------------------------------------

    def _read(self, db: Db, rows: Sequence[StreamRow]) -> dict[Key, list[tuple[int, bytes]]]:
        if not rows:
            return {}
        each = min(max(ENTRIES_A_LOOK // len(rows), EACH[0]), EACH[1])
        wanted = {
            "tables": [row.table for row in rows],
            "logs": [row.log for row in rows],
            "months": [row.month for row in rows],
            "after": [self._folds[row.key].last for row in rows],
            "each": each,
        }
        found: dict[Key, list[tuple[int, bytes]]] = {row.key: [] for row in rows}
        for table, log, number, data in db.execute(_ENTRIES, wanted):
            found[table, log].append((number, data))
        return found

    def _fold(self, entries: Mapping[Key, Sequence[tuple[int, bytes]]]) -> dict[Key, tuple[list[Fact], str]]:
        folded = {}
        for key, some in entries.items():
            fold, facts, fault = self._folds[key], list[Fact](), self._faults.get(key, "")
            try:
                for number, data in some if not fault else ():
                    told = fold.take(number, data)
                    if number > self._stored[key]:
                        facts += told
            except Unreadable as error:
                fault = str(error)
            if fault or not some or fold.last >= self._behind[key].mark:
                del self._behind[key]
            folded[key] = facts, fault
        return folded

    def _store_all(self, db: Db, folded: Mapping[Key, tuple[list[Fact], str]]) -> None:
        for key, (facts, fault) in folded.items():
            table, log = key
            is_replaced = key not in self._behind and self._newest[table].log != log
            self._store(db, key, facts, fault, is_over=is_replaced or self._folds[key].state.closed)

    def _store(self, db: Db, key: Key, facts: Sequence[Fact], fault: str, *, is_over: bool) -> None:
        fold = self._folds[key]
        keeps = fold.last > self._kept[key] + (0 if is_over else self._keep_entries)
        try:
            if facts or keeps:
                with db.transaction():
                    store_position(db, key, fold.last, FORM, fold.kept() if keeps else None)
                    store_facts(db, key, facts)
                self._stored[key] = fold.last
                self._kept[key] = fold.last if keeps else self._kept[key]
        except (psycopg.DataError, psycopg.IntegrityError, Unreadable) as error:
            fault = str(error).splitlines()[0]
        if fault and key not in self._faults:
            store_fault(db, key, FORM, fault)
            self._faults[key] = fault

    # --- what is remembered ------------------------------------------------------------------------------------------

    def _rest(self) -> None:
        newest = {row.key for row in self._newest.values()}
        for key in [key for key in self._folds if key not in newest and key not in self._behind]:
            del self._folds[key]
            self._stored.pop(key, None)
            self._kept.pop(key, None)
            self._faults.pop(key, None)

    def _forget_all(self) -> None:
        for known in (self._folds, self._stored, self._kept, self._faults, self._behind):
            known.clear()
        self._heard = None


def _dicts(db: Db, query: str, wanted: Mapping[str, object]) -> list[dict[str, Any]]:
    with db.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, wanted).fetchall()

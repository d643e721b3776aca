"""The display's index of rounds in a temporary database.

Only lines visible without the sealing key: undisclosed cards have no tag.
"""

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.screens.rounds.asked import RoundsAsked
from cardshoe.screens.rounds.fact import RoundFact, next_fact
from cardshoe.screens.rounds.fold import RoundFold
from cardshoe.screens.rounds.parts import RoundsState, RoundStart
from cardshoe.screens.rounds.search import FoundPlace, RoundFound
from cardshoe.screens.view import TableView
from regulations.events.outputs import Refused

_MICROSECOND: Final = timedelta(microseconds=1)
_START: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SCHEMA: Final = """
PRAGMA journal_mode = MEMORY;
PRAGMA synchronous = OFF;
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY, log TEXT NOT NULL, round INTEGER NOT NULL, shoe INTEGER NOT NULL, at INTEGER NOT NULL,
    outcome TEXT, voided INTEGER NOT NULL, demonstration INTEGER NOT NULL, seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL, entry INTEGER NOT NULL, last_entry INTEGER NOT NULL, staked INTEGER NOT NULL,
    house INTEGER NOT NULL, UNIQUE (log, round)
);
-- Apart, so that sums and filters read short rows.
CREATE TABLE details (id INTEGER PRIMARY KEY, tags TEXT NOT NULL, start BLOB NOT NULL);
CREATE INDEX by_time ON rounds (at, log, round);
CREATE INDEX by_line ON rounds (log, seq);
CREATE TABLE tags (tag TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tag, id)) WITHOUT ROWID;
"""
_FIELDS: Final = (
    "log", "round", "shoe", "at", "outcome", "voided", "demonstration", "seq", "last_seq", "entry", "last_entry",
    "staked", "house",
)  # fmt: skip
_STORE: Final = (
    f"INSERT INTO rounds ({', '.join(_FIELDS)}) VALUES ({', '.join(f':{name}' for name in _FIELDS)}) "  # noqa: S608  # made of texts of this file
    f"ON CONFLICT (log, round) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _FIELDS)} RETURNING id"
)
_WHOLE: Final = "rounds JOIN details USING (id)"
_FOUND: Final = "log, round, shoe, at, outcome, voided, demonstration, seq, staked, house, tags"
_CONDITIONS: Final = {
    "log": "log = :log",
    "round": "round = :round",
    "since": "at >= :since",
    "until": "at < :until",
    "before": "(at, log, round) < (:before_at, :before_log, :before_round)",
}
_TAGGED: Final = (
    "id IN (SELECT id FROM tags WHERE tag = :tag{})",
    "EXISTS (SELECT 1 FROM tags WHERE tag = :tag{} AND tags.id = rounds.id)",
)
"""The condition of the first tag of a question, and of each other."""
_SUMS: Final = (
    "count(*) FILTER (WHERE outcome IS NOT NULL AND NOT demonstration), total(voided), total(staked), total(house)"
)


class RoundPlace(Struct, frozen=True, kw_only=True):
    log: str
    round: int
    seq: int
    last_seq: int
    entry: int
    last_entry: int
    start: RoundStart


class RoundTotals(Struct, frozen=True):
    """Decided and void rounds, decided stakes and the casino's win in minor units."""

    rounds: int
    voided: int
    staked: int
    house: int


class IndexedLog:
    """The fold of one log; ``last`` -1: no entry yet."""

    def __init__(self, log: str) -> None:
        self.log: Final = log
        self.last = -1
        self.opening: Sequence[bytes] = ()
        self.state: Final = RoundsState()
        self._view: Final = TableView()
        self._fold: Final = RoundFold(self._view, self.state)
        self._noted: RoundFact | None = None

    def take(self, number: int, lines: Sequence[bytes]) -> RoundFact | None:
        """Fold the next entry; return changed facts of its round.

        Raises:
            ValueError, MalformedLine, msgspec.MsgspecError: not an entry of this log.
        """
        if number != self.last + 1:
            raise ValueError(f"entry {number} does not follow {self.last}")
        taken = self._fold.take(number, lines)
        self.last = number
        if number == 1:
            self.opening = lines
        if taken is None or isinstance(taken[1][0], Refused):
            return None
        now = next_fact(self._view, self.state, self._noted, self._view.at)
        self._noted = now or self._noted
        return now

    def open_round(self) -> RoundPlace | None:
        """The open or last round; ``None``: none began."""
        facts = self.state.facts
        if facts is None or not facts.entries:
            return None
        return RoundPlace(
            log=self.log,
            round=facts.number,
            seq=facts.seq,
            last_seq=facts.last_seq,
            entry=facts.entries[0].entry,
            last_entry=facts.entries[-1].entry,
            start=facts.start,
        )


class RoundIndex:
    """The rounds of one table; from any thread."""

    def __init__(self, table: str) -> None:
        self._table: Final = table
        self._turn: Final = threading.Lock()
        self._openings: Final[dict[str, Sequence[bytes]]] = {}
        self._open: RoundPlace | None = None
        # Without a name: a file that the system removes with the process, once the pages no longer fit into memory.
        self._database: Final = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        self._database.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the database."""
        with self._turn:
            self._database.close()

    def store(self, log: IndexedLog, facts: Iterable[RoundFact], *, is_running: bool = False) -> None:
        """Store new facts of a log; of the running one its open round too.

        Raises:
            sqlite3.Error: none is stored.
        """
        with self._turn, self._database:
            self._database.execute("BEGIN")
            for fact in facts:
                self._store(log.log, fact)
            self._openings[log.log] = log.opening
            self._open = log.open_round() if is_running else self._open

    def _store(self, log: str, fact: RoundFact) -> None:
        execute = self._database.execute
        row = {**msgspec.structs.asdict(fact), "log": log, "at": _number(datetime.fromisoformat(fact.at))}
        row["tags"] = msgspec.json.encode(fact.tags).decode()
        known = execute(f"SELECT tags FROM {_WHOLE} WHERE log = :log AND round = :round", row).fetchone()  # noqa: S608  # made of texts of this file
        ((key,),) = execute(_STORE, row).fetchall()
        execute("INSERT OR REPLACE INTO details VALUES (?, ?, ?)", (key, row["tags"], row["start"]))
        before = set() if known is None else set(msgspec.json.decode(known[0]))
        for tag in before.difference(fact.tags):
            execute("DELETE FROM tags WHERE tag = ? AND id = ?", (tag, key))
        for tag in set(fact.tags) - before:
            execute("INSERT INTO tags VALUES (?, ?)", (tag, key))

    def forget(self, before: datetime) -> None:
        """Remove rounds before a time."""
        with self._turn:
            old = {"at": _number(before)}
            for part in ("tags", "details"):
                self._database.execute(f"DELETE FROM {part} WHERE id IN (SELECT id FROM rounds WHERE at < :at)", old)  # noqa: S608  # made of texts of this file
            self._database.execute("DELETE FROM rounds WHERE at < :at", old)

    def rounds(self, asked: RoundsAsked, limit: int, before: FoundPlace | None = None) -> list[RoundFound]:
        """The matching rounds, newest first; see `Searches`."""
        wanted: dict[str, object] = {"limit": limit}
        with self._turn:
            where = self._where(asked, wanted)
        if before is not None:
            wanted |= {"before_at": _number(before.at), "before_log": before.log, "before_round": before.round}
            where.append(_CONDITIONS["before"])
        order = "ORDER BY at DESC, log DESC, round DESC"
        # Details of those shown alone: the filters read short rows.
        first = f"SELECT * FROM rounds WHERE {' AND '.join(where)} {order} LIMIT :limit"  # noqa: S608  made of texts of this file
        query = f"SELECT {_FOUND} FROM ({first}) JOIN details USING (id) {order}"  # noqa: S608  likewise
        with self._turn:
            found = self._database.execute(query, wanted).fetchall()
        return [self._found(*row) for row in found]

    def totals(self, asked: RoundsAsked) -> RoundTotals:
        """Totals of all matching rounds."""
        wanted: dict[str, object] = {}
        with self._turn:
            where = self._where(asked, wanted)
            ((rounds, *others),) = self._database.execute(
                f"SELECT {_SUMS} FROM rounds WHERE {' AND '.join(where)}",  # noqa: S608  # made of texts of this file
                wanted,
            ).fetchall()
        return RoundTotals(rounds, *map(int, others))

    def find(self, log: str, seq: int) -> RoundPlace | None:
        """The round of a line; ``None``: none."""
        query = (
            f"SELECT log, round, seq, last_seq, entry, last_entry, start FROM {_WHOLE} "  # noqa: S608  # made of texts of this file
            "WHERE log = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
        )
        with self._turn:
            row, still_open = self._database.execute(query, (log, seq)).fetchone(), self._open
        if row is not None and seq <= row[3]:
            start = msgspec.json.decode(row[6], type=RoundStart)
            return RoundPlace(
                log=row[0], round=row[1], seq=row[2], last_seq=row[3], entry=row[4], last_entry=row[5], start=start
            )
        if still_open is not None and still_open.log == log and still_open.seq <= seq <= still_open.last_seq:
            return still_open
        return None

    def opening(self, log: str) -> Sequence[bytes]:
        """The lines of a log's first entry; empty: unknown log."""
        with self._turn:
            return self._openings.get(log, ())

    def _where(self, asked: RoundsAsked, wanted: dict[str, object]) -> list[str]:
        """The conditions of a question; their values go into `wanted`."""
        where = ["true"] if asked.table in ("", self._table) else ["false"]
        if asked.round is not None:
            wanted["round"] = asked.round
        for name, moment in (("since", asked.since), ("until", asked.until)):
            if moment is not None:
                wanted[name] = _number(moment)
        where += [text for name, text in _CONDITIONS.items() if name in wanted]
        # Rounds come by the rarest tag; each is looked up by the others.
        for number, tag in enumerate(sorted(asked.tags, key=self._count)):
            wanted[f"tag{number}"] = tag
            where.append(_TAGGED[number > 0].format(number))
        return where

    def _count(self, tag: str) -> int:
        ((count,),) = self._database.execute("SELECT count(*) FROM tags WHERE tag = ?", (tag,)).fetchall()
        return int(count)

    def _found(self, log: str, number: int, shoe: int, at: int, outcome: str | None, *rest: object) -> RoundFound:
        voided, demonstration, seq, staked, house, tags = rest
        return RoundFound(
            table=self._table,
            log=log,
            round=number,
            shoe=shoe,
            at=_START + at * _MICROSECOND,
            outcome=outcome,
            voided=bool(voided),
            demonstration=bool(demonstration),
            seq=int(str(seq)),
            staked=int(str(staked)),
            house=int(str(house)),
            tags=msgspec.json.decode(str(tags)),
        )


def _number(moment: datetime) -> int:
    return (moment - _START) // _MICROSECOND

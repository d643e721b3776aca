"""Many simulated tables play and deliver while database and collector are killed and batches come again."""

import itertools
import random
import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Final, NamedTuple

import psycopg

from cardshoe.cli.floor.demo.plan import KINDS, Seating, names
from cardshoe.cli.floor.demo.table import SimulatedTable
from cardshoe.cli.floor.demo.worker import Begin, End, Tables, Uplinks, Worker
from cardshoe.journal.delivery.wire import Batch, Refusal, Stands
from cardshoe.table.controller import Listener
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.uplink.settings import UplinkSettings
from cardshoe.table.uplink.transport import FloorTransport, HttpsCarrier
from cardshoe.table.uplink.uplink import TIMES, Uplink
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.site import Collector, Site, Teller
from tests.cardshoe.floor.tables import journal, played
from tests.cardshoe.floor.waiting import alarms

AGAIN: Final = 0.1
"""The part of batches that is sent again."""
KILLS: Final = 2
"""Of the database, and of the collector."""
CALM: Final = 0.6
"""The part of all rounds that is played before the first kill, while nothing is wrong."""
LENGTHS: Final[Mapping[str, float]] = {"casino_war": 1.25, "blackjack": 0.5, "three_card_baccarat": 0.5, "q_poker": 0.5}
"""Rounds of a game for one of baccarat, so that all tables have about as many lines, and end at about the same time."""
LOOK_S: Final = 0.2
OVER_S: Final = 1800.0
MISTAKES: Final = 0.003
_ROW: Final = struct.Struct("<16sqd")
"""Log, number of a line, and when, in seconds."""


class Known(NamedTuple):
    """The last of some entries, and when."""

    log: str
    entry: int
    at_s: float


class Lags(NamedTuple):
    """Seconds from durable at the table to the mark, at the median and for 99 of 100 lines."""

    p50: float
    p99: float


class Played(NamedTuple):
    """The result of a campaign.

    Attributes:
        seconds: that it took.
    """

    tables: int
    entries: int
    fewest: int
    seconds: float
    again: int
    ahead: int
    wrong: int
    alarms: int
    calm: Lags
    all: Lags

    def __str__(self) -> str:
        return (
            f"playing: tables={self.tables} entries={self.entries} fewest={self.fewest} seconds={self.seconds:.1f} "
            f"entries_per_s={self.entries / self.seconds:.0f} again={self.again} marks_ahead={self.ahead} "
            f"logs_wrong={self.wrong} alarms_wrong={self.alarms} "
            f"lag_p50_s={self.calm.p50:.2f} lag_p99_s={self.calm.p99:.2f} "
            f"lag_with_kills_p50_s={self.all.p50:.2f} lag_with_kills_p99_s={self.all.p99:.2f}"
        )


class Notebook:
    """Rows that a process appends to a file of its own; whole ones, whenever it is read."""

    def __init__(self, path: Path) -> None:
        self._file: Final = path.open("ab", buffering=0)

    def note(self, log: str, seq: int) -> None:
        """Now."""
        self._file.write(_ROW.pack(bytes.fromhex(log), seq, time.monotonic()))

    @staticmethod
    def read(paths: Sequence[Path]) -> Iterator[Known]:
        """All rows of some files, in their order."""
        for path in paths:
            for log, seq, at_s in _ROW.iter_unpack(path.read_bytes()):
                yield Known(log.hex(), seq, at_s)


class NotedTables(Tables):
    """Tables that write down when a line is durable."""

    def __init__(self, connection: Connection, begin: Begin, path: Path) -> None:
        super().__init__(connection, begin)
        book = Notebook(path)
        for table in self.tables:
            table.listen(_noting(book, table))


def _noting(book: Notebook, table: SimulatedTable) -> Listener:
    log = table.progress().log

    def listen(_: LoggedInput) -> None:
        book.note(log, table.progress().last)

    return listen


class RepeatingUplinks(Uplinks):
    """Uplinks that send some batches again, and write down each mark when it comes."""

    def __init__(self, connection: Connection, begin: Begin, path: Path, again: Path, again_s: float) -> None:
        super().__init__(connection, begin)
        self._times: Final = TIMES._replace(again=(TIMES.again[0], again_s))
        self._book: Final = Notebook(path)
        self._again: Final = Notebook(again)
        self._seeds: Final = itertools.count(begin.seatings[0].seed)

    def _made(self, settings: UplinkSettings) -> Uplink:
        uplink = Uplink(settings, self._times)
        carrier = uplink._carrier  # noqa: SLF001  # in its place: all else is the real thing
        uplink._carrier = _Repeating(carrier, self._book, self._again, next(self._seeds))  # type: ignore[misc]  # noqa: SLF001  # as above
        return uplink


class _Repeating(HttpsCarrier):
    def __init__(self, inner: FloorTransport, book: Notebook, again: Notebook, seed: int) -> None:
        self.__dict__.update(inner.__dict__)
        self._book = book
        self._again = again
        self._rng = random.Random(seed)

    def send(self, batch: Batch) -> Stands:
        stands = super().send(batch)
        mark = self.mark(stands, batch.head.table, batch.head.log)
        if mark is not None:
            self._book.note(mark.log, mark.entry)
        if self._rng.random() < AGAIN:
            stands = super().send(batch)
            self._again.note(batch.head.log, batch.head.first)
        return stands


def playing(
    folder: Path,
    site: Site,
    postgres: Postgres,
    database: str,
    *,
    tables: int,
    rounds: int,
    speed: float,
    processes: int,
    kills: int = KILLS,
    seed: int = 1,
    again_s: float = TIMES.again[1],
) -> Played:
    """Plays and delivers.

    Args:
        database: an empty one of it.
        again_s: seconds at most until an uplink tries a floor again that is away.
    """
    notes = folder / "notes"
    notes.mkdir()
    halls = [
        (
            Worker(partial(NotedTables, path=notes / f"durable-{n}")),
            Worker(partial(RepeatingUplinks, path=notes / f"marks-{n}", again=notes / f"again-{n}", again_s=again_s)),
        )
        for n in range(processes)
    ]
    workers = [worker for hall in halls for worker in hall]
    state = folder / "state"
    state.mkdir(mode=0o700)
    try:
        with Collector(site, state, database) as floor:
            seatings = [_seating(folder, site, floor, number, rounds, seed) for number in range(tables)]
            begin = [Begin(speed, seatings[number::processes]) for number in range(processes)]
            for hall, order in zip(halls, begin, strict=True):
                hall[0].tell(order)
            _until(workers, lambda: all(hall[0].progress.tables for hall in halls))
            began_s = time.monotonic()
            for hall, order in zip(halls, begin, strict=True):
                hall[1].tell(order)
            expected = _copied_disks(folder / "copied", site, floor)
            ahead, killed_s = 0, 0.0
            for kill in range(2 * kills):
                part = CALM + (1 - CALM) * kill / (2 * kills)
                _until(workers, lambda: _rounds(halls) >= part * sum(one.rounds or 0 for one in seatings))  # noqa: B023  # at once
                killed_s = killed_s or time.monotonic()
                if kill % 2:
                    floor.kill()
                    floor.start()
                else:
                    known = {line.log: line.entry for line in Notebook.read(sorted(notes.glob("marks-*")))}
                    postgres.kill()
                    postgres.start()
                    ahead += _ahead(database, known)
            _end(workers, [hall[0] for hall in halls], lambda: _closed(halls) == tables)
            ends = {one.log: one.last for hall in halls for one in hall[0].progress.tables}
            _until(workers, lambda: _stored(database) >= sum(ends.values()) + tables)
            # What is stored is not yet told: an uplink that ends in between has no mark of its last lines.
            _until(workers, lambda: _marked(notes, ends))
            seconds = time.monotonic() - began_s
            _end(workers, [hall[1] for hall in halls], lambda: True)
    finally:
        for worker in workers:
            worker.close()
    books = [Journal(journals_of(Path(one.uplink.folder), one.uplink.table_id)[0]) for one in seatings]
    lags = sorted(_lags(notes, 0.0, float("inf")))
    return Played(
        tables=tables,
        entries=sum(len(book.entries) for book in books),
        fewest=min(len(book.entries) for book in books),
        seconds=seconds,
        again=sum(1 for _ in Notebook.read(sorted(notes.glob("again-*")))),
        ahead=ahead,
        wrong=sum(stored_as(database, book) != book.entries for book in books),
        alarms=len(expected ^ set(alarms(database))),
        calm=_percentiles(sorted(_lags(notes, _all_on_line_s(notes), killed_s or float("inf")))),
        all=_percentiles(lags),
    )


def _copied_disks(folder: Path, site: Site, floor: Collector) -> set[tuple[str, str, str]]:
    inputs, expected = played(rounds=3), set()
    for name, kind in (("X-001", "fork"), ("X-002", "rolled_back")):
        book = Journal(journal(folder, name, inputs))
        half = len(book.entries) // 2
        with Teller(site, floor.address, name) as told:
            assert isinstance(told.tell(book.batch(0, half)), Stands)
            if kind == "fork":
                other = [line.replace(b"10:00:00", b"10:00:01") for line in book.entries[half - 3 : half]]
                told.tell(book.batch(half - 3, half, entries=other))
            else:
                told.tell(book.has(last=half - 9))
            refused = told.tell(book.batch(half, half + 5))
            assert isinstance(refused, Refusal)
            assert refused.code == "stopped"
        expected.add((name, book.log, kind))
    return expected


def _seating(folder: Path, site: Site, floor: Collector, number: int, rounds: int, seed: int) -> Seating:
    name = next(itertools.islice(names(number + 1), number, None))
    journals = folder / "tables" / name
    journals.mkdir(parents=True)
    kind = KINDS[number % len(KINDS)]
    return Seating(
        kind=kind,
        seed=seed * 1000 + number,
        mistakes=MISTAKES,
        is_troubled=False,
        rounds=round(rounds * LENGTHS.get(kind.game, 1.0)),
        uplink=site.uplink(floor.address, journals, name),
    )


def _rounds(halls: Sequence[tuple[Worker, Worker]]) -> int:
    return sum(one.rounds for hall in halls for one in hall[0].progress.tables)


def _closed(halls: Sequence[tuple[Worker, Worker]]) -> int:
    stuck = {one.table: one.stuck for hall in halls for one in hall[0].progress.tables if one.stuck}
    assert not stuck, stuck
    return sum(one.is_closed for hall in halls for one in hall[0].progress.tables)


def _end(workers: Sequence[Worker], ending: Sequence[Worker], when: Callable[[], bool]) -> None:
    _until(workers, when)
    for worker in ending:
        worker.tell(End())
    _until(workers, lambda: all(worker.is_over for worker in ending))


def _until(workers: Sequence[Worker], condition: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + OVER_S
    while not condition():
        assert time.monotonic() < ends_s, "it did not come"
        speaking = {worker.connection: worker for worker in workers if not worker.is_over}
        for ready in wait(list(speaking), LOOK_S):
            assert isinstance(ready, Connection)
            speaking[ready].hear()
        assert not (failed := [worker.failed for worker in workers if worker.failed]), failed


def _ahead(database: str, known: dict[str, int]) -> int:
    with psycopg.connect(database) as db:
        has = {str(log): int(end) for log, end in db.execute("SELECT log, count(*) FROM entries GROUP BY log")}
    return sum(seq + 1 > has.get(log, 0) for log, seq in known.items())


def _stored(database: str) -> int:
    with psycopg.connect(database) as db:
        row = db.execute("SELECT sum(mark + 1) FROM streams WHERE stopped = ''").fetchone()
    return 0 if row is None or row[0] is None else int(row[0])


def _marked(notes: Path, ends: dict[str, int]) -> bool:
    known = {line.log: line.entry for line in Notebook.read(sorted(notes.glob("marks-*")))}
    return all(known.get(log, -1) >= last for log, last in ends.items())


def stored_as(database: str, book: Journal) -> list[bytes]:
    """The entries of a journal's log in the database; none if there is a gap, or one is there twice."""
    with psycopg.connect(database) as db:
        query = "SELECT number, lines FROM entries WHERE table_id = %s AND log = %s ORDER BY number"
        rows = db.execute(query, (book.table, book.log)).fetchall()
    return [line for _, line in rows] if [seq for seq, _ in rows] == list(range(len(rows))) else []


def _lags(notes: Path, from_s: float, until_s: float) -> Iterator[float]:
    marks: dict[str, list[Known]] = {}
    for line in Notebook.read(sorted(notes.glob("marks-*"))):
        marks.setdefault(line.log, []).append(line)
    for line in Notebook.read(sorted(notes.glob("durable-*"))):
        if from_s <= line.at_s < until_s:
            came = next((mark for mark in marks.get(line.log, []) if mark.entry >= line.entry), None)
            assert came is not None, line
            yield came.at_s - line.at_s


def _all_on_line_s(notes: Path) -> float:
    first: dict[str, float] = {}
    for line in Notebook.read(sorted(notes.glob("marks-*"))):
        first.setdefault(line.log, line.at_s)
    return max(first.values())


def _percentiles(lags: Sequence[float]) -> Lags:
    return Lags(lags[len(lags) // 2], lags[len(lags) * 99 // 100]) if lags else Lags(0.0, 0.0)

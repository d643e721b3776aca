"""A table that was off line for days catches up: how long that takes, and what memory uplink and collector need."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
from msgspec import structs

from cardshoe.table.log.snapshot import begins_shoe
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.uplink.settings import UplinkSettings
from regulations.events.inputs import AnyInput, Closed
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.playing import stored_as
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import SEED, nobody, table_of
from tests.cardshoe.floor.waiting import wait_until
from tests.sim.croupier.plain_table import PlainTable

DAY_S: Final = 24 * 3600.0
TABLE: Final = "T-001"
TOGETHER: Final = 200
"""Lines in a transaction: these journals are made at once, and not as the cards come."""
OVER_S: Final = 3600.0
KIB: Final = 1024


class Pace(NamedTuple):
    """Of a table that plays around the clock with a calm croupier, shuffling included.

    Attributes:
        shoe_s: seconds that a shoe game takes.
    """

    shoe_s: float
    rounds: int
    lines: int

    @property
    def shoes_a_day(self) -> int:
        """Shoe games in 24 hours."""
        return round(DAY_S / self.shoe_s)


class Memory(NamedTuple):
    """The most that a process has had so far, in KiB."""

    uplink: int
    collector: int


class CaughtUp(NamedTuple):
    """The result of a week.

    Attributes:
        days: off line.
        seconds: from the uplink's start until the floor has the last line.
    """

    days: int
    shoes: int
    entries: int
    seconds: float
    first: Memory
    last: Memory
    wrong: int

    def __str__(self) -> str:
        return (
            f"week: days={self.days} shoes_a_day={self.shoes} entries={self.entries} seconds={self.seconds:.1f} "
            f"entries_per_s={self.entries / self.seconds:.0f} uplink_mib={self.last.uplink / KIB:.0f} "
            f"uplink_growth_mib={(self.last.uplink - self.first.uplink) / KIB:.1f} "
            f"collector_mib={self.last.collector / KIB:.0f} "
            f"collector_growth_mib={(self.last.collector - self.first.collector) / KIB:.1f} logs_wrong={self.wrong}"
        )


def pace() -> Pace:
    """The pace of a calm croupier, by the simulator."""
    table = PlainTable(SEED, table_of(TABLE), orders=HouseInstructions(games=1), pace=1.0)
    table.run()
    return Pace(table.clock.now_s(), table.croupier.rounds_played, sum(1 + len(answer) for _, answer in table.log))


def day_of(shoes: int) -> list[AnyInput]:
    """The inputs of a day."""
    table = PlainTable(SEED, table_of(TABLE), orders=HouseInstructions(games=shoes))
    table.run()
    return [event for event, _ in table.log[1:] if not isinstance(event, Closed)]


def journal_of_day(folder: Path, day: int, inputs: Sequence[AnyInput]) -> Path:
    """A closed journal of a day, with a key for each shoe game."""
    at = f"2026-11-{day:02}T08:00:00.000000Z"
    log = open_log(folder, table_of(TABLE), at, nobody, resume=False)
    with log.journal as book:
        entries = []
        for event in (*inputs, Closed()):
            taken = log.scribe.take(structs.replace(event, at=at, origin="person"))
            entries.append(taken.entry)
            begins = begins_shoe(taken, log.scribe.procedure)
            if begins or len(entries) >= TOGETHER or isinstance(event, Closed):
                book.append(entries, sign_at=at)
                entries = []
            if begins:
                book.begin_shoe(at)
        return book.path


def catching_up(folder: Path, site: Site, database: str, days: int, shoes: int) -> CaughtUp:
    """Makes the journals of days and delivers them, with an uplink in a process of its own.

    Args:
        database: an empty one.
        days: off line.
    """
    journals, inputs = folder / "journals", day_of(shoes)
    books = [Journal(journal_of_day(journals, day, inputs)) for day in range(1, days + 1)]
    state = folder / "state"
    state.mkdir(mode=0o700)
    with Collector(site, state, database) as floor:
        settings = site.uplink(floor.address, journals, TABLE)
        began_s = time.monotonic()
        with uplink_process(settings) as child:
            wait_until(lambda: mark_of(database, books[0].log) == len(books[0].entries) - 1, seconds=OVER_S)
            first = _memory(child, floor)
            wait_until(lambda: mark_of(database, books[-1].log) == len(books[-1].entries) - 1, seconds=OVER_S)
            seconds = time.monotonic() - began_s
            last = _memory(child, floor)
    wrong = sum(stored_as(database, book) != book.entries for book in books)
    return CaughtUp(days, shoes, sum(len(book.entries) for book in books), seconds, first, last, wrong)


@contextmanager
def uplink_process(settings: UplinkSettings) -> "Iterator[subprocess.Popen[bytes]]":
    """As a table starts it; what it says of a floor that is busy is nobody's business here."""
    command = [sys.executable, "-m", "cardshoe.table.uplink"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None
        child.stdin.write(settings.written() + b"\n")
        child.stdin.flush()
        yield child  # the end of its standard input ends it


def _memory(child: "subprocess.Popen[bytes]", floor: Collector) -> Memory:
    return Memory(peak_kib(child.pid), peak_kib(floor.pid))


def peak_kib(pid: int) -> int:
    """The most memory that a process has had so far."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


def mark_of(database: str, log: str) -> int:
    """The last entry of a log that the floor has; -1: none."""
    try:
        with psycopg.connect(database) as db:
            row = db.execute("SELECT mark FROM streams WHERE log = %s", (log,)).fetchone()
    except psycopg.errors.UndefinedTable:
        return -1
    return -1 if row is None else int(row[0])

"""A floor of a demonstration while it plays."""

import os
import selectors
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
from msgspec import Struct

from cardshoe.cli.floor.demo import plan
from cardshoe.cli.floor.demo.collector import DemoCollector
from cardshoe.cli.floor.demo.table import TableProgress
from cardshoe.cli.floor.demo.worker import Begin, End, Making, OffLine, OnLine, Tables, Uplinks, Worker
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.terminal.formatting import hung

LOOK_S: Final = 0.5
TOLD_S: Final = 15.0
OUTAGE_S: Final = (10.0, 20.0)
ASK_S: Final = 10.0
DELIVER_S: Final = 30.0


class Wanted(Struct, frozen=True, kw_only=True):
    """The parameters of a demonstration.

    Attributes:
        mistakes: per act where one is possible, 0 to 1.
        processes: ``None``: as many as needed.
        shuffle: ``None``: ideal, without the shuffle watch.
        keep: folder of all files; ``None``: deleted.
    """

    tables: int
    rounds: int | None
    seconds: float | None
    speed: float
    mistakes: float
    seed: int
    shuffle: str | None
    listen: str
    processes: int | None
    keep: Path | None


class DemoResult(Struct, frozen=True, kw_only=True):
    tables: int
    processes: int
    seconds: float
    lines: int
    stored: int
    rounds: int
    irregularities: int
    voids: int
    alarms: int
    stuck: dict[str, str]

    def said(self) -> Iterator[str]:
        """The result in words."""
        rate = self.lines / self.seconds if self.seconds else 0.0
        missing = self.lines - self.stored
        for label, text in (
            ("tables", f"{self.tables} in {self.processes} processes"),
            ("rounds", f"{self.rounds:,}, {self.voids:,} of them declared void by persons"),
            ("irregularities", f"{self.irregularities:,}"),
            ("lines", f"{self.lines:,} written, {self.stored:,} at the floor, {missing:,} missing"),
            ("seconds", f"{self.seconds:.1f}, {rate:.0f} lines a second"),
            ("alarms", f"{self.alarms} open"),
            *((f"stuck: {table}", why) for table, why in self.stuck.items()),
        ):
            yield from hung(label, text)


class Hall:
    def __init__(self, held: ExitStack) -> None:
        self.tables: Final = _worker(held, Tables)
        self.uplinks: Final = _worker(held, Uplinks)
        self._begin: Begin | None = None

    def begin(self, begin: Begin) -> None:
        """Seat the tables."""
        self.tables.tell(begin)
        self._begin = begin

    def deliver(self) -> None:
        """Start the uplinks, after the tables are seated."""
        if self._begin is not None and self.tables.progress.tables:
            self.uplinks.tell(self._begin)
            self._begin = None


def _worker(held: ExitStack, holder: Making) -> Worker:
    worker = Worker(holder)
    held.callback(worker.close)
    return worker


class Going:
    def __init__(
        self,
        wanted: Wanted,
        halls: Sequence[Hall],
        collector: DemoCollector,
        over: threading.Event,
        say: Callable[[str], None],
    ) -> None:
        self._wanted: Final = wanted
        self._halls: Final = halls
        self._workers: Final = [worker for hall in halls for worker in (hall.tables, hall.uplinks)]
        self._collector: Final = collector
        self._over: Final = over
        self._say: Final = say
        self._began_s: Final = time.monotonic()
        self._told_s = self._began_s
        self._outage: list[tuple[float, OffLine | OnLine]] = []
        self._typed = bytearray()
        self._selector: Final = selectors.DefaultSelector()
        self._http: Final = httpx.Client(base_url=collector.home, timeout=ASK_S, trust_env=False)
        if wanted.tables > 1:
            name = list(plan.names(wanted.tables))[-1]
            off_s, back_s = OUTAGE_S
            self._outage = [(off_s, OffLine(name)), (off_s + back_s, OnLine(name))]

    def run(self) -> DemoResult:
        """Play until all tables are closed, the time is up, or a stop."""
        with self._selector, self._http:
            for worker in self._workers:
                self._selector.register(worker.connection, selectors.EVENT_READ, worker)
            with suppress(OSError, ValueError):  # a file or nothing, where nobody types
                self._selector.register(sys.stdin, selectors.EVENT_READ)
            while not self._is_over():
                self._look()
            self._end([hall.tables for hall in self._halls])
            self._deliver()
            self._end([hall.uplinks for hall in self._halls])
            return self._shown()

    def _end(self, workers: Sequence[Worker]) -> None:
        for worker in workers:
            worker.tell(End())
        while not all(worker.is_over for worker in workers):
            self._look()

    def _deliver(self) -> None:
        self._outage = [
            (0.0, OnLine(one.table)) for hall in self._halls for one in hall.uplinks.progress.lags if one.entries < 0
        ]
        ends_s = time.monotonic() + DELIVER_S
        while self._stored() < self._written() and time.monotonic() < ends_s:
            self._look()

    def _written(self) -> int:
        return sum(one.last + 1 for one in self._table_progress())

    def _stored(self) -> int:
        marks = {(one["table"], one["log"]): one["mark"] for one in self._asked("/api/v1/tables")}
        return sum(min(one.last, marks.get((one.table, one.log), -1)) + 1 for one in self._table_progress())

    def _asked(self, path: str) -> list[dict[str, Any]]:
        try:
            answer = self._http.get(path).raise_for_status()
        except httpx.HTTPError as error:
            raise Stop(f"the floor does not answer: {error}", "Report it, with --keep FOLDER.", Exit.FAILURE) from error
        return msgspec.json.decode(answer.content, type=list[dict[str, Any]])

    def _is_over(self) -> bool:
        if self._collector.process.poll() is not None:
            raise Stop("the collector has ended", "Report it, with what it said: --keep FOLDER.", Exit.FAILURE)
        self._check()
        seconds = self._wanted.seconds
        played = self._table_progress()
        is_played = len(played) == self._wanted.tables and all(one.is_closed for one in played)
        return self._over.is_set() or is_played or (seconds is not None and self._passed_s() >= seconds)

    def _check(self) -> None:
        for worker in self._workers:
            if worker.failed:
                raise Stop(
                    f"tables: {worker.failed}",
                    f"Run again with --seed {self._wanted.seed}, and report it.",
                    Exit.FAILURE,
                )

    def _look(self) -> None:
        for key, _ in self._selector.select(LOOK_S):
            if isinstance(key.data, Worker):
                key.data.hear()
                if key.data.is_over:
                    self._selector.unregister(key.data.connection)
            else:
                self._read()
        for hall in self._halls:
            hall.deliver()
        self._check()
        while self._outage and self._passed_s() >= self._outage[0][0]:
            self._order(self._outage.pop(0)[1])
        if time.monotonic() >= self._told_s + TOLD_S:
            self._told_s = time.monotonic()
            self._tell()

    def _read(self) -> None:
        data = os.read(sys.stdin.fileno(), 4096)
        if not data:
            self._selector.unregister(sys.stdin)
            return
        *lines, rest = (bytes(self._typed) + data).split(b"\n")
        self._typed[:] = rest[-100:]
        for line in lines:
            self._take(line.decode("utf-8", "replace").split())

    def _take(self, words: Sequence[str]) -> None:
        match words:
            case ["off", name]:
                self._order(OffLine(name))
            case ["on", name]:
                self._order(OnLine(name))
            case ["quit"]:
                self._over.set()
            case []:
                return
            case _:
                self._say("Type `off TABLE`, `on TABLE` or `quit`.")

    def _order(self, order: OffLine | OnLine) -> None:
        known = {one.table: hall.uplinks for hall in self._halls for one in hall.uplinks.progress.lags}
        if order.table not in known:
            self._say(f"there is no table {order.table}")
            return
        known[order.table].tell(order)
        self._say(f"{order.table} is {'off line' if isinstance(order, OffLine) else 'on line again'}")

    def _tell(self) -> None:
        lags = [one.entries for hall in self._halls for one in hall.uplinks.progress.lags]
        lines, lag = self._written(), sum(max(0, one) for one in lags)
        self._say(f"{self._passed_s():.0f} s: {lines:,} lines, {lag:,} of them on their way to the floor")

    def _table_progress(self) -> list[TableProgress]:
        return [one for hall in self._halls for one in hall.tables.progress.tables]

    def _passed_s(self) -> float:
        return time.monotonic() - self._began_s

    def _shown(self) -> DemoResult:
        seconds, played = self._passed_s(), sorted(self._table_progress(), key=lambda one: one.table)
        return DemoResult(
            tables=self._wanted.tables,
            processes=len(self._halls),
            seconds=seconds,
            lines=self._written(),
            stored=self._stored(),
            rounds=sum(one.rounds for one in played),
            irregularities=sum(one.irregularities for one in played),
            voids=sum(one.voids for one in played),
            alarms=len(self._asked("/api/v1/alarms")),
            stuck={one.table: one.stuck for one in played if one.stuck},
        )

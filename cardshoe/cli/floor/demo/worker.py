"""Processes that hold many tables or uplinks.

A table and its uplink never share a process: journal locks are per process.
"""

import gc
import logging
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.cli.floor.demo.plan import Seating
from cardshoe.cli.floor.demo.table import SimulatedTable, TableProgress
from cardshoe.process import collector
from cardshoe.table.uplink.settings import UplinkSettings
from cardshoe.table.uplink.uplink import Uplink
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread

TOLD_S: Final = 0.5
END_S: Final = 20.0
STACK_BYTES: Final = 1024 * 1024
"""Stack of a thread: hundreds of threads, and 8 MB each is the default."""


class Begin(Struct, frozen=True, tag="begin"):
    speed: float
    seatings: list[Seating]


class OffLine(Struct, frozen=True, tag="off"):
    table: str


class OnLine(Struct, frozen=True, tag="on"):
    table: str


class End(Struct, frozen=True, tag="end"):
    """Stop playing or delivering."""


class Lag(Struct, frozen=True, kw_only=True):
    """An uplink's progress.

    Attributes:
        entries: lines that the floor lacks; -1: offline, unknown.
    """

    table: str
    entries: int


class DemoProgress(Struct, frozen=True, kw_only=True, tag="progress"):
    tables: list[TableProgress] = []
    lags: list[Lag] = []
    is_last: bool = False


class Failed(Struct, frozen=True, tag="failed"):
    what: str


Order = Begin | OffLine | OnLine | End
Told = DemoProgress | Failed
Making = Callable[[Connection, Begin], "Holder"]


class Worker:
    def __init__(self, holder: Making) -> None:
        forking = get_context("fork")
        self._ours, theirs = forking.Pipe()
        self._process: Final = forking.Process(target=_work, args=(holder, self._ours, theirs))
        self._process.start()
        theirs.close()
        self.progress = DemoProgress()
        self.failed = ""
        self.is_over = False

    @property
    def connection(self) -> Connection:
        """The pipe of its reports."""
        return self._ours

    def tell(self, order: Order) -> None:
        """Send an order."""
        try:
            self._ours.send_bytes(msgspec.json.encode(order))
        except OSError:
            self.is_over = True

    def hear(self) -> None:
        """Read one report."""
        try:
            said: Told = msgspec.json.decode(self._ours.recv_bytes(), type=Told)
        except (EOFError, OSError):
            said = Failed("a process has ended")
        if isinstance(said, Failed):
            self.failed, self.is_over = said.what, True
        else:
            self.progress, self.is_over = said, said.is_last

    def close(self) -> None:
        """Wait for its end."""
        self._ours.close()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _work(holder: Making, theirs: Connection, connection: Connection) -> None:
    theirs.close()
    os.setsid()  # Ctrl-C is for the command, which ends its processes itself
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    gc.collect()
    collector.leave_alone()  # what is shared stays shared: the collector would write to every page of it
    threading.stack_size(STACK_BYTES)
    # A floor that is away and a device that is pulled belong to what is shown: nobody is warned of them.
    logging.disable(logging.WARNING)
    try:
        begin: Order = msgspec.json.decode(connection.recv_bytes(), type=Order)
        if isinstance(begin, Begin):
            holder(connection, begin).run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the command has gone
    except Exception as error:  # noqa: BLE001  # whatever it is: the command tells it
        connection.send_bytes(msgspec.json.encode(Failed(f"{type(error).__name__}: {error}")))
    finally:
        os._exit(0)  # a thread that waits for a floor is not waited for


class Holder(ABC):
    def __init__(self, connection: Connection) -> None:
        self._connection: Final = connection

    @abstractmethod
    def run(self) -> None:
        """Work until the order to end."""

    def _next_order(self) -> Order | None:
        self._tell(self._progress())
        if not self._connection.poll(TOLD_S):
            return None
        order: Order = msgspec.json.decode(self._connection.recv_bytes(), type=Order)
        return order

    def _tell(self, progress: DemoProgress) -> None:
        self._connection.send_bytes(msgspec.json.encode(progress))

    @abstractmethod
    def _progress(self) -> DemoProgress:
        """The current progress."""


class Tables(Holder):
    def __init__(self, connection: Connection, begin: Begin) -> None:
        super().__init__(connection)
        clock = RealClock(begin.speed)
        self.tables: Final = [SimulatedTable(one, clock) for one in begin.seatings]
        self._station: Final = SimulatorThread(clock, [table.wire for table in self.tables if table.wire is not None])

    def run(self) -> None:
        with self._station:
            for table in self.tables:
                table.begin(self._station)
            while not isinstance(self._next_order(), End) and self._station.failure is None:
                continue
            for table in self.tables:
                table.stop()
            for table in self.tables:
                table.end()
        self._tell(msgspec.structs.replace(self._progress(), is_last=True))

    def _progress(self) -> DemoProgress:
        return DemoProgress(tables=[table.progress() for table in self.tables])


class Uplinks(Holder):
    def __init__(self, connection: Connection, begin: Begin) -> None:
        super().__init__(connection)
        self._settings: Final = {one.uplink.table_id: one.uplink for one in begin.seatings}
        self._at_work: Final[dict[str, tuple[Uplink, threading.Thread]]] = {}

    def run(self) -> None:
        for settings in self._settings.values():
            self._begin(settings)
        while not isinstance(order := self._next_order(), End):
            if order is not None:
                self._take(order)
        for name in self._settings:
            self._end(name)
        self._tell(DemoProgress(is_last=True))

    def _take(self, order: Order) -> None:
        if isinstance(order, OffLine) and order.table in self._settings:
            self._end(order.table)
        elif isinstance(order, OnLine) and order.table in self._settings:
            self._begin(self._settings[order.table])

    def _made(self, settings: UplinkSettings) -> Uplink:
        return Uplink(settings)

    def _begin(self, settings: UplinkSettings) -> None:
        if settings.table_id not in self._at_work:
            uplink = self._made(settings)
            thread = threading.Thread(target=uplink.run, name=settings.table_id, daemon=True)
            self._at_work[settings.table_id] = (uplink, thread)
            thread.start()

    def _end(self, name: str) -> None:
        if (at_work := self._at_work.pop(name, None)) is not None:
            uplink, thread = at_work
            uplink.stop()
            thread.join(END_S)

    def _progress(self) -> DemoProgress:
        lags = {name: uplink.figures.lag_entries for name, (uplink, _) in self._at_work.items()}
        return DemoProgress(lags=[Lag(table=name, entries=lags.get(name, -1)) for name in self._settings])

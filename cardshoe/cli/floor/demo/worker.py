"""Processes that hold many tables, or many uplinks, each with threads of its own.

They are forked from the process of the command once everything is imported, so that all of them share what was compiled
and whatever else never changes. A table and its uplink are never in one process: the locks of a journal are its
process's, and an uplink reads it as another one.
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
"""How often a process says how its tables are."""
END_S: Final = 20.0
"""Seconds that a process has to end, and an uplink."""
STACK_BYTES: Final = 1024 * 1024
"""Of a thread: there are hundreds, and the usual eight megabytes each are reserved for nothing."""


class Begin(Struct, frozen=True, tag="begin"):
    """Seat the tables, and play.

    Attributes:
        speed: simulated seconds per real second.
    """

    speed: float
    seatings: list[Seating]


class OffLine(Struct, frozen=True, tag="off"):
    """One of the tables loses the floor."""

    table: str


class OnLine(Struct, frozen=True, tag="on"):
    """It has it again."""

    table: str


class End(Struct, frozen=True, tag="end"):
    """Play, or deliver, no more."""


class Lag(Struct, frozen=True, kw_only=True):
    """How far an uplink is.

    Attributes:
        entries: lines that the floor lacks; -1: it is off line, and nobody knows.
    """

    table: str
    entries: int


class Progress(Struct, frozen=True, kw_only=True, tag="progress"):
    """How it goes."""

    tables: list[TableProgress] = []
    lags: list[Lag] = []
    is_last: bool = False


class Failed(Struct, frozen=True, tag="failed"):
    """It cannot begin, or go on."""

    what: str


Order = Begin | OffLine | OnLine | End
Told = Progress | Failed
Making = Callable[[Connection, Begin], "Holder"]


class Worker:
    """Such a process, as the command sees it.

    Attributes:
        failed: why it cannot go on; empty: it can.
    """

    def __init__(self, holder: Making) -> None:
        forking = get_context("fork")
        self._ours, theirs = forking.Pipe()
        self._process: Final = forking.Process(target=_work, args=(holder, self._ours, theirs))
        self._process.start()
        theirs.close()
        self.progress = Progress()
        self.failed = ""
        self.is_over = False

    @property
    def connection(self) -> Connection:
        """On which it is heard."""
        return self._ours

    def tell(self, order: Order) -> None:
        """Gives an order."""
        try:
            self._ours.send_bytes(msgspec.json.encode(order))
        except OSError:
            self.is_over = True

    def hear(self) -> None:
        """Takes one thing that it says."""
        try:
            said: Told = msgspec.json.decode(self._ours.recv_bytes(), type=Told)
        except (EOFError, OSError):
            said = Failed("a process has ended")
        if isinstance(said, Failed):
            self.failed, self.is_over = said.what, True
        else:
            self.progress, self.is_over = said, said.is_last

    def close(self) -> None:
        """Waits until it has ended."""
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
    """The common part of both kinds of processes."""

    def __init__(self, connection: Connection) -> None:
        self._connection: Final = connection

    @abstractmethod
    def run(self) -> None:
        """Does it until it is told to end."""

    def _next_order(self) -> Order | None:
        self._tell(self._progress())
        if not self._connection.poll(TOLD_S):
            return None
        order: Order = msgspec.json.decode(self._connection.recv_bytes(), type=Order)
        return order

    def _tell(self, progress: Progress) -> None:
        self._connection.send_bytes(msgspec.json.encode(progress))

    @abstractmethod
    def _progress(self) -> Progress:
        """How it goes."""


class Tables(Holder):
    """Tables at play: one thread of the simulator for all of them."""

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

    def _progress(self) -> Progress:
        return Progress(tables=[table.progress() for table in self.tables])


class Uplinks(Holder):
    """Uplinks at work: of each table one, as it would be in a process of its own."""

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
        self._tell(Progress(is_last=True))

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

    def _progress(self) -> Progress:
        lags = {name: uplink.figures.lag_entries for name, (uplink, _) in self._at_work.items()}
        return Progress(lags=[Lag(table=name, entries=lags.get(name, -1)) for name in self._settings])

"""Latency of an exchange: a card on command by TDP to the journal, against a Modbus request by pymodbus."""

import asyncio
import queue
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw
from msgspec import UNSET
from pymodbus.client import AsyncModbusSerialClient, ModbusSerialClient
from pymodbus.framer import FramerType

from cardshoe.process.clock import wall_time
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log.table_journal import OpenLog, open_log
from drivers.port import Port
from firmware_bridge.interlock import DeviceActionKind
from firmware_bridge.report import Report
from firmware_bridge.tdp.bridge import TdpBridge
from regulations.events.inputs import BetsClosed, Cut, CutCardPlaced, Loaded, RoundClosed, Shuffled, Table, Wager
from regulations.events.notices import DeviceIdentified
from tests.bench.settings import ASKED, BAUD, DEVICE_ID, STACK, VALUE

SYNCHRONOUS: Final = {"off": "OFF", "normal": "NORMAL", "full": "FULL"}
"""How durable a commit is. A table's journal is always FULL; the others show what that costs."""
CLIENTS: Final = {"sync": False, "async": True}
"""pymodbus' two clients, and whether each is for asyncio."""
VALUES: Final = [VALUE] * ASKED
BETS: Final = BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="banker", stake=10_000)])
WARM_UP: Final = 20
CUT_CARD_BEHIND: Final = 14
PATIENCE_S: Final = 20.0
ANSWER_S: Final = 0.5
"""Time that pymodbus waits for an answer: a server that has just opened its port throws the first request away."""
RETRIES: Final = 40
_NS_PER_US: Final = 1000


@contextmanager
def process(*module: str) -> Iterator[subprocess.Popen[str]]:
    """A module of this package as a process, ended with the block."""
    command = [sys.executable, "-m", *module]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.terminate()


@contextmanager
def crossed() -> Iterator[tuple[str, str]]:
    """The names of two serial ports with a cable between them."""
    with process("tests.bench.crossing") as cable:
        assert cable.stdout is not None
        yield cable.stdout.readline().strip(), cable.stdout.readline().strip()


async def _asynchronous_block(near: str, exchanges: int) -> list[int]:
    client = AsyncModbusSerialClient(near, framer=FramerType.RTU, baudrate=BAUD, timeout=ANSWER_S, retries=RETRIES)
    assert await client.connect()
    spent: list[int] = []
    for _ in range(exchanges):
        began = time.perf_counter_ns()
        answer = await client.read_holding_registers(0, count=ASKED, device_id=DEVICE_ID)
        spent.append(time.perf_counter_ns() - began)
        assert answer.registers == VALUES, answer
    client.close()
    return spent


def _synchronous_block(near: str, exchanges: int) -> list[int]:
    client = ModbusSerialClient(near, framer=FramerType.RTU, baudrate=BAUD, timeout=ANSWER_S, retries=RETRIES)
    assert client.connect()
    spent: list[int] = []
    for _ in range(exchanges):
        began = time.perf_counter_ns()
        answer = client.read_holding_registers(0, count=ASKED, device_id=DEVICE_ID)
        spent.append(time.perf_counter_ns() - began)
        assert answer.registers == VALUES, answer
    client.close()  # type: ignore[no-untyped-call]  # theirs
    return spent


class OurTable:
    """A baccarat table whose cards come from a TDP device on command: the whole stack but its window to persons.

    Args:
        clock: of the bridge, in seconds.
    """

    def __init__(
        self,
        folder: Path,
        near: str,
        synchronous: str,
        *,
        make_port: Callable[[], Port] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        table = Table(table_id=f"link-{synchronous}", game="baccarat", decks=8, seats=7, equipment="shoe")
        self._log: Final[OpenLog] = open_log(folder, table, wall_time(), lambda _: None, resume=False)
        _set_synchronous(synchronous)
        self._inbox: Final[queue.SimpleQueue[Item]] = queue.SimpleQueue()
        self._controller: Final = Controller(self._log, self._inbox)
        settings = {"security": "plain", "baud": BAUD}
        self._bridge: Final = TdpBridge(
            "dealer", near, settings, (DeviceActionKind.DISPENSE,), self._inbox.put, make_port=make_port, clock=clock
        )
        self._bridge.lift_budget()
        self._controller.attach(self._bridge)
        self.rounds = 0
        """Rounds closed."""

    def start(self) -> None:
        """Connect to the device and load the stack; the burned cards are dealt."""
        self._bridge.start()
        while not isinstance(self._take().events[0], DeviceIdentified):
            pass
        self._take()  # its start
        for event in (
            Shuffled(by="croupier"),
            Cut(by="player"),
            CutCardPlaced(behind=CUT_CARD_BEHIND),
            Loaded(cards=STACK),
        ):
            self._controller.take(event)
        while self._log.last.prompt.do == "burn":
            self._take()

    def block(self, exchanges: int) -> list[int]:
        """Nanoseconds of each exchange: from the table's call for a card to the acknowledgement of that card."""
        spent: list[int] = []
        began = time.perf_counter_ns()
        while len(spent) < exchanges:
            prompt = self._log.last.prompt
            if prompt.do == "close_round":
                self._controller.take(RoundClosed())
                self.rounds += 1
            elif prompt.actions is not UNSET:
                # Between rounds a card is a hand's affair; with the bets closed, the device is told.
                self._controller.take(BETS)
                began = time.perf_counter_ns()
            else:
                assert prompt.do == "draw", prompt
                self._take()
                now = time.perf_counter_ns()
                spent.append(now - began)
                began = now
        return spent

    def close(self) -> None:
        """Let go of port and journal."""
        self._bridge.stop()
        self._log.journal.close()

    def _take(self) -> Report:
        report = self._inbox.get(timeout=PATIENCE_S)
        assert isinstance(report, Report), report
        self._controller.take_report(report)
        return report


def _set_synchronous(level: str) -> None:
    (connection,) = apsw.connections()
    connection.execute(f"PRAGMA synchronous={SYNCHRONOUS[level]}")


def modbus_block(exchanges: int, *, asynchronous: bool) -> list[int]:
    """Nanoseconds of each exchange of pymodbus, with a server of its own."""
    with crossed() as (near, far), process("tests.bench.modbus_end", far) as server:
        assert server.stdout is not None
        server.stdout.readline()  # it is about to open its port; the first request waits for it
        run = WARM_UP + exchanges
        if asynchronous:
            return asyncio.run(_asynchronous_block(near, run))[WARM_UP:]
        return _synchronous_block(near, run)[WARM_UP:]


def our_block(folder: Path, synchronous: str, exchanges: int) -> list[int]:
    """Nanoseconds of each exchange of ours, with a device and a journal of its own."""
    with crossed() as (near, far), process("tests.bench.tdp_end", far):
        table = OurTable(folder, near, synchronous)
        table.start()
        try:
            return table.block(WARM_UP + exchanges)[WARM_UP:]
        finally:
            table.close()


def measure_link(folder: Path, exchanges: int = 300, turns: int = 5) -> dict[str, float]:
    """Measure both, in turns.

    Args:
        exchanges: in each block, at most 330: a shoe has no more.
    """
    medians: dict[str, list[float]] = {name: [] for name in (*CLIENTS, *SYNCHRONOUS)}
    names = list(medians)
    for turn in range(turns):
        # Each kind is first once in a while, so that none always finds the machine as the same other left it.
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            if name in CLIENTS:
                spent = modbus_block(exchanges, asynchronous=CLIENTS[name])
            else:
                spent = our_block(folder, name, exchanges)
            medians[name].append(statistics.median(spent) / _NS_PER_US)
    figures = {f"{name}_us": statistics.median(values) for name, values in medians.items()}
    for client, prefix in (("sync", ""), ("async", "async_")):
        for level in SYNCHRONOUS:
            ratios = [theirs / ours for theirs, ours in zip(medians[client], medians[level], strict=True)]
            figures[f"{prefix}ratio_{level}"] = statistics.median(ratios)
    return figures


def main() -> None:
    """Measures on the disk of a folder."""
    with tempfile.TemporaryDirectory(prefix="bench-link-", dir=sys.argv[1]) as folder:
        for key, value in measure_link(Path(folder)).items():
            print(f"{key:<20} {value:.4g}")


if __name__ == "__main__":
    main()

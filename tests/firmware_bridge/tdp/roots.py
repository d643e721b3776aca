"""A device that remembers journals, and the bridge's memory of it."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_bridge.report import Report
from firmware_bridge.roots import Remembered
from firmware_bridge.tdp.bridge import TdpBridge
from firmware_bridge.tdp.roots import TdpRoots
from regulations.events.inputs import AnyInput
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.tdp.hands import TdpHands, tdp_at
from sim.tdp.settings import TdpMachineSettings
from sim.wires.pty import PtyWire
from tests.kit.waiting import PATIENCE_S, Log

LOG, ONE, TWO = b"\x4c" * 32, b"\x01" * 32, b"\x02" * 32


class Desk:
    """A simulated shoe that is switched on, and its bridge, which may tell it nothing that moves."""

    def __init__(self, folder: Path, settings: TdpMachineSettings | None = None) -> None:
        clock = RealClock()
        self.wire = PtyWire(folder / "shoe")
        self.hands: TdpHands = tdp_at("shoe", self.wire, clock, 1, random.Random(4), settings)
        self.station = SimulatorThread(clock, [self.wire])
        self.said = Log()
        self.bridge = TdpBridge("shoe", str(self.wire.path), {"security": "plain"}, (), self.take)

    @property
    def roots(self) -> TdpRoots:
        return self.bridge.roots

    def take(self, said: AnyInput | Report) -> None:
        assert isinstance(said, Report)
        for event in said.events:
            self.said.add(event)

    def recall(self) -> Remembered:
        told = self.roots.recall(LOG, PATIENCE_S)
        assert told is not None
        return told

    def power(self, change: Callable[[], None]) -> None:
        self.station.call(change)


@contextmanager
def desk_at(folder: Path, settings: TdpMachineSettings | None = None) -> Iterator[Desk]:
    desk = Desk(folder, settings)
    desk.station.start()
    desk.station.call(desk.hands.make_ready)
    desk.bridge.start()
    try:
        yield desk
    finally:
        desk.bridge.stop()
        desk.station.stop()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_at(tmp_path) as made:
        yield made

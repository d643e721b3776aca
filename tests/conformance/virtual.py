"""Devices on virtual time behind a port inside the process: a whole suite takes seconds, whatever it waits for."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from cardshoe.cli.sim.virtual import Far, SimulatedFar, bench_of
from conformance.operator import Operator
from conformance.runner import ConformanceReport, Suite, run_suite
from sim.angel_eye.settings import ShoeSettings
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import bee_tek_at
from sim.bee_tek.shoe import BeeTekSettings
from sim.clock import VirtualClock
from sim.control import AngelEyeControl
from sim.hands import hands_at
from sim.tdp.control import TdpControl
from sim.tdp.hands import TdpKind, tdp_at
from sim.tdp.settings import TdpMachineSettings
from sim.wires.direct import DirectWire
from tests.second_device.control import Bench as SecondBench
from tests.second_device.outbox import Outbox
from tests.second_device.station import Station as SecondStation

TICK_S: Final = 0.0001
"""Virtual seconds that pass at least between two deadlines of the second device."""


class VirtualLine:
    """The second device's line inside the process; it dies with power as a USB device's does, if it is set so."""

    name: Final = "virtual"
    address: Final = "virtual"

    def __init__(self, *, dies_with_power: bool = False) -> None:
        self.dies_with_power: Final = dies_with_power
        self.is_up = False
        self.said = bytearray()

    def plug(self) -> None:
        self.is_up = True

    def unplug(self) -> None:
        self.is_up = False
        self.said.clear()

    def sources(self) -> list[int]:
        return []

    def sinks(self) -> list[int]:
        return []

    def read(self, source: int) -> bytes | None:
        raise AssertionError(source)

    def write(self, data: bytes) -> None:
        if self.is_up:
            self.said += data


class SecondFar:
    """The second device on virtual time."""

    def __init__(self, station: SecondStation, *, dies_with_power: bool = False) -> None:
        self._now_s = 0.0
        self._line: Final = VirtualLine(dies_with_power=dies_with_power)
        self.station: Final = station
        self._bench: Final = SecondBench(station, self._line, 416)
        self._bench.start(self._now_s)

    @property
    def is_plugged(self) -> bool:
        return self._line.is_up

    def now_s(self) -> float:
        return self._now_s

    def write(self, data: bytes) -> None:
        self.station.receive(data, self._now_s)
        self._move()

    def taken(self) -> bytes:
        data = bytes(self._line.said)
        self._line.said.clear()
        return data

    def step(self, until_s: float) -> None:
        due_s = self.station.due_s
        due_s = until_s if due_s is None else max(due_s, self._now_s + TICK_S)
        self._now_s = min(due_s, until_s)
        self.station.tick(self._now_s)
        self._move()

    def execute(self, line: str) -> str:
        answer = self._bench.obey(line, self._now_s)
        self.station.tick(self._now_s)
        self._move()
        return answer

    def _move(self) -> None:
        self._line.write(self.station.take_line())


def second_device(
    seed: int, keep: Path | None = None, *, dies_with_power: bool = False, baud: int = 115200
) -> SecondFar:
    """The device of ``tests.second_device``, plain."""
    outbox = Outbox(keep, keeps_events=keep is not None)
    return SecondFar(SecondStation(outbox, random.Random(seed), baud=baud), dies_with_power=dies_with_power)


def tdp_device(kind: TdpKind, seed: int, settings: TdpMachineSettings | None = None, decks: int = 8) -> SimulatedFar:
    """A device of ``sim.tdp``, switched on."""

    def make(wire: DirectWire, clock: VirtualClock) -> TdpControl:
        hands = tdp_at(kind, wire, clock, decks, random.Random(seed), settings)
        hands.make_ready()
        return TdpControl(hands, wire, seed)

    return SimulatedFar(make)


def angel_eye_shoe(
    seed: int,
    settings: ShoeSettings | None = None,
    alter: Callable[[bytes], bytes] = bytes,
    alter_heard: Callable[[bytes], bytes] = bytes,
) -> SimulatedFar:
    """A shoe of ``sim.angel_eye``, switched on."""

    def make(wire: DirectWire, clock: VirtualClock) -> AngelEyeControl:
        hands = hands_at(wire, clock, 8, settings or ShoeSettings(initial_burn="none"))
        hands.make_ready()
        return AngelEyeControl(hands, wire, seed)

    return SimulatedFar(make, alter, alter_heard)


def bee_tek_shoe(
    seed: int, settings: BeeTekSettings | None = None, alter: Callable[[bytes], bytes] = bytes
) -> SimulatedFar:
    """A shoe of ``sim.bee_tek``, switched on."""

    def make(wire: DirectWire, clock: VirtualClock) -> BeeTekControl:
        hands = bee_tek_at(wire, clock, 8, settings)
        hands.make_ready()
        return BeeTekControl(hands, wire, seed)

    return SimulatedFar(make, alter)


def checked(far: Far, suite: Suite[Any], seed: int, *only: str, helper: Operator | None = None) -> ConformanceReport:
    """Run a suite, or parts of it, against a plain device."""
    settings = {"security": "plain"} if suite.family == "tdp" else {}
    return run_suite(
        suite,
        bench_of(far, seed, helper),
        settings,
        port="virtual",
        seed=seed,
        started="2026-01-02T03:04:05",
        only=only,
    )

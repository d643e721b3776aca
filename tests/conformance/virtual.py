"""Devices on virtual time behind a port inside the process: a whole suite takes seconds, whatever it waits for."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from conformance.bench import Bench
from conformance.helper import Helper, LineHelper
from conformance.runner import Report, Suite, run_suite
from drivers.errors import PortLost, PortMissing
from drivers.port import Port
from sim.angel_eye.settings import ShoeSettings
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import bee_tek_at
from sim.bee_tek.shoe import BeeTekSettings
from sim.clock import VirtualClock
from sim.control import Control
from sim.control_lines import ControlLines
from sim.hands import hands_at
from sim.tdp.control import TdpControl
from sim.tdp.hands import TdpKind, tdp_at
from sim.tdp.settings import TdpSettings
from tests.kit.direct_wire import DirectWire
from tests.second_device.control import Bench as SecondBench
from tests.second_device.outbox import Outbox
from tests.second_device.station import Station as SecondStation

TICK_S: Final = 0.0001
"""Virtual seconds that pass at least between two deadlines of the second device."""


class Far(Protocol):
    """A device on virtual time, as a port sees it."""

    @property
    def is_plugged(self) -> bool: ...
    def now_s(self) -> float: ...
    def write(self, data: bytes) -> None: ...
    def taken(self) -> bytes:
        """The bytes that it has sent since the last call."""

    def step(self, until_s: float) -> None:
        """Let time pass up to the next thing that happens, at most to ``until_s``."""

    def execute(self, line: str) -> str:
        """A control line."""


class VirtualPort:
    """The contract of a port over a device on virtual time."""

    name: Final = "virtual"

    def __init__(self, far: Far) -> None:
        self._far: Final = far
        self._open = False

    def open(self) -> None:
        if not self._far.is_plugged:
            raise PortMissing(self.name, "unplugged", "Plug it in.")
        self._open = True

    def read(self, timeout_s: float) -> bytes:
        until_s = self._far.now_s() + timeout_s
        while True:
            self._check()
            data = self._far.taken()
            if data or self._far.now_s() >= until_s:
                return data
            self._far.step(until_s)

    def write(self, data: bytes) -> None:
        self._check()
        self._far.write(data)

    def wake(self) -> None:
        """Nobody waits in another thread."""

    def close(self) -> None:
        self._open = False

    def _check(self) -> None:
        if not self._open or not self._far.is_plugged:
            self._open = False
            raise PortLost(self.name, "gone", "Plug it in.")


class SimulatedFar:
    """A device of ``sim`` on a virtual clock.

    Args:
        make: makes the device at the end of a wire, and gives its control lines.
        alter: what becomes of each piece that it sends; the pieces are whole frames, or lines.
        alter_heard: what becomes of what is sent to it.
    """

    def __init__(
        self,
        make: Callable[[DirectWire, VirtualClock], ControlLines[Any]],
        alter: Callable[[bytes], bytes] = bytes,
        alter_heard: Callable[[bytes], bytes] = bytes,
    ) -> None:
        self.clock: Final = VirtualClock()
        self.said: Final = bytearray()
        self._alter_heard: Final = alter_heard
        self.wire: Final = DirectWire(lambda data: self.said.extend(alter(data)))
        self.control: Final = make(self.wire, self.clock)

    @property
    def is_plugged(self) -> bool:
        return self.wire.is_plugged

    def now_s(self) -> float:
        return self.clock.now_s()

    def write(self, data: bytes) -> None:
        self.wire.from_host(self._alter_heard(data))

    def taken(self) -> bytes:
        data = bytes(self.said)
        self.said.clear()
        return data

    def step(self, until_s: float) -> None:
        self.clock.call_at(until_s, lambda: None)
        self.clock.run_until(lambda: bool(self.said) or self.clock.now_s() >= until_s)

    def execute(self, line: str) -> str:
        return self.control.execute(line)


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
    """The second device on virtual time.

    Args:
        station: the device; another than the usual one to see a wrong one caught.
        dies_with_power: whether its line goes with its power.
    """

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


def second_device(seed: int, keep: Path | None = None, *, dies_with_power: bool = False) -> SecondFar:
    """The device of ``tests.second_device``, plain."""
    outbox = Outbox(keep, keeps_events=keep is not None)
    return SecondFar(SecondStation(outbox, random.Random(seed)), dies_with_power=dies_with_power)


def tdp_device(kind: TdpKind, seed: int, settings: TdpSettings | None = None, decks: int = 8) -> SimulatedFar:
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

    def make(wire: DirectWire, clock: VirtualClock) -> Control:
        hands = hands_at(wire, clock, 8, settings or ShoeSettings(initial_burn="none"))
        hands.make_ready()
        return Control(hands, wire, seed)

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


def bench_of(far: Far, seed: int, helper: Helper | None = None) -> Bench:
    """A bench on the device's own time."""
    hands = helper or LineHelper("control lines", far.execute, background=False)

    def make_port() -> Port:
        return VirtualPort(far)

    def pause(seconds: float) -> None:
        until_s = far.now_s() + seconds
        while far.now_s() < until_s:
            far.step(until_s)

    return Bench(make_port, hands, seed=seed, clock=far.now_s, pause=pause)


def checked(far: Far, suite: Suite[Any], seed: int, *only: str, helper: Helper | None = None) -> Report:
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

"""A simulated device in virtual time behind a port."""

import random
import shlex
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from click.core import ParameterSource

from cardshoe.cli.sim.bench import SEEDS, command_of
from cardshoe.cli.sim.kinds import simulated_kinds
from cardshoe.process.exits import Exit, Stop
from conformance.bench import Bench
from conformance.operator import LineOperator, Operator
from drivers.errors import PortLost, PortMissing
from drivers.port import Port
from firmware_bridge.families import Family
from sim.clock import VirtualClock
from sim.control_lines import ControlLines
from sim.simulated import BadOrder, DeviceOrder
from sim.wires.direct import DirectWire

NO_LINE: Final = ("pty", "tcp", "rfc2217", "usbip", "control", "ready_json", "end_with_input", "allow_remote", "speed")


class Far(Protocol):
    @property
    def is_plugged(self) -> bool:
        """True if its cable is in."""

    def now_s(self) -> float:
        """Virtual seconds since its creation."""

    def write(self, data: bytes) -> None:
        """Bytes from the host."""

    def taken(self) -> bytes:
        """Bytes sent since the last call."""

    def step(self, until_s: float) -> None:
        """Advance to the next event, at most to ``until_s``."""

    def execute(self, line: str) -> str:
        """Execute a control line."""


class VirtualPort(Port):
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
        """No other thread waits."""

    def close(self) -> None:
        self._open = False

    def _check(self) -> None:
        if not self._open or not self._far.is_plugged:
            self._open = False
            raise PortLost(self.name, "gone", "Plug it in.")


class SimulatedFar(Far):
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


def bench_of(far: Far, seed: int, helper: Operator | None = None) -> Bench:
    hands = helper or LineOperator("control lines", far.execute, background=False)

    def make_port() -> Port:
        return VirtualPort(far)

    def pause(seconds: float) -> None:
        until_s = far.now_s() + seconds
        while far.now_s() < until_s:
            far.step(until_s)

    return Bench(make_port, hands, seed=seed, clock=far.now_s, pause=pause)


class VirtualDevice(NamedTuple):
    """A device created from text; ``settings``: of its family, as a host must set them."""

    family: Family
    far: SimulatedFar
    settings: Mapping[str, object]


def ordered(text: str) -> VirtualDevice:
    """Create a device in virtual time from ``cardshoe sim`` options: ``shoe --decks 6``.

    Raises:
        Stop: no such kind, or not with these options.
        click.UsageError: malformed options.
    """
    try:
        name, *words = shlex.split(text)
    except ValueError as error:
        what = f"--simulate {text!r} names no device ({error})"
        raise Stop(what, "Name a kind of `cardshoe sim` and its options.", Exit.USAGE) from error
    kinds = {one.kind.name: one for one in simulated_kinds()}
    if name not in kinds:
        raise Stop(f"--simulate {name}: there is no such device", f"There are {', '.join(sorted(kinds))}.", Exit.USAGE)
    kind = kinds[name].kind
    context = command_of(kinds[name]).make_context(f"cardshoe sim {name}", words)
    values = context.params
    for option in NO_LINE:
        if context.get_parameter_source(option) is not ParameterSource.DEFAULT:
            problem = f"--{option.replace('_', '-')}: a device in virtual time has neither line nor pace"
            raise Stop(problem, "Leave it out, or start the device with --start.", Exit.USAGE)
    settings: dict[str, object] = {}

    def make(wire: DirectWire, clock: VirtualClock) -> ControlLines[Any]:
        seed = values["seed"] if values["seed"] is not None else random.randrange(SEEDS)  # noqa: S311  # no secret
        made = kind.make(DeviceOrder(wire, clock, values["decks"], seed, values["serial_number"], values))
        for part in made.also:
            part.close()
        if made.also:
            raise BadOrder("a device in virtual time has no further line", "Use --start for it.")
        settings.update(made.settings)
        made.hands.make_ready()
        return made.control

    try:
        return VirtualDevice(kinds[name].family, SimulatedFar(make), settings)
    except BadOrder as error:
        raise Stop(error.problem, error.remedy, Exit.USAGE) from error

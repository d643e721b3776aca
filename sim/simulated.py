"""The form of a simulated device: what `cardshoe sim` makes a command of, and demonstrations deal from.

A family names its kinds in ``Family.simulated``; ours are in ``sim.kinds``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from regulations.events.vocabulary import EquipmentKind
from sim.clock import Clock
from sim.control_lines import ControlLines
from sim.croupier.routine import CroupierTraits, Routine
from sim.croupier_actions import CroupierActions, DealingDevice
from sim.sim_thread import PumpedLine
from sim.usb.hostile import ExtraInterface
from sim.wires.wire import Wire

H = TypeVar("H", bound=CroupierActions[DealingDevice])
NOTHING: Final[Mapping[str, object]] = MappingProxyType({})
Ask = Callable[[str], object]
"""Has the table tell its devices to do something, by the name of a command."""


class BadOrder(Exception):
    """A device that cannot be made as ordered.

    Attributes:
        problem: what is wrong, one clause without a full stop.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}")
        self.problem = problem
        self.remedy = remedy


class SimOption(NamedTuple):
    """An option of a kind on the command line; a flag, unless it takes one of the following.

    Attributes:
        name: with its hyphens in front.
        least: a whole number, from this on.
        path: a file's name, as a ``Path``.
        exists: the file must be there.
        default: of a word or number; ``None`` if it may be left out.
        many: it may be repeated; its value is a tuple.
    """

    name: str
    help: str
    words: tuple[str, ...] = ()
    least: int | None = None
    path: bool = False
    exists: bool = False
    default: object = None
    many: bool = False

    @property
    def key(self) -> str:
        """Its name among the values."""
        return self.name.removeprefix("--").replace("-", "_")

    @property
    def start(self) -> object:
        """Its value if it is not given."""
        if self.many:
            return ()
        return self.default if self.words or self.least is not None or self.path else False


class DeviceOrder(NamedTuple):
    """The settings of a device to be made.

    Attributes:
        wire: its end of the line to the host.
        decks: decks of 52 cards, at least 1.
        seed: of all randomness in it.
        serial_number: shown to hosts.
        values: of the kind's options, by ``SimOption.key``.
    """

    wire: Wire
    clock: Clock
    decks: int
    seed: int
    serial_number: str
    values: Mapping[str, Any] = NOTHING


class SimulatedDevice(NamedTuple, Generic[H]):
    """A new device, off and empty.

    Attributes:
        hands: at it; ``make_ready`` switches it on.
        settings: the device's ``settings`` for a table's configuration.
        also: further lines of it.
        facts: further data about it.
        mishaps: its possible faults besides an unplugged cable, by name.
    """

    hands: H
    control: ControlLines[Any]
    settings: Mapping[str, object] = NOTHING
    also: Sequence[PumpedLine] = ()
    facts: Mapping[str, object] = NOTHING
    mishaps: Mapping[str, Callable[[], object]] = MappingProxyType({})


class ProcessOrder(NamedTuple):
    """The settings of a device that runs a program as its firmware.

    Attributes:
        decks: decks of 52 cards at its table, at least 1.
        seed: of all randomness in it.
        serial_number: shown to hosts.
    """

    program: Path
    decks: int
    seed: int
    serial_number: str


class RunningDevice(NamedTuple):
    """A device in a process of its own, switched on and empty, in real time.

    Attributes:
        settings: the device's ``settings`` for a table's configuration.
        line: closes it; runs in the simulator's thread.
    """

    hands: CroupierActions[Any]
    port: str
    settings: Mapping[str, object]
    line: PumpedLine


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedKind(Generic[H]):
    """A kind of simulated device.

    Attributes:
        name: of its command below `cardshoe sim`.
        help: of the command; the first sentence names the simulated device.
        equipment: its kind at a table.
        make: makes one; raises ``BadOrder``.
        croupier: makes its croupier.
        commands: those that a table must be allowed, by the names of a configuration.
        usb: reported serial number and extra interface, from the serial number and the options' values.
        is_machine: whether it acts at any time: `demo --linked` deals from it.
        run: starts one whose firmware is a program; raises ``BadOrder``. ``None``: without program.
    """

    name: str
    title: str
    help: str
    equipment: EquipmentKind
    make: Callable[[DeviceOrder], SimulatedDevice[H]]
    croupier: Callable[[H, CroupierTraits, Ask], Routine]
    commands: tuple[str, ...] = ()
    options: tuple[SimOption, ...] = ()
    usb: Callable[[str, Mapping[str, Any]], tuple[str, ExtraInterface | None]] = lambda serial_number, _values: (
        serial_number,
        None,
    )
    is_machine: bool = False
    run: Callable[[ProcessOrder], RunningDevice] | None = None

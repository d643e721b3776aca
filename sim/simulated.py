"""The form of a simulated device: what `cardshoe sim` makes a command of, and demonstrations deal from."""

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
    """A device that cannot be made as ordered."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}")
        self.problem = problem
        self.remedy = remedy


class SimOption(NamedTuple):
    """An option of a kind on the command line; default: a flag.

    Attributes:
        exists: the file must be there.
        default: of a word or number; ``None`` if it may be left out.
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
        decks: decks of 52 cards, at least 1.
    """

    wire: Wire
    clock: Clock
    decks: int
    seed: int
    serial_number: str
    values: Mapping[str, Any] = NOTHING


class SimulatedDevice(NamedTuple, Generic[H]):
    """A new device, off and empty."""

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
    """

    program: Path
    decks: int
    seed: int
    serial_number: str


class RunningDevice(NamedTuple):
    """A device in a process of its own, switched on and empty, in real time.

    Attributes:
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
        commands: those that a table must be allowed, by the names of a configuration.
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

"""The form of a simulated device, for `cardshoe sim` and demonstrations."""

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


class BadOrder(Exception):
    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}")
        self.problem = problem
        self.remedy = remedy


class SimOption(NamedTuple):
    """``default`` ``None``: the option may be left out."""

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
        if self.many:
            return ()
        return self.default if self.words or self.least is not None or self.path else False


class DeviceOrder(NamedTuple):
    wire: Wire
    clock: Clock
    decks: int
    seed: int
    serial_number: str
    values: Mapping[str, Any] = NOTHING


class SimulatedDevice(NamedTuple, Generic[H]):
    hands: H
    control: ControlLines[Any]
    settings: Mapping[str, object] = NOTHING
    also: Sequence[PumpedLine] = ()
    facts: Mapping[str, object] = NOTHING
    mishaps: Mapping[str, Callable[[], object]] = MappingProxyType({})


class ProcessOrder(NamedTuple):
    program: Path
    decks: int
    seed: int
    serial_number: str


class RunningDevice(NamedTuple):
    hands: CroupierActions[Any]
    port: str
    settings: Mapping[str, object]
    line: PumpedLine


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedKind(Generic[H]):
    """A kind of simulated device.

    Attributes:
        is_machine: it acts at any time: `demo --linked` deals from it.
        run: ``None``: without a program.
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

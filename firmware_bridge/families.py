"""Registry of device families: built-in ones and entry points (``docs/adding-a-device.md``).

Parts are imported when used: a broken one affects only its own tables.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, overload

from drivers.errors import BrokenFamily, DuplicateFamily, NoPart, UnknownFamily

if TYPE_CHECKING:
    from drivers.port_device import DeviceListener, PortDevice
    from drivers.serial_port import SerialSettings
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.interlock import DeviceActionKind
    from firmware_bridge.report import Inbox
    from regulations.events.vocabulary import EquipmentKind, Game

ENTRY_POINT_GROUP: Final = "cardshoe.families"

BUILT_IN: Final[Mapping[str, str]] = {
    "angel_eye": "firmware_bridge.angel_eye.family:FAMILY",
    "bee_tek": "firmware_bridge.bee_tek.family:FAMILY",
    "tdp": "firmware_bridge.tdp.family:FAMILY",
}
"""The only list of built-in families."""

_OURS: Final = "cardshoe"
T = TypeVar("T")
Part = Literal["faults", "frames", "suite", "simulated", "replay"]
Settings = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A kind of device; parts are ``module:attribute``, imported by :meth:`part`.

    Attributes:
        open: makes the device alone, not started.
        make: makes the bridge.
        line: makes the serial line of the settings; raises ``BadSetting``.
        faults: ``FaultWords`` by their codes in the log.
        frames: a ``protocols.pieces.Frames``; empty: none.
        suite: a ``conformance.runner.Suite``; empty: none.
        simulated: a tuple of ``sim.simulated.SimulatedKind``; empty: none.
        replay: a ``sim.replayed.Replaying``; default: sends recorded bytes.
        equipment: the only dealing equipment; None: any.
        games: the only games; empty: any.
        wants: options of the game that its devices assume.
        doubts: allowed but unlikely settings, each with a warning.
    """

    name: str
    summary: str
    open: str
    make: str
    line: str
    faults: str = "firmware_bridge.faults:OF_THE_TABLE"
    frames: str = ""
    suite: str = ""
    simulated: str = ""
    replay: str = "sim.replayed:replay_bytes"
    commands: "tuple[DeviceActionKind, ...]" = ()
    equipment: "EquipmentKind | None" = None
    games: "frozenset[Game]" = frozenset()
    wants: Settings = field(default_factory=dict)
    doubts: tuple[tuple[str, object, str], ...] = ()

    @overload
    def part(self, name: Literal["open"]) -> "Callable[[str, Settings, DeviceListener[Any]], PortDevice[Any]]": ...
    @overload
    def part(
        self, name: Literal["make"]
    ) -> "Callable[[str, str, Settings, Collection[DeviceActionKind], Inbox], Bridge[Any]]": ...
    @overload
    def part(self, name: Literal["line"]) -> "Callable[[Settings], SerialSettings]": ...
    @overload
    def part(self, name: Part, kind: type[T]) -> T: ...
    def part(self, name: str, kind: type[Any] = FunctionType) -> Any:
        """Import a part.

        Raises:
            NoPart: the family lacks it.
            BrokenFamily: it cannot be imported, or is not a ``kind``.
        """
        target: str = getattr(self, name)
        if not target:
            raise NoPart(self.name, name)
        return _imported(self.name, target, f"its {name} ({target})", kind)


@dataclass(frozen=True, slots=True)
class FamilyEntryPoint:
    name: str
    target: str
    origin: str
    rivals: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Distribution and target, for messages."""
        return f"{self.origin} ({self.target})"

    def load(self) -> Family:
        """Import it.

        Raises:
            DuplicateFamily: two distributions offer this name.
            BrokenFamily: it cannot be imported, is no ``Family``, or has another name.
        """
        if self.rivals:
            raise DuplicateFamily(self.name, [self.where, *self.rivals])
        found = _imported(self.name, self.target, self.where, Family)
        if found.name != self.name:
            raise BrokenFamily(self.name, self.where, f"it calls itself {found.name!r}")
        return found


def families(offered: Iterable[EntryPoint] | None = None) -> dict[str, FamilyEntryPoint]:
    """Not imported; ours first, then by name."""
    found = {name: FamilyEntryPoint(name, target, _OURS) for name, target in BUILT_IN.items()}
    points = entry_points(group=ENTRY_POINT_GROUP) if offered is None else offered
    for point in sorted(points, key=lambda one: one.name):
        offer = FamilyEntryPoint(point.name, point.value, point.dist.name if point.dist else "an unnamed distribution")
        other = found.setdefault(offer.name, offer)
        if other.target != offer.target:  # the same thing found twice on the path is no conflict
            found[offer.name] = replace(other, rivals=(*other.rivals, offer.where))
    return found


def family_named(name: str, offered: Iterable[EntryPoint] | None = None) -> Family:
    """Import a family.

    Raises:
        UnknownFamily: no such family.
        DuplicateFamily: two distributions offer it.
        BrokenFamily: it cannot be loaded.
    """
    found = families(offered)
    if name not in found:
        raise UnknownFamily(name, list(found))
    return found[name].load()


def _imported(name: str, target: str, where: str, kind: type[T]) -> T:
    try:
        found: T = EntryPoint(name, target, ENTRY_POINT_GROUP).load()
    except Exception as error:  # a third party's module may raise anything while it is imported
        raise BrokenFamily(name, where, f"{type(error).__name__}: {error}") from error
    if not (callable(found) if kind is FunctionType else isinstance(found, kind)):
        raise BrokenFamily(name, where, f"it is a {type(found).__name__} and no {kind.__name__}")
    return found

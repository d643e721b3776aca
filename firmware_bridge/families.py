"""Registry of device families: built-in ones, and those from the entry point group ``cardshoe.families``.

Each family is ``name -> module:attribute`` and is imported only when it is used, so that a broken one affects only its
own tables. ``docs/firmware-bridge.md`` describes how to add one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Literal, TypeVar

from drivers.device import Device, DeviceListener
from drivers.errors import BrokenFamily, DuplicateFamily, NoPart, UnknownFamily
from drivers.serial_port import SerialSettings
from firmware_bridge.bridge import Bridge
from firmware_bridge.faults import Code, FaultWords
from firmware_bridge.interlock import ActKind
from firmware_bridge.report import Inbox
from regulations.events.vocabulary import EquipmentKind, Game

ENTRY_POINT_GROUP: Final = "cardshoe.families"
"""The group under which a distribution offers its families."""

BUILT_IN: Final[Mapping[str, str]] = {
    "angel_eye": "firmware_bridge.angel_eye.bridge:FAMILY",
    "bee_tek": "firmware_bridge.bee_tek.bridge:FAMILY",
    "tdp": "firmware_bridge.tdp.bridge:FAMILY",
}
"""The only list of built-in families, in the form of entry points."""

_OURS: Final = "cardshoe"
T = TypeVar("T")
Part = Literal["frames", "suite", "simulated"]
"""A part of a family outside the bridge, named as ``module:attribute`` and imported when it is used."""

Settings = Mapping[str, object]
OpenDevice = Callable[[str, Settings, DeviceListener[Any]], Device]
"""Makes a device, not yet started, of its port's name, its settings and who hears it; raises ``BadSetting``."""
MakeBridge = Callable[[str, str, Settings, Collection[ActKind], Inbox], Bridge[Any]]
"""Makes a bridge of the device's name in the log, its port's name, its settings, what it may be told, and the inbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A kind of device: its driver, its bridge, and the facts that a table needs.

    Attributes:
        name: as in the configuration; the same as the entry point's.
        summary: one line for ``cardshoe ports``.
        open: makes the device alone, for who only listens.
        make: makes the bridge between such a device and a table.
        line: the serial line that the settings ask for; raises ``BadSetting`` for an unknown key or impossible value.
        commands: what its devices can be told.
        equipment: the only dealing equipment that its devices are; None: any.
        games: the only games that its devices can deal, since they follow the rules themselves; empty: any.
        wants: options of the game by which its devices play, with the value that they assume.
        faults: what its devices' faults mean, by their codes in the log.
        warning: what is allowed and yet hardly meant about settings, one clause; None: nothing.
        frames: ``module:attribute`` of a ``protocols.pieces.Frames``, for `cardshoe capture show`; empty: none.
        suite: of a ``conformance.runner.Suite``, for `cardshoe conformance`; empty: none.
        simulated: of a tuple of ``sim.simulated.SimulatedKind``, for `cardshoe sim` and `demo`; empty: none.
    """

    name: str
    summary: str
    open: OpenDevice
    make: MakeBridge
    line: Callable[[Settings], SerialSettings]
    commands: tuple[ActKind, ...] = ()
    equipment: EquipmentKind | None = None
    games: frozenset[Game] = frozenset()
    wants: Mapping[str, object] = field(default_factory=dict)
    faults: Mapping[Code, FaultWords] = field(default_factory=dict)
    warning: Callable[[Settings], str | None] = lambda _: None
    frames: str = ""
    suite: str = ""
    simulated: str = ""

    def part(self, name: Part, kind: type[T]) -> T:
        """Import a part of the family.

        Args:
            name: of the part.
            kind: its type.

        Raises:
            NoPart: the family does not have it.
            BrokenFamily: it cannot be imported, or is no ``kind``.
        """
        target: str = getattr(self, name)
        if not target:
            raise NoPart(self.name, name)
        return _imported(self.name, target, f"its {name} ({target})", kind)


@dataclass(frozen=True, slots=True)
class Offer:
    """A family that can be loaded.

    Attributes:
        name: its name in a configuration.
        target: ``module:attribute``.
        origin: the distribution that offers it.
        rivals: other things that are offered under the same name.
    """

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
            DuplicateFamily: two different things have this name.
            BrokenFamily: it cannot be imported, is no ``Family``, or has another name.
        """
        if self.rivals:
            raise DuplicateFamily(self.name, [self.where, *self.rivals])
        found = _imported(self.name, self.target, self.where, Family)
        if found.name != self.name:
            raise BrokenFamily(self.name, self.where, f"it calls itself {found.name!r}")
        return found


def families(offered: Iterable[EntryPoint] | None = None) -> dict[str, Offer]:
    """Return all families by name without importing them: ours first, then the others by name.

    Args:
        offered: entry points of third parties; those of the installed distributions if not given.
    """
    found = {name: Offer(name, target, _OURS) for name, target in BUILT_IN.items()}
    points = entry_points(group=ENTRY_POINT_GROUP) if offered is None else offered
    for point in sorted(points, key=lambda one: one.name):
        offer = Offer(point.name, point.value, point.dist.name if point.dist else "an unnamed distribution")
        other = found.setdefault(offer.name, offer)
        if other.target != offer.target:  # the same thing found twice on the path is no conflict
            found[offer.name] = replace(other, rivals=(*other.rivals, offer.where))
    return found


def family_named(name: str, offered: Iterable[EntryPoint] | None = None) -> Family:
    """Return the family of a name, loaded.

    Args:
        name: as in the configuration.
        offered: see :func:`families`.

    Raises:
        UnknownFamily: there is none.
        DuplicateFamily: two different things have the same name.
        BrokenFamily: it cannot be loaded.
    """
    found = families(offered)
    if name not in found:
        raise UnknownFamily(name, list(found))
    return found[name].load()


def _imported(name: str, target: str, where: str, kind: type[T]) -> T:
    """What a target names.

    Raises:
        BrokenFamily: it cannot be imported, or is no ``kind``.
    """
    try:
        found = EntryPoint(name, target, ENTRY_POINT_GROUP).load()
    except Exception as error:  # a third party's module may raise anything while it is imported
        raise BrokenFamily(name, where, f"{type(error).__name__}: {error}") from error
    if not isinstance(found, kind):
        raise BrokenFamily(name, where, f"it is a {type(found).__name__} and no {kind.__name__}")
    return found

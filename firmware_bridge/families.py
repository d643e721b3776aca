"""The families of devices: ours, and third parties' from the entry point group ``cardshoe.families``.

All stand in one registry as ``name -> module:attribute``, loaded only when used, so that a broken third party disturbs
nobody else. ``docs/firmware-bridge.md`` says how to add one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from drivers.device import Device, DeviceListener
from drivers.errors import BrokenFamily, DuplicateFamily, UnknownFamily
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
"""Our own families, in the form of entry points."""

_OURS: Final = "cardshoe"

Settings = Mapping[str, object]
OpenDevice = Callable[[str, Settings, DeviceListener[Any]], Device]
"""Makes a device, not yet started, of its port's name, its settings and who hears it; raises ``BadSetting``."""
MakeBridge = Callable[[str, str, Settings, Collection[ActKind], Inbox], Bridge[Any]]
"""Makes a bridge of the device's name in the log, its port's name, its settings, what it may be told, and the inbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A kind of device: how to hear it, and what a table needs to know of it.

    Attributes:
        name: as in the configuration; the same as the entry point's.
        summary: one line for ``cardshoe ports``.
        open: makes the device alone, for who only listens.
        make: makes the bridge between such a device and a table.
        line: the serial line that the settings ask for; raises ``BadSetting`` for an unknown key or impossible value.
        commands: what its devices can be told.
        equipment: the only dealing equipment that its devices are; None: any.
        game: the only game whose rules its devices know and follow; None: they know none.
        faults: what its devices' faults mean, by their codes in the log.
        warning: what is allowed and yet hardly meant about settings, one clause; None: nothing.
    """

    name: str
    summary: str
    open: OpenDevice
    make: MakeBridge
    line: Callable[[Settings], SerialSettings]
    commands: tuple[ActKind, ...] = ()
    equipment: EquipmentKind | None = None
    game: Game | None = None
    faults: Mapping[Code, FaultWords] = field(default_factory=dict)
    warning: Callable[[Settings], str | None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Offer:
    """A family that can be loaded.

    Attributes:
        name: its name in a configuration.
        target: ``module:attribute``.
        origin: the distribution that offers it.
    """

    name: str
    target: str
    origin: str

    @property
    def where(self) -> str:
        """Distribution and target, for messages."""
        return f"{self.origin} ({self.target})"

    def load(self) -> Family:
        """Import it.

        Raises:
            BrokenFamily: it cannot be imported, is no ``Family``, or has another name.
        """
        try:
            found = EntryPoint(self.name, self.target, ENTRY_POINT_GROUP).load()
        except Exception as error:  # a third party's module may raise anything while it is imported
            raise BrokenFamily(self.name, self.where, f"{type(error).__name__}: {error}") from error
        if not isinstance(found, Family):
            raise BrokenFamily(self.name, self.where, f"it is a {type(found).__name__} and no Family")
        if found.name != self.name:
            raise BrokenFamily(self.name, self.where, f"it calls itself {found.name!r}")
        return found


def families(offered: Iterable[EntryPoint] | None = None) -> dict[str, Offer]:
    """Return all families by name, without importing them.

    Args:
        offered: entry points of third parties; those of the installed distributions if not given.

    Raises:
        DuplicateFamily: two different things have the same name.
    """
    found = {name: Offer(name, target, _OURS) for name, target in BUILT_IN.items()}
    for point in entry_points(group=ENTRY_POINT_GROUP) if offered is None else offered:
        offer = Offer(point.name, point.value, point.dist.name if point.dist else "an unnamed distribution")
        other = found.setdefault(offer.name, offer)
        if other.target != offer.target:  # the same thing found twice on the path is no conflict
            raise DuplicateFamily(offer.name, [other.where, offer.where])
    return dict(sorted(found.items()))


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

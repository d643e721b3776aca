"""Families of devices that can play at a table: ours, and third parties' (entry point group ``cardshoe.bridges``).

A family's driver tells what a device says (``drivers.families``); its bridge tells what that means at a table.
``docs/firmware-bridge.md`` says how to add one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any, Final

from drivers.offers import Offer, chosen, offers
from drivers.serial_port import SerialSettings
from firmware_bridge.bridge import Bridge
from firmware_bridge.interlock import ActKind
from firmware_bridge.report import Inbox
from regulations.events.vocabulary import EquipmentKind, Game

ENTRY_POINT_GROUP: Final = "cardshoe.bridges"
"""The group under which a distribution offers its bridges."""

BUILT_IN: Final[Mapping[str, str]] = {
    "angel_eye": "firmware_bridge.angel_eye.bridge:FAMILY",
    "bee_tek": "firmware_bridge.bee_tek.bridge:FAMILY",
    "tdp": "firmware_bridge.tdp.bridge:FAMILY",
}
"""Our own, in the form of entry points."""

Settings = Mapping[str, object]
MakeBridge = Callable[[str, str, Settings, Collection[ActKind], Inbox], Bridge[Any]]
"""Makes a bridge of the device's name in the log, its port's name, its settings, what it may be told, and the inbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeFamily:
    """What a table needs to know of a family.

    Attributes:
        name: as in the configuration.
        commands: what its devices can be told.
        line: the serial line that the settings ask for; raises ``BadSetting`` for an unknown key or impossible value.
        make: makes a bridge.
        equipment: the only dealing equipment that its devices are; None: any.
        game: the only game whose rules its devices know and follow; None: they know none.
        warning: what is allowed and yet hardly meant about settings, one clause; None: nothing.
    """

    name: str
    commands: tuple[ActKind, ...]
    line: Callable[[Settings], SerialSettings]
    make: MakeBridge
    equipment: EquipmentKind | None = None
    game: Game | None = None
    warning: Callable[[Settings], str | None] = lambda _: None


def bridge_families(offered: Iterable[EntryPoint] | None = None) -> dict[str, Offer]:
    """Return all families that can play, by name, without importing them.

    Args:
        offered: entry points of third parties; those of the installed distributions if not given.

    Raises:
        DuplicateFamily: two different things have the same name.
    """
    return offers(ENTRY_POINT_GROUP, BUILT_IN, offered)


def bridge_family(name: str, offered: Iterable[EntryPoint] | None = None) -> BridgeFamily:
    """Return the family of a name, loaded.

    Args:
        name: as in the configuration.
        offered: see :func:`bridge_families`.

    Raises:
        UnknownFamily: there is none.
        DuplicateFamily: two different things have the same name.
        BrokenFamily: it cannot be loaded.
    """
    found: BridgeFamily = chosen(name, bridge_families(offered)).load("commands", "line", "make", "equipment", "game")
    return found

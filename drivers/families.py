"""Device families: ours, and third parties' from the entry point group ``cardshoe.drivers``.

``docs/drivers.md`` says how to add one; what lets its devices play at a table is in ``firmware_bridge.families``.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint
from typing import Any, Final, Protocol, TypeVar

from drivers.device import Device, DeviceListener
from drivers.offers import Offer, chosen, offers

ENTRY_POINT_GROUP: Final = "cardshoe.drivers"
"""The group under which a distribution offers its families."""

BUILT_IN: Final[Mapping[str, str]] = {
    "angel_eye": "drivers.angel_eye:FAMILY",
    "bee_tek": "drivers.bee_tek:FAMILY",
    "tdp": "drivers.tdp:FAMILY",
}
"""Our own families, in the form of entry points."""

MessageT_co = TypeVar("MessageT_co", covariant=True)


class Family(Protocol[MessageT_co]):
    """A kind of device. ``MessageT_co`` is what such a device says."""

    @property
    def name(self) -> str:
        """The name in a configuration; the same as the entry point's."""

    @property
    def summary(self) -> str:
        """One line for ``cardshoe ports`` and error messages."""

    def open(self, port_name: str, settings: Mapping[str, object], listener: DeviceListener[MessageT_co]) -> Device:
        """Return the device behind a port, not yet started; it looks the name up at each opening.

        Args:
            port_name: a stable name, see ``drivers.port_names``.
            settings: the family's own keys.
            listener: who hears what the device says.

        Raises:
            BadSetting: an unknown key or an impossible value.
        """


def families(offered: Iterable[EntryPoint] | None = None) -> dict[str, Offer]:
    """Return all families by name, without importing them.

    Args:
        offered: entry points of third parties; those of the installed distributions if not given.

    Raises:
        DuplicateFamily: two different things have the same name.
    """
    return offers(ENTRY_POINT_GROUP, BUILT_IN, offered)


def loaded(offer: Offer) -> Family[Any]:
    """Return the family that is offered.

    Raises:
        BrokenFamily: it cannot be imported, or is no family of this name.
    """
    found: Family[Any] = offer.load("open", "summary")
    return found


def family(name: str) -> Family[Any]:
    """Return the family of a name, loaded.

    Raises:
        UnknownFamily: there is none.
        DuplicateFamily: two different things have the same name.
        BrokenFamily: it cannot be loaded.
    """
    return loaded(chosen(name, families()))

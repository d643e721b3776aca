"""Device families: ours, and third parties' from the entry point group ``cardshoe.drivers``.

Both stand in one table as ``name -> module:attribute``; a family's code is imported only when it is used, so a broken
third party disturbs nobody else. ``docs/drivers.md`` says how to add one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Protocol, TypeVar

from drivers.device import Device, DeviceListener
from drivers.errors import BrokenFamily, DuplicateFamily, UnknownFamily

ENTRY_POINT_GROUP: Final = "cardshoe.drivers"
"""The group under which a distribution offers its families."""

BUILT_IN: Final[Mapping[str, str]] = {
    "angel_eye": "drivers.angel_eye:FAMILY",
    "bee_tek": "drivers.bee_tek:FAMILY",
    "tdp": "drivers.tdp:FAMILY",
}
"""Our own families, in the form of entry points."""

_OURS: Final = "cardshoe"
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


@dataclass(frozen=True, slots=True)
class FamilyEntry:
    """A family that can be loaded.

    Attributes:
        name: its name in a configuration.
        target: ``module:attribute``.
        origin: the distribution that offers it.
    """

    name: str
    target: str
    origin: str

    def load(self) -> Family[Any]:
        """Import the family.

        Raises:
            BrokenFamily: it cannot be imported, or is no family of this name.
        """
        where = f"{self.origin} ({self.target})"
        try:
            family = EntryPoint(self.name, self.target, ENTRY_POINT_GROUP).load()
        except Exception as error:  # a third party's module may raise anything while it is imported
            raise BrokenFamily(self.name, where, f"{type(error).__name__}: {error}") from error
        if not callable(getattr(family, "open", None)) or not isinstance(getattr(family, "summary", None), str):
            raise BrokenFamily(self.name, where, "it has no open() or no summary")
        if getattr(family, "name", None) != self.name:
            raise BrokenFamily(self.name, where, f"it calls itself {getattr(family, 'name', None)!r}")
        loaded: Family[Any] = family
        return loaded


def families(offered: Iterable[EntryPoint] | None = None) -> dict[str, FamilyEntry]:
    """Return all families by name, without importing them.

    Args:
        offered: entry points of third parties; those of the installed distributions if not given.

    Raises:
        DuplicateFamily: two different things have the same name.
    """
    found = {name: FamilyEntry(name, target, _OURS) for name, target in BUILT_IN.items()}
    for point in entry_points(group=ENTRY_POINT_GROUP) if offered is None else offered:
        entry = FamilyEntry(point.name, point.value, point.dist.name if point.dist else "an unnamed distribution")
        other = found.setdefault(entry.name, entry)
        if other.target != entry.target:  # the same thing found twice on the path is no conflict
            origins = [f"{one.origin} ({one.target})" for one in (other, entry)]
            raise DuplicateFamily(entry.name, origins)
    return dict(sorted(found.items()))


def family(name: str) -> Family[Any]:
    """Return the family of a name, loaded.

    Raises:
        UnknownFamily: there is none.
        DuplicateFamily: two different things have the same name.
        BrokenFamily: it cannot be loaded.
    """
    found = families()
    if name not in found:
        raise UnknownFamily(name, list(found))
    return found[name].load()

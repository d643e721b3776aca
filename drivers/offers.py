"""What our own code and other distributions offer under a name, loaded only when it is used.

Both stand in one table as ``name -> module:attribute``, so a broken third party disturbs nobody else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from drivers.errors import BrokenFamily, DuplicateFamily, UnknownFamily

_OURS: Final = "cardshoe"


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be loaded.

    Attributes:
        name: its name in a configuration.
        target: ``module:attribute``.
        origin: the distribution that offers it.
        group: the entry point group.
    """

    name: str
    target: str
    origin: str
    group: str

    @property
    def where(self) -> str:
        """Distribution and target, for messages."""
        return f"{self.origin} ({self.target})"

    def load(self, *needed: str) -> Any:  # noqa: ANN401  a third party's; the caller says of what kind it must be
        """Import it.

        Args:
            needed: attributes that it must have, besides its ``name``.

        Raises:
            BrokenFamily: it cannot be imported, lacks one of them, or has another name.
        """
        try:
            found = EntryPoint(self.name, self.target, self.group).load()
        except Exception as error:  # a third party's module may raise anything while it is imported
            raise BrokenFamily(self.name, self.where, f"{type(error).__name__}: {error}") from error
        missing = [name for name in needed if not hasattr(found, name)]
        if missing:
            raise BrokenFamily(self.name, self.where, f"it has no {' and no '.join(missing)}")
        if getattr(found, "name", None) != self.name:
            raise BrokenFamily(self.name, self.where, f"it calls itself {getattr(found, 'name', None)!r}")
        return found


def offers(group: str, built_in: Mapping[str, str], offered: Iterable[EntryPoint] | None = None) -> dict[str, Offer]:
    """Return all that is offered, by name, without importing it.

    Args:
        group: the entry point group.
        built_in: our own, ``name -> module:attribute``.
        offered: entry points of third parties; those of the installed distributions if not given.

    Raises:
        DuplicateFamily: two different things have the same name.
    """
    found = {name: Offer(name, target, _OURS, group) for name, target in built_in.items()}
    for point in entry_points(group=group) if offered is None else offered:
        origin = point.dist.name if point.dist else "an unnamed distribution"
        offer = Offer(point.name, point.value, origin, group)
        other = found.setdefault(offer.name, offer)
        if other.target != offer.target:  # the same thing found twice on the path is no conflict
            raise DuplicateFamily(offer.name, [other.where, offer.where])
    return dict(sorted(found.items()))


def chosen(name: str, found: Mapping[str, Offer]) -> Offer:
    """Return the offer of a name.

    Raises:
        UnknownFamily: there is none.
    """
    if name not in found:
        raise UnknownFamily(name, list(found))
    return found[name]

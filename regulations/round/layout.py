"""A round's cards laid anew after a misdeal: what a lawful layout is, and the places that a reassignment names."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import UNSET

from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.events.inputs import Reassignment


@dataclass(frozen=True, slots=True)
class Layout:
    """A lawful new layout.

    Attributes:
        laid: the cards at their places, in dealing order.
        newly_burned: those that lay at a place and are burned now.
    """

    laid: Sequence[tuple[Place, Drawn]]
    newly_burned: Sequence[Drawn]

    @property
    def changes_nothing(self) -> bool:
        """Whether every card lies there already."""
        return not self.newly_burned and all(drawn.place == place for place, drawn in self.laid)


def in_dealing_order(laid: dict[Place, Drawn], newly_burned: Sequence[Drawn], places: Sequence[Place]) -> Layout | str:
    """The layout of these cards, if they fill the places from the first one on without a gap; else what is wrong.

    Args:
        laid: the cards by their places.
        newly_burned: those that are burned now.
        places: in dealing order.
    """
    due = places[: len(laid)]
    empty = next((place for place in due if place not in laid), None)
    if empty is not None:
        return f"{empty} would have no card, and one after it has"
    return Layout([(place, laid[place]) for place in due], newly_burned)


def place_of(new: Reassignment) -> Place:
    """The place that a reassignment names; where it names no hand, a seat's only one."""
    if new.to == "burn":
        return BURN_PLACE
    position = 0 if new.position is UNSET else new.position
    seat = 0 if new.seat is UNSET else new.seat
    hand = int(new.to == "seat") if new.hand is UNSET else new.hand
    return Place(new.to, position, seat=seat, hand=hand)

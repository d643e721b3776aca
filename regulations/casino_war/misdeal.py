"""Correcting a misdeal: the round's cards at the places they should have had (74/2005 art. 6.º, reading W8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import UNSET

from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.events.inputs import Reassignment


@dataclass(frozen=True, slots=True)
class Layout:
    """A lawful new layout: the laid cards in dealing order, and those that are burned."""

    laid: list[tuple[Place, Drawn]]
    burned: list[Drawn]

    @property
    def changes_nothing(self) -> bool:
        """Whether every card lies there already."""
        return all(drawn.place == place for place, drawn in self.laid) and not self.newly_burned

    @property
    def newly_burned(self) -> list[Drawn]:
        """The cards that lay at a place and are burned now."""
        return [drawn for drawn in self.burned if drawn.place != BURN_PLACE]


def layout_of(came_out: Sequence[Drawn], wanted: Sequence[Reassignment], places: Sequence[Place]) -> Layout | str:
    """The layout that a reassignment asks for.

    Args:
        came_out: the round's cards in the order in which they left the device.
        wanted: new places; cards that are not named stay where they are.
        places: of the first cards, in dealing order.

    Returns:
        The layout, or what is wrong with it.
    """
    asked = _asked(len(came_out), wanted, places)
    if isinstance(asked, str):
        return asked
    laid: dict[Place, Drawn] = {}
    burned: list[Drawn] = []
    for index, drawn in enumerate(came_out, start=1):
        place = asked.get(index, drawn.place or BURN_PLACE)
        if place == BURN_PLACE:
            burned.append(drawn)
        elif place in laid:
            return f"{place} would get two cards"
        elif drawn.card is None:
            return f"index {index}: nobody knows this card"
        else:
            laid[place] = drawn
    for place in places[: len(laid)]:
        if place not in laid:
            return f"{place} would have no card, and one after it has"
    return Layout([(place, laid[place]) for place in places[: len(laid)]], burned)


def _asked(cards: int, wanted: Sequence[Reassignment], places: Sequence[Place]) -> dict[int, Place] | str:
    """The places that are named, by the cards' indices; or what is wrong with them."""
    asked: dict[int, Place] = {}
    for new in wanted:
        if not 1 <= new.index <= cards:
            return f"index {new.index}: the round has cards 1 to {cards}"
        if new.index in asked:
            return f"index {new.index} stands twice"
        place = _place_of(new)
        if place != BURN_PLACE and place not in places:
            return f"index {new.index}: no card goes to {place} now"
        asked[new.index] = place
    return asked


def _place_of(new: Reassignment) -> Place:
    """The place that is named; a seat has one hand, and need not name it."""
    if new.to == "burn":
        return BURN_PLACE
    only = 1 if new.to == "seat" else 0
    hand = only if new.hand is UNSET else new.hand
    seat = 0 if new.seat is UNSET else new.seat
    return Place(new.to, 0 if new.position is UNSET else new.position, seat=seat, hand=hand)

"""Correcting a misdeal: the round's cards at the places they should have had (74/2005 art. 6.º, reading W8)."""

from collections.abc import Sequence

from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.events.inputs import Reassignment
from regulations.round.layout import Layout, in_dealing_order, place_of


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
    return in_dealing_order(laid, [drawn for drawn in burned if drawn.place != BURN_PLACE], places)


def _asked(cards: int, wanted: Sequence[Reassignment], places: Sequence[Place]) -> dict[int, Place] | str:
    """The places that are named, by the cards' indices; or what is wrong with them."""
    asked: dict[int, Place] = {}
    for new in wanted:
        if not 1 <= new.index <= cards:
            return f"index {new.index}: the round has cards 1 to {cards}"
        if new.index in asked:
            return f"index {new.index} stands twice"
        place = place_of(new)
        if place != BURN_PLACE and place not in places:
            return f"index {new.index}: no card goes to {place} now"
        asked[new.index] = place
    return asked

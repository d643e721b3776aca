"""Correcting a misdeal: each card for the player who should have had it (22/96/M art. 2.º-4)."""

from collections.abc import Sequence

from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.events.inputs import Reassignment
from regulations.round.layout import Layout, in_dealing_order, place_of


def layout_of(
    came_out: Sequence[Drawn], wanted: Sequence[Reassignment], places: Sequence[Place], round_burn: Drawn | None
) -> Layout | str:
    """The layout that a reassignment asks for.

    Args:
        came_out: the round's cards in the order in which they left the device.
        wanted: new places; cards that are not named stay where they are.
        places: of the round, in dealing order.
        round_burn: the card burned at the start of the round (art. 2.º-3), if one was.

    Returns:
        The layout, or what is wrong with it.
    """
    asked: dict[int, Place] = {}
    for new in wanted:
        fault = _fault(new, came_out, places, round_burn)
        if fault is not None or new.index in asked:
            return fault or f"index {new.index} stands twice"
        asked[new.index] = place_of(new)
    laid: dict[Place, Drawn] = {}
    newly_burned: list[Drawn] = []
    for index, drawn in enumerate(came_out, start=1):
        place = asked.get(index, drawn.place)
        if place is None or place not in places:
            newly_burned += [drawn] if drawn.place in places else []
        elif place in laid:
            return f"{place} would get two cards"
        else:
            laid[place] = drawn
    return in_dealing_order(laid, newly_burned, places)


def _fault(
    new: Reassignment, came_out: Sequence[Drawn], places: Sequence[Place], round_burn: Drawn | None
) -> str | None:
    """What is wrong with one card's new place by itself."""
    if not 1 <= new.index <= len(came_out):
        return f"index {new.index}: the round has cards 1 to {len(came_out)}"
    place, drawn = place_of(new), came_out[new.index - 1]
    if drawn.place is None:
        return f"index {new.index}: another irregularity is open about this card"
    if drawn is round_burn and place != BURN_PLACE:
        return f"index {new.index}: the card at the start of a round is burned"
    if place != BURN_PLACE and place not in places:
        return f"index {new.index}: no card goes to {place} in this round"
    return None

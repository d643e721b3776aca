"""Correcting a misdeal: each card for the player who should have had it (22/96/M art. 2.º-4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import UNSET

from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.events.inputs import Reassignment


@dataclass(frozen=True, slots=True)
class Layout:
    """A lawful new layout: the laid cards in dealing order, and the cards that lay at a place and are burned now."""

    laid: list[tuple[Place, Drawn]]
    newly_burned: list[Drawn]

    @property
    def changes_nothing(self) -> bool:
        """Whether every card lies there already."""
        return not self.newly_burned and all(drawn.place == place for place, drawn in self.laid)


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
    due = places[: len(laid)]
    empty = next((place for place in due if place not in laid), None)
    if empty is not None:
        return f"{empty} would have no card, and one after it has"
    return Layout([(place, laid[place]) for place in due], newly_burned)


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


def place_of(new: Reassignment) -> Place:
    """The place that a reassignment names; where it names no hand, a seat's only one."""
    if new.to == "burn":
        return BURN_PLACE
    position = 0 if new.position is UNSET else new.position
    seat = 0 if new.seat is UNSET else new.seat
    hand = int(new.to == "seat") if new.hand is UNSET else new.hand
    return Place(new.to, position, seat=seat, hand=hand)

"""Cards dealt to a place without a wager (89/2004 art. 11.º-4, reading Q10)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from regulations.drawn import Drawn, Owner, Place
from regulations.events.inputs import Reassignment
from regulations.q_poker.law import HAND_CARDS


class Astray(NamedTuple):
    """A card that lies on a place without a wager."""

    drawn: Drawn
    counted_to: Owner
    place: Place


def astray(came_out: Sequence[Drawn], wanted: Sequence[Reassignment], free: Mapping[int, int]) -> list[Astray] | str:
    """The cards that lie on places without a wager, by a reassignment.

    No hand may have got a card after them: its order would be shifted. So they are the last that came out.

    Args:
        came_out: the round's cards in the order in which they left the device.
        wanted: the cards and where they lie.
        free: the seats without a wager, with the number of cards on each.

    Returns:
        The cards in dealing order, or what is wrong with them.
    """
    first = len(came_out) - len(wanted) + 1
    ordered = sorted(wanted, key=lambda one: one.index)
    if [one.index for one in ordered] != list(range(first, len(came_out) + 1)):
        return f"only the last of the round's {len(came_out)} cards, each of them once"
    lying = dict(free)
    found: list[Astray] = []
    for one in ordered:
        drawn, seat = came_out[one.index - 1], one.seat if one.seat is not UNSET else 0
        if one.to != "seat" or seat not in lying or one.hand not in (UNSET, 1):
            return f"index {one.index}: only to a seat without a wager"
        if drawn.place is None or drawn.place.seat in free:
            return f"index {one.index}: this card lies in no hand that plays"
        lying[seat] += 1
        if one.position != lying[seat] or lying[seat] > HAND_CARDS:
            return f"index {one.index}: seat {seat} gets its cards in order, at most {HAND_CARDS}"
        found.append(Astray(drawn, drawn.place.owner, Place("seat", lying[seat], seat=seat, hand=1)))
    return found

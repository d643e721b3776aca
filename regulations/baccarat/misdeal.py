"""Correcting a misdeal: the cards of the round at the places they should have had (55/2004 art. 10.º, reading B11)."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import UNSET

from regulations.baccarat.tableau import DEAL_ORDER, INITIAL_CARDS, third_card_due
from regulations.cards import Card
from regulations.drawn import Drawn, Place
from regulations.events.inputs import Reassignment


@dataclass(frozen=True, slots=True)
class Layout:
    """A lawful new layout: the laid cards in dealing order, and those that are burned."""

    laid: list[tuple[Place, Drawn]]
    burned: list[Drawn]

    def cards(self, side: str) -> list[Card]:
        """The known cards of a hand."""
        return [drawn.card for place, drawn in self.laid if place.to == side and drawn.card is not None]


def layout_of(came_out: Sequence[Drawn], wanted: Sequence[Reassignment]) -> Layout | str:
    """The layout that a reassignment asks for.

    Args:
        came_out: the round's cards in the order in which they left the shoe.
        wanted: new places; cards that are not named stay where they are.

    Returns:
        The layout, or what is wrong with it.
    """
    places: dict[int, Place | None] = {}
    for new in wanted:
        if not 1 <= new.index <= len(came_out):
            return f"index {new.index}: the round has cards 1 to {len(came_out)}"
        if new.index in places:
            return f"index {new.index} stands twice"
        place = _place(new)
        if isinstance(place, str):
            return place
        places[new.index] = place
    laid: dict[Place, Drawn] = {}
    burned: list[Drawn] = []
    for index, drawn in enumerate(came_out, start=1):
        place = places[index] if index in places else _lying(drawn)
        if place is None:
            burned.append(drawn)
        elif place in laid:
            return f"{place} would get two cards"
        else:
            laid[place] = drawn
    ordered = [(place, laid[place]) for place in DEAL_ORDER if place in laid]
    return _unlawful(ordered) or Layout(ordered, burned)


def _place(new: Reassignment) -> Place | str | None:
    if new.to == "burn":
        return None
    if new.to not in ("player", "banker") or new.position is UNSET:
        return f"index {new.index}: a card goes to player or banker with a position from 1 to 3, or is burned"
    place = Place(new.to, new.position)
    return place if place in DEAL_ORDER else f"index {new.index}: there is no {new.to} {new.position}"


def _lying(drawn: Drawn) -> Place | None:
    return drawn.place if drawn.place in DEAL_ORDER else None


def _unlawful(ordered: Sequence[tuple[Place, Drawn]]) -> str | None:
    hands: dict[str, list[Card]] = {"player": [], "banker": []}
    for count, (place, drawn) in enumerate(ordered):
        if count < 2 * INITIAL_CARDS:
            due: Place | None = DEAL_ORDER[count]
        elif sum(map(len, hands.values())) < count:
            return f"a card that nobody knows decides whether {place} is due"
        else:
            side = third_card_due(hands["player"], hands["banker"])
            due = Place(side, INITIAL_CARDS + 1) if side is not None else None
        if place != due:
            return f"{place} has a card" + (f" and {due} has none" if due else " too many")
        if drawn.card is not None:
            hands[place.to].append(drawn.card)
    return None

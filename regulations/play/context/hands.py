"""The hands on the table by owner."""

from operator import attrgetter
from typing import Final

from regulations.events.cards import Card
from regulations.play.context.drawn_card import BURN_PLACE, CardOwner, CardPosition, DrawnCard

_IS_OPEN: Final = attrgetter("is_open")
_NONE: Final[list[DrawnCard]] = []


class Hands:
    def __init__(self) -> None:
        self._hands: Final[dict[CardOwner, list[DrawnCard]]] = {}
        self.laid: int
        self.concerned: CardOwner
        self.clear()

    def __contains__(self, owner: object) -> bool:
        return owner in self._hands

    def clear(self) -> None:
        self._hands.clear()
        self.laid, self.concerned = 0, BURN_PLACE.owner

    def lay(self, place: CardPosition, drawn: DrawnCard) -> None:
        """Lays the next card of a hand."""
        drawn.place, self.concerned = place, place.owner
        self._hands.setdefault(self.concerned, []).append(drawn)
        self.laid += 1

    def move(self, owner: CardOwner, index: int, place: CardPosition) -> None:
        """Moves a card of a hand to another place, as its next card (a split)."""
        drawn = self._hands[owner].pop(index)
        self.lay(place, drawn)

    def of(self, owner: CardOwner) -> list[DrawnCard]:
        """An owner's cards; none if nothing was dealt to it."""
        return self._hands.get(owner, [])

    def size(self, owner: CardOwner) -> int:
        return len(self._hands.get(owner, _NONE))

    def cards(self, owner: CardOwner) -> list[Card]:
        return [drawn.card for drawn in self._hands.get(owner, _NONE) if drawn.card is not None]

    def open_cards(self, owner: CardOwner) -> list[Card]:
        return [card for drawn in self.of(owner) if (card := drawn.shown) is not None]

    def hides_any(self, owner: CardOwner) -> bool:
        return not all(map(_IS_OPEN, self._hands.get(owner, _NONE)))

    def first_hidden(self) -> CardOwner | None:
        for owner, hand in self._hands.items():
            for drawn in hand:
                if not drawn.is_open:
                    return owner
        return None

    def hidden(self, owner: CardOwner) -> list[DrawnCard]:
        """An owner's cards that lie face down, in dealing order."""
        return [drawn for drawn in self.of(owner) if not drawn.is_open]

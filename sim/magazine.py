"""The cards in a device: a stack with the cut card, and a mouth."""

from collections import Counter, deque
from collections.abc import Sequence
from enum import Enum
from typing import Final

from regulations.events.cards import Card
from sim.draws import ShoeMisuse


def must_have(cards: Sequence[Card], wanted: Sequence[Card | None]) -> None:
    missing = Counter(card for card in wanted if card is not None) - Counter(cards)
    if missing or len(wanted) > len(cards):
        raise ShoeMisuse(f"it does not have {' '.join(missing.elements()) or f'{len(wanted)} cards'}")


class CutCardMarker(Enum):
    CUT_CARD = "cut card"


CUT_CARD: Final = CutCardMarker.CUT_CARD
Item = Card | CutCardMarker


class Magazine:
    """The mouth comes first."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._has_cut_card = False

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """``cut_card_behind``: 0 to all; ``None``: no cut card."""
        if self._items:
            raise ValueError(f"{self.cards_left} cards are still in the shoe: take them out first")
        if cut_card_behind is not None and not 0 <= cut_card_behind <= len(cards):
            raise ValueError(f"no place for the cut card behind {cut_card_behind} of {len(cards)} cards")
        self._items.extend(cards)
        if cut_card_behind is not None:
            self._items.insert(len(cards) - cut_card_behind, CUT_CARD)
            self._has_cut_card = True

    def put_behind(self, cards: Sequence[Card]) -> None:
        self._items.extend(cards)

    def arrange(self, cards: Sequence[Card | None]) -> None:
        """Each changes places with another; ``None``: any card."""
        must_have(self.cards, cards)
        places = [at for at, item in enumerate(self._items) if item is not CUT_CARD]
        for number, card in enumerate(cards):
            if card is not None:
                at = next(place for place in places[number:] if self._items[place] == card)
                self._items[at], self._items[places[number]] = self._items[places[number]], card

    def swap_first(self, card: Card) -> bool:
        """False: the card is not here."""
        if card not in self._items:
            return False
        at = self._items.index(card)
        self._items[0], self._items[at] = card, self._items[0]
        return True

    def replace_first(self, card: Card) -> Card:
        first = self.cards[0]
        self._items[self._items.index(first)] = card
        return first

    @property
    def next(self) -> Item | None:
        """The item at the mouth; ``None``: empty."""
        return self._items[0] if self._items else None

    @property
    def has_card_below(self) -> bool:
        return len(self._items) > 1 and CUT_CARD not in (self._items[0], self._items[1])

    def draw_item(self) -> Item | None:
        if not self._items:
            return None
        item = self._items.popleft()
        self._has_cut_card &= item is not CUT_CARD
        return item

    def draw_card_below(self) -> Card | None:
        if self._items and not isinstance(self._items[0], CutCardMarker):
            card = self._items[0]
            self._items.popleft()
            return card
        return None

    def unload(self) -> list[Card]:
        cards = list(self.cards)
        self._items.clear()
        self._has_cut_card = False
        return cards

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(item for item in self._items if item is not CUT_CARD)

    @property
    def cards_left(self) -> int:
        return len(self._items) - self._has_cut_card

    @property
    def cards_before_cut_card(self) -> int | None:
        """``None`` if the cut card is not in the shoe."""
        return self._items.index(CUT_CARD) if self._has_cut_card else None

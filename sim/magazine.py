"""The cards in a device: a stack with the cut card, and a mouth."""

from collections import Counter, deque
from collections.abc import Sequence
from enum import Enum
from typing import Final

from regulations.events.cards import Card
from sim.draws import ShoeMisuse


def must_have(cards: Sequence[Card], wanted: Sequence[Card | None]) -> None:
    """Refuse cards that are not among those of a device.

    Raises:
        ShoeMisuse: they are not in it.
    """
    missing = Counter(card for card in wanted if card is not None) - Counter(cards)
    if missing or len(wanted) > len(cards):
        raise ShoeMisuse(f"it does not have {' '.join(missing.elements()) or f'{len(wanted)} cards'}")


class CutCardMarker(Enum):
    """Marker of the cut card among cards."""

    CUT_CARD = "cut card"


CUT_CARD: Final = CutCardMarker.CUT_CARD
Item = Card | CutCardMarker


class Magazine:
    """The stack in a shoe, dealing box or shuffler, the mouth first."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._has_cut_card = False

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack in.

        Args:
            cut_card_behind: cards that lie behind the cut card, 0 to all; ``None``: no cut card.

        Raises:
            ValueError: there are cards in it, or the cut card does not fit.
        """
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
        """Let these cards come next, in this order, each by changing places with another; ``None``: any card.

        Raises:
            ShoeMisuse: they are not in it.
        """
        must_have(self.cards, cards)
        places = [at for at, item in enumerate(self._items) if item is not CUT_CARD]
        for number, card in enumerate(cards):
            if card is not None:
                at = next(place for place in places[number:] if self._items[place] == card)
                self._items[at], self._items[places[number]] = self._items[places[number]], card

    def swap_first(self, card: Card) -> bool:
        """Let ``card`` change places with the first item; false: it is not here."""
        if card not in self._items:
            return False
        at = self._items.index(card)
        self._items[0], self._items[at] = card, self._items[0]
        return True

    def replace_first(self, card: Card) -> Card:
        """Put ``card`` into the place of the first card, which is returned."""
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
        """Take what lies in the mouth; ``None`` from an empty shoe."""
        if not self._items:
            return None
        item = self._items.popleft()
        self._has_cut_card &= item is not CUT_CARD
        return item

    def draw_card_below(self) -> Card | None:
        """Take the next one as well, if it is a card: a double feed."""
        if self._items and not isinstance(self._items[0], CutCardMarker):
            card = self._items[0]
            self._items.popleft()
            return card
        return None

    def unload(self) -> list[Card]:
        """Open it and take all cards out, and the cut card."""
        cards = list(self.cards)
        self._items.clear()
        self._has_cut_card = False
        return cards

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in it, the mouth first, without the cut card."""
        return tuple(item for item in self._items if item is not CUT_CARD)

    @property
    def cards_left(self) -> int:
        """How many cards are in it, the cut card not counted."""
        return len(self._items) - self._has_cut_card

    @property
    def cards_before_cut_card(self) -> int | None:
        """Cards that come out before the cut card; ``None`` if it is not in the shoe."""
        return self._items.index(CUT_CARD) if self._has_cut_card else None

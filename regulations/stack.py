"""The cards that came out of the dealing equipment, counted against the decks that went in (reading G9)."""

from collections import Counter
from copy import deepcopy
from typing import Final, Self

from regulations.cards import CARDS_PER_DECK, Card


class Stack:
    """The multiset of the cards that are out, and how many of them nobody knows.

    Args:
        decks: decks of 52 cards in the stack, at least 1.
    """

    def __init__(self, decks: int) -> None:
        self.decks: Final = decks
        self.size: Final = decks * CARDS_PER_DECK
        self._seen: Counter[Card] = Counter()
        self.out = 0
        """Cards that came out since the stack was loaded or its cards were returned."""
        self.uncertain = 0
        """Up to so many more cards may be out that nobody reported (a device joined in mid-round)."""
        self.counted = 0
        """The device's own running count as last heard."""

    @property
    def left(self) -> int:
        """Cards that must still be in the equipment, if no unreported one is out."""
        return self.size - self.out

    def take_out(self, card: Card | None) -> None:
        """Counts a card that came out; ``None`` if nobody knows which."""
        self.out += 1
        if card is not None:
            self._seen[card] += 1

    def identify(self, card: Card | None, *, instead_of: Card | None = None) -> None:
        """Names a card that is already counted as out, or corrects what it was taken for; ``None``: nobody knows it."""
        if instead_of is not None:
            self._seen[instead_of] -= 1
        if card is not None:
            self._seen[card] += 1

    def forget(self, card: Card | None) -> None:
        """A card that was counted as out never left; the device's own count goes on."""
        self.out -= 1
        if card is not None:
            self._seen[card] -= 1

    def as_of(self, out: int) -> Self:
        """The stack as it was when so many cards were out, but for which they were."""
        past = deepcopy(self)
        past.out = out
        return past

    def copies_out(self, card: Card) -> int:
        """How many copies of this card are out."""
        return self._seen[card]

    def is_surplus(self, card: Card) -> bool:
        """Whether more copies of this card are out than the decks hold."""
        return self._seen[card] > self.decks

    def gap_before(self, count: int) -> int:
        """How many cards the device counted that nobody reported, by the count it gives with this card."""
        return count - self.counted - 1

    def put_back(self) -> None:
        """All cards are in the equipment again; the device's own count goes on."""
        self._seen.clear()
        self.out = 0
        self.uncertain = 0

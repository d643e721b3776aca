"""The cards that came out of the dealing equipment, counted against the decks that went in (reading G9)."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final, Self

from msgspec import Struct, structs

from regulations.events.cards import CARDS_PER_DECK, Card
from regulations.play.context.drawn_card import DrawnCard


class ManualCard(Struct, frozen=True):
    """A card that a person entered where one was called for, and that no device has told.

    Attributes:
        first: the lowest permit of that call.
        last: the highest that had been given by then.
        drawn: the card.
    """

    first: int
    last: int
    drawn: DrawnCard


class Stack:
    """The multiset of the cards that are out, and how many of them nobody knows.

    Args:
        decks: decks of 52 cards in the stack, at least 1.
    """

    def __init__(self, decks: int) -> None:
        self.decks: Final = decks
        self.size: Final = decks * CARDS_PER_DECK
        self._seen: Counter[Card | None] = Counter()
        self.out = 0
        """Cards that came out since the stack was loaded or its cards were returned."""
        self.uncertain = 0
        """Up to so many more cards may be out that nobody reported (a device joined in mid-round)."""
        self.counted = 0
        """The device's own running count as last heard."""
        self.round_began: int
        """Cards that were out before the open round's first card."""
        self._told: list[DrawnCard] = []
        self._entered: list[ManualCard] = []

    @property
    def left(self) -> int:
        """Cards that must still be in the equipment, if no unreported one is out; none where it counts too many."""
        left = self.size - self.out
        return max(0, left)

    def count_out(self, drawn: DrawnCard) -> None:
        """Counts a card that came out."""
        self.out += 1
        self._told.append(drawn)
        if drawn.card is not None:
            self._seen[drawn.card] += 1

    def name(self, drawn: DrawnCard, card: Card) -> None:
        """Names a card that is already counted as out, or corrects what it was taken for."""
        if drawn.card is not None:
            self._seen[drawn.card] -= 1
        drawn.card = card
        self._seen[card] += 1

    def replace(self, before: DrawnCard, drawn: DrawnCard) -> None:
        """The same card, laid again after a correction; it may have another name."""
        self._told = [drawn if one is before else one for one in self._told]
        self._entered = [structs.replace(one, drawn=drawn) if one.drawn is before else one for one in self._entered]
        for card, more in ((before.card, -1), (drawn.card, 1)):
            if card is not None:
                self._seen[card] += more

    def forget(self, drawn: DrawnCard) -> None:
        """A card that was counted as out never left; the device's own count goes on."""
        self.out -= 1
        self._told = [one for one in self._told if one is not drawn]
        self._entered = [one for one in self._entered if one.drawn is not drawn]
        if drawn.card is not None:
            self._seen[drawn.card] -= 1

    def enter(self, drawn: DrawnCard, first: int, last: int) -> None:
        """Notes that a person entered a card for which the permits from ``first`` to ``last`` were given."""
        self._entered.append(ManualCard(first, last, drawn))

    @property
    def waits_for_device(self) -> bool:
        """True if a device may still tell a card that a person entered."""
        return bool(self._entered)

    def entered_for(self, permit: int) -> DrawnCard | None:
        """The card that a person entered for which this permit was given; a device tells it once."""
        found = next((one for one in self._entered if one.first <= permit <= one.last), None)
        if found is None:
            return None
        self._entered.remove(found)
        return found.drawn

    def before_the_round(self) -> Self:
        """The stack as it was before the round, without the names of the cards that were out."""
        past = type(self)(self.decks)
        past.out = self.round_began
        return past

    def find(self, cards: Sequence[Card], before: DrawnCard) -> list[DrawnCard]:
        """Names cards that are counted as out and left before this one, and of which nobody told."""
        first = before.left - len(cards)
        blocked = before.left_blocked
        found = [
            DrawnCard(card=card, left=first + number, was_named=True, left_blocked=blocked)
            for number, card in enumerate(cards)
        ]
        at = next(number for number, one in enumerate(self._told) if one is before)
        self._told[at:at] = found
        self._seen.update(cards)
        return found

    def copies_open(self, card: Card, besides: Collection[DrawnCard] = ()) -> int:
        """How many copies of this card all can see, or could.

        What may be asked of a person, or refused, goes by this and not by the cards that lie face down (reading G8).

        Args:
            card: which.
            besides: cards that do not count: which they are is still open.
        """
        copies = [drawn for drawn in self._told if drawn.card == card and drawn.shown is not None]
        return sum(1 for drawn in copies if not any(drawn is one for one in besides))

    def is_surplus(self, drawn: DrawnCard) -> bool:
        """True if with this card more copies of it have left than the decks hold, where any deck is in.

        Of a card that nobody knows no copies are counted. Against one that no device has read only copies that lie open
        count: else whoever types cards could find out which lie face down (reading G8).
        """
        if not self.decks or self._seen[drawn.card] <= self.decks:
            return False
        copies = [one for one in self._told if one.card == drawn.card]
        if not drawn.was_read:
            copies = [one for one in copies if one is drawn or one.shown is not None]
        return any(one is drawn for one in copies[self.decks :])

    def gap_before(self, count: int) -> int:
        """How many cards the device counted that nobody reported, by the count it gives with this card."""
        return count - self.counted - 1

    def end_doubt(self, left: int) -> None:
        """So many cards were counted as left: it is known again how many are out."""
        self.out, self.uncertain = self.size - left, 0

    def put_back(self, *, may_be_told: Callable[[int], bool]) -> None:
        """All cards are in the equipment again; the device's own count goes on.

        Args:
            may_be_told: whether a device may still tell, by such a permit, a card that a person entered.
        """
        self._seen.clear()
        self._told.clear()
        self._entered = [one for one in self._entered if may_be_told(one.first)]
        self.out = self.uncertain = 0

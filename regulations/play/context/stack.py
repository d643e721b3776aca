"""Cards that came out, counted against the decks (reading G9)."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Final

from msgspec import Struct, structs

from regulations.events.cards import CARDS_PER_DECK, Card
from regulations.play.context.drawn_card import DrawnCard


class ManualCard(Struct, frozen=True):
    first: int
    last: int
    drawn: DrawnCard


class Stack:
    def __init__(self, decks: int) -> None:
        self.decks: Final = decks
        self.size: Final = decks * CARDS_PER_DECK
        self._copies: Final[defaultdict[Card | None, list[DrawnCard]]] = defaultdict(list)
        self.out = 0
        """Since the stack was loaded or its cards were returned."""
        self.uncertain = 0
        self.counted = 0
        self.round_began: int
        self._entered: list[ManualCard] = []

    @property
    def left(self) -> int:
        """Cards that must still be in the equipment, if no unreported one is out; none where it counts too many."""
        left = self.size - self.out
        return max(0, left)

    def count_out(self, drawn: DrawnCard) -> None:
        self.out += 1
        self._copies[drawn.card].append(drawn)

    def name(self, drawn: DrawnCard, card: Card | None) -> None:
        self._remove(drawn)
        drawn.card = card
        self._copies[drawn.card].append(drawn)

    def replace(self, before: DrawnCard, drawn: DrawnCard) -> None:
        """The same card, laid again after a correction; it may have another name."""
        self._remove(before)
        self._copies[drawn.card].append(drawn)
        self._entered = [structs.replace(one, drawn=drawn) if one.drawn is before else one for one in self._entered]

    def forget(self, drawn: DrawnCard) -> None:
        """Remove a card that never left; the device's count stays."""
        self.out -= 1
        self._remove(drawn)
        self._entered = [one for one in self._entered if one.drawn is not drawn]

    def _remove(self, drawn: DrawnCard) -> None:
        self._copies[drawn.card] = [one for one in self._copies[drawn.card] if one is not drawn]

    def forget_hidden(self) -> None:
        for drawn in [one for copies in self._copies.values() for one in copies]:
            if drawn.shown is None:
                self.name(drawn, None)
                drawn.unseen = True

    def enter(self, drawn: DrawnCard, first: int, last: int) -> None:
        """Record a typed card and the permits given for it."""
        self._entered.append(ManualCard(first, last, drawn))

    @property
    def waits_for_device(self) -> bool:
        return bool(self._entered)

    def entered_for(self, permit: int) -> DrawnCard | None:
        found = next((one for one in self._entered if one.first <= permit <= one.last), None)
        if found is None:
            return None
        self._entered.remove(found)
        return found.drawn

    def find(self, cards: Sequence[Card], before: DrawnCard) -> list[DrawnCard]:
        first = before.left - len(cards)
        blocked = before.left_blocked
        found = [DrawnCard(card=card, left=first + number, left_blocked=blocked) for number, card in enumerate(cards)]
        for one in found:
            self._copies[one.card].append(one)
        return found

    def copies_open(self, card: Card, besides: Collection[DrawnCard] = ()) -> int:
        copies = [drawn for drawn in self._copies.get(card, ()) if drawn.shown is not None]
        return sum(1 for drawn in copies if not any(drawn is one for one in besides))

    def is_surplus(self, drawn: DrawnCard) -> bool:
        """More have left than the decks hold; against persons only open copies count (reading G8)."""
        hides = drawn.was_named or not drawn.was_read
        copies = self._copies[drawn.card]
        return len([one for one in copies if one.left < drawn.left and not (hides and one.shown is None)]) >= self.decks

    def gap_before(self, count: int) -> int:
        return count - self.counted - 1

    def end_doubt(self, left: int) -> None:
        self.out, self.uncertain = self.size - left, 0

    def put_back(self, *, may_be_told: Callable[[int], bool]) -> None:
        self._copies.clear()
        self._entered = [one for one in self._entered if may_be_told(one.first)]
        self.out = self.uncertain = 0

"""The card reader of a device: its readings of the cards that pass it."""

from collections import deque
from typing import Final, NamedTuple

from protocols.tdp.codes import Face
from regulations.events.cards import Card

CONFIDENT: Final = 99
DOUBTFUL: Final = 62
UNREAD_MAX: Final = 3
"""Then the device takes its reader for dirty."""


class CardReading(NamedTuple):
    card: Card | None
    confidence: int
    foreign: bool = False

    @property
    def face(self) -> Face:
        """How the card lies, as far as the reader can see."""
        return Face.UNKNOWN if self.card is None else Face.DOWN


NOTHING: Final = CardReading(None, 0)
FOREIGN: Final = CardReading(None, 0, foreign=True)


class CardReader:
    def __init__(self, *, reads: bool) -> None:
        self.reads: Final = reads
        self.unread_in_a_row = 0
        self._next: deque[CardReading] = deque()

    def scan(self, card: Card) -> CardReading:
        """Read a card."""
        reading = self._next.popleft() if self._next else CardReading(card, CONFIDENT)
        if not self.reads:
            return NOTHING
        self.unread_in_a_row = 0 if reading.card is not None else self.unread_in_a_row + 1
        return reading

    def fail_next(self) -> None:
        self._next.append(NOTHING)

    def misread_next(self, card: Card) -> None:
        self._next.append(CardReading(card, DOUBTFUL))

    def foreign_next(self) -> None:
        self._next.append(FOREIGN)

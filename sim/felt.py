"""The cards outside a device: on the table, in the rack, as a stack."""

from collections import Counter
from collections.abc import Iterable, Sequence

from regulations.events.cards import DECK, Card
from sim.shuffling import Shuffling


class CardTable:
    def __init__(self, decks: int) -> None:
        if decks < 1:
            raise ValueError(f"{decks} decks: at least 1")
        self.decks = decks
        self.stack: list[Card] = list(DECK) * decks
        """The first comes out of the shoe first."""
        self.laid: list[Card] = []
        """In the order in which they left the device."""
        self.rack: list[Card] = []
        self.mix = Shuffling()

    def gather(self, more: Iterable[Card]) -> None:
        """Put everything, and ``more`` from the device, onto one stack."""
        self.stack = [*self.stack, *self.rack, *self.laid, *more]
        self.rack = []
        self.laid = []

    def collect(self, keep: int = 0, order: Sequence[int] = ()) -> None:
        """Put the cards of a round into the discard rack, but for the last ``keep``."""
        end = max(len(self.laid) - keep, 0)
        before = end - len(order)
        picked = self.laid[:end]
        if order and before >= 0:
            picked = [*picked[:before], *(picked[before + index] for index in order)]
        self.rack += picked
        self.laid = self.laid[end:]

    def count(self, in_device: Iterable[Card]) -> Counter[Card]:
        return Counter([*self.stack, *self.laid, *self.rack, *in_device])

    def is_complete(self, in_device: Iterable[Card]) -> bool:
        # As plain dictionaries: a Counter compares itself card by card in Python, and a table in a test asks each time.
        return dict(self.count(in_device)) == dict.fromkeys(DECK, self.decks)

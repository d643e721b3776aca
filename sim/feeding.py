"""A shoe with a magazine and a reader."""

from abc import ABC, abstractmethod
from collections import deque
from typing import Final, NamedTuple

from regulations.events.cards import Card
from sim.draws import Draw, PulledCard
from sim.magazine import CutCardMarker, Magazine


class FedReading(NamedTuple):
    card: Card | None
    error: int | None = None


class ReadingFeed(Magazine, ABC):
    def __init__(self) -> None:
        super().__init__()
        self._readings: Final[deque[FedReading]] = deque()
        self._double_feed = False

    def draw(self) -> Draw:
        item = self.draw_item()
        if item is None:
            return Draw()
        if isinstance(item, CutCardMarker):
            self._cut_card_passes()
            return Draw(cut_card=True)
        below = self.draw_card_below() if self._double_feed else None
        self._double_feed = False
        out = PulledCard(item, self._card_passes(item))
        # The reader sees only the upper one of two.
        return Draw((out,) if below is None else (out, PulledCard(below, None)))

    def misread_next(self, card: Card) -> None:
        self._readings.append(FedReading(card))

    def double_feed_next(self) -> None:
        self._double_feed = True

    def _read(self, card: Card) -> FedReading:
        return self._readings.popleft() if self._readings else FedReading(card)

    @abstractmethod
    def _card_passes(self, card: Card) -> Card | None:
        """Read a card that leaves, and report it; return what was reported."""

    def _cut_card_passes(self) -> None:
        """The cut card leaves."""

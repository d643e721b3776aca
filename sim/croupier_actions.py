"""Hands at a table, whatever the equipment."""

import random
from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar

from regulations.events.cards import Card
from sim.draws import Draw, PulledCard, ShoeMisuse
from sim.felt import CardTable
from sim.magazine import Magazine
from sim.shuffling import Shuffling


class DealingDevice(Protocol):
    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in it, for tests."""

    @property
    def cards_left(self) -> int:
        """How many cards are in it, without the cut card."""

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack in; ``cut_card_behind`` ``None``: without a cut card."""

    def unload(self) -> list[Card]:
        """Take all cards out, and the cut card."""

    def draw(self) -> Draw:
        """Pull: a card, the cut card, or nothing."""


D_co = TypeVar("D_co", bound=DealingDevice, covariant=True)


class CroupierActions(Generic[D_co]):
    def __init__(self, device: D_co, felt: CardTable) -> None:
        self.device: Final = device
        self.felt: Final = felt
        self.out: list[PulledCard] = []
        self.history: list[PulledCard] = []
        self._cut_card_behind: int | None = None

    @property
    def last_card_in_hand(self) -> Card | None:
        return self.out[-1].card if self.out else None

    @property
    def cards_are_complete(self) -> bool:
        """Exactly the decks that came to the table."""
        return self.felt.is_complete(self.device.cards)

    @property
    def shuffles_itself(self) -> bool:
        return False

    # --- the stack --------------------------------------------------------------------------------------------------

    def shuffle_by(self, way: Shuffling) -> None:
        self.felt.mix = way

    def shuffle(self, rng: random.Random) -> None:
        if self.shuffles_itself:
            self.put_in_all()
            return
        self.felt.gather(self.device.unload())
        self.felt.stack = self.felt.mix(self.felt.stack, rng)
        self._cut_card_behind = None
        self.out = []

    def put_in_all(self) -> None:
        self.felt.gather(self.device.unload())
        self.out = []
        self.load()

    def cut(self, rng: random.Random) -> None:
        stack = self.felt.stack
        if len(stack) > 1:
            at = rng.randrange(1, len(stack))
            self.felt.stack = stack[at:] + stack[:at]

    def place_cut_card(self, behind: int) -> None:
        """``behind``: 0 to all."""
        self._cut_card_behind = behind

    def make_ready(self) -> None:
        """Do what the device needs before it can be loaded."""

    def load(self) -> int:
        stack, self.felt.stack = self.felt.stack, []
        self.device.load(stack, self._cut_card_behind)
        return len(stack)

    def arrange(self, cards: Sequence[Card | None]) -> None:
        """``None``: any card."""
        device: object = self.device
        if not isinstance(device, Magazine):
            raise ShoeMisuse("its cards cannot be arranged")
        device.arrange(cards)

    # --- cards ------------------------------------------------------------------------------------------------------

    def draw(self) -> Draw:
        return self._record_draw(self.device.draw())

    def confirm_result(self) -> None:
        """Press what ends the round at the device, if it waits for that."""

    def hold_back(self, cards: Sequence[Card]) -> None:
        for card in cards:
            self.felt.laid.remove(card)
            self.felt.laid.append(card)

    def collect(self, keep: int = 0, order: Sequence[int] = ()) -> None:
        """Put the cards on the table into the discard rack: see `CardTable.collect`."""
        self.felt.collect(keep, order)

    def return_cards(self) -> int:
        cards = len(self.felt.laid) + len(self.felt.rack)
        self.felt.gather(())
        return cards

    def _record_draw(self, pulled: Draw) -> Draw:
        self.out += pulled.cards
        self.history += pulled.cards
        self.felt.laid += [out.card for out in pulled.cards]
        return pulled

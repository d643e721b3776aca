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
    """Dealing equipment as hands know it."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in it, for tests."""

    @property
    def cards_left(self) -> int:
        """How many cards are in it, the cut card not counted."""

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack in, with a cut card before its last ``cut_card_behind`` cards, or without one."""

    def unload(self) -> list[Card]:
        """Take all cards out, and the cut card."""

    def draw(self) -> Draw:
        """Pull: a card, the cut card, or nothing from an empty device."""


D_co = TypeVar("D_co", bound=DealingDevice, covariant=True)


class CroupierActions(Generic[D_co]):
    """Hands at a table with one device."""

    def __init__(self, device: D_co, felt: CardTable) -> None:
        self.device: Final = device
        self.felt: Final = felt
        self.out: list[PulledCard] = []
        """The cards pulled since the stack was last loaded, in order, each with what the device told of it."""
        self.history: list[PulledCard] = []
        """The same since the hands came to the table: it is never emptied."""
        self._cut_card_behind: int | None = None

    @property
    def last_card_in_hand(self) -> Card | None:
        """The card that was pulled last; ``None`` if none was since the stack was loaded."""
        return self.out[-1].card if self.out else None

    @property
    def cards_are_complete(self) -> bool:
        """True if device, table and discard rack together hold exactly the decks that came to the table."""
        return self.felt.is_complete(self.device.cards)

    @property
    def shuffles_itself(self) -> bool:
        return False

    # --- the stack --------------------------------------------------------------------------------------------------

    def shuffle_by(self, way: Shuffling) -> None:
        """Have hands, or the device that shuffles, do it in a way from now on.

        Raises:
            ValueError: the device cannot.
        """
        self.felt.mix = way

    def shuffle(self, rng: random.Random) -> None:
        """Gather all cards and shuffle them, or load the device that does."""
        if self.shuffles_itself:
            self.put_in_all()
            return
        self.felt.gather(self.device.unload())
        self.felt.stack = self.felt.mix(self.felt.stack, rng)
        self._cut_card_behind = None
        self.out = []

    def put_in_all(self) -> None:
        """Gather all cards, from the device too, and put them into it."""
        self.felt.gather(self.device.unload())
        self.out = []
        self.load()

    def cut(self, rng: random.Random) -> None:
        """Cut the stack somewhere, both parts at least one card."""
        stack = self.felt.stack
        if len(stack) > 1:
            at = rng.randrange(1, len(stack))
            self.felt.stack = stack[at:] + stack[:at]

    def place_cut_card(self, behind: int) -> None:
        """Put the cut card before the last ``behind`` cards, 0 to all."""
        self._cut_card_behind = behind

    def make_ready(self) -> None:
        """Do what the device needs before it can be loaded, if anything."""

    def load(self) -> int:
        """Put the stack into the device; return how many cards it has."""
        stack, self.felt.stack = self.felt.stack, []
        self.device.load(stack, self._cut_card_behind)
        return len(stack)

    def arrange(self, cards: Sequence[Card | None]) -> None:
        """Let these cards of the device come next, in this order; ``None``: any card.

        Raises:
            ShoeMisuse: they are not in it, or it cannot be arranged.
        """
        device: object = self.device
        if not isinstance(device, Magazine):
            raise ShoeMisuse("its cards cannot be arranged")
        device.arrange(cards)

    # --- cards ------------------------------------------------------------------------------------------------------

    def draw(self) -> Draw:
        """Pull from the device and lay what comes on the table."""
        return self._record_draw(self.device.draw())

    def confirm_result(self) -> None:
        """Press what ends the round at the device, if it waits for that."""

    def hold_back(self, cards: Sequence[Card]) -> None:
        """Lay these cards of the table apart."""
        for card in cards:
            self.felt.laid.remove(card)
            self.felt.laid.append(card)

    def collect(self, keep: int = 0, order: Sequence[int] = ()) -> None:
        """Put the cards on the table into the discard rack: see `CardTable.collect`."""
        self.felt.collect(keep, order)

    def return_cards(self) -> int:
        """Gather the used cards, to be put back; return how many they are."""
        cards = len(self.felt.laid) + len(self.felt.rack)
        self.felt.gather(())
        return cards

    def _record_draw(self, pulled: Draw) -> Draw:
        self.out += pulled.cards
        self.history += pulled.cards
        self.felt.laid += [out.card for out in pulled.cards]
        return pulled

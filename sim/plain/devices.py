"""A plain shoe, dealing box, shuffler and shuffler-dealer, without a line to a host."""

import random
from collections.abc import Sequence
from typing import Final, Protocol

from regulations.events.cards import Card
from regulations.events.vocabulary import EquipmentKind
from sim.croupier_actions import DealingDevice
from sim.draws import Draw, PulledCard
from sim.magazine import CutCardMarker, Magazine
from sim.shuffling import Shuffling


class PlainDevice(DealingDevice, Protocol):
    """Dealing equipment without electronics."""

    @property
    def shuffles_itself(self) -> bool:
        """True if it shuffles the cards that are put into it."""

    def return_cards(self, cards: Sequence[Card]) -> None:
        """Take used cards back."""


class PlainStack(Magazine):
    """A shoe or dealing box; the cut card is a pull of its own."""

    def __init__(self, *, reads: bool) -> None:
        super().__init__()
        self._reads: Final = reads

    @property
    def shuffles_itself(self) -> bool:
        return False

    def draw(self) -> Draw:
        """Pull: a card, the cut card, or nothing if it is empty."""
        item = self.draw_item()
        if isinstance(item, CutCardMarker):
            return Draw(cut_card=True)
        return Draw() if item is None else Draw((PulledCard(item, item if self._reads else None),))

    def return_cards(self, cards: Sequence[Card]) -> None:
        """Nothing is put back into a stack.

        Raises:
            ValueError: always, if there are any cards.
        """
        if cards:
            raise ValueError(f"{len(cards)} cards cannot go back into a stack that is dealt from")


class PlainShuffler(PlainStack):
    """A shuffler that deals its shuffled stack in order, in q poker three cards at a time."""

    def __init__(self, rng: random.Random, *, reads: bool) -> None:
        super().__init__(reads=reads)
        self._rng = rng
        self.mix = Shuffling()
        """The way in which it shuffles."""

    @property
    def shuffles_itself(self) -> bool:
        return True

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        if cut_card_behind is not None:
            raise ValueError("a shuffler takes no cut card")
        super().load(self.mix(cards, self._rng), None)


class PlainShufflerDealer:
    """A bag: any card in it may come next, and used cards go back in."""

    def __init__(self, rng: random.Random, *, reads: bool) -> None:
        self._bag: list[Card] = []
        self._rng = rng
        self._reads: Final = reads

    @property
    def shuffles_itself(self) -> bool:
        return True

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in it, in no order that means anything."""
        return tuple(self._bag)

    @property
    def cards_left(self) -> int:
        return len(self._bag)

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put cards in.

        Raises:
            ValueError: a cut card comes with them.
        """
        if cut_card_behind is not None:
            raise ValueError("a shuffler-dealer takes no cut card")
        self._bag += cards

    def unload(self) -> list[Card]:
        """Take all cards out."""
        cards, self._bag = self._bag, []
        return cards

    def draw(self) -> Draw:
        """Let any one of its cards come; nothing if it is empty."""
        if not self._bag:
            return Draw()
        card = self._bag.pop(self._rng.randrange(len(self._bag)))
        return Draw((PulledCard(card, card if self._reads else None),))

    def return_cards(self, cards: Sequence[Card]) -> None:
        """Take used cards back."""
        self._bag += cards


def plain_device(kind: EquipmentKind, rng: random.Random, *, reads: bool) -> PlainDevice:
    """Plain equipment of a kind, empty."""
    if kind == "shuffler_dealer":
        return PlainShufflerDealer(rng, reads=reads)
    return PlainShuffler(rng, reads=reads) if kind == "shuffler" else PlainStack(reads=reads)

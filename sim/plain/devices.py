"""A plain shoe, dealing box, shuffler and shuffler-dealer."""

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
    @property
    def shuffles_itself(self) -> bool:
        """True if it shuffles what is put into it."""

    def return_cards(self, cards: Sequence[Card]) -> None:
        """Take used cards back."""


class PlainStack(Magazine):
    """The cut card is a pull of its own."""

    def __init__(self, *, reads: bool) -> None:
        super().__init__()
        self._reads: Final = reads

    @property
    def shuffles_itself(self) -> bool:
        return False

    def draw(self) -> Draw:
        item = self.draw_item()
        if isinstance(item, CutCardMarker):
            return Draw(cut_card=True)
        return Draw() if item is None else Draw((PulledCard(item, item if self._reads else None),))

    def return_cards(self, cards: Sequence[Card]) -> None:
        if cards:
            raise ValueError(f"{len(cards)} cards cannot go back into a stack that is dealt from")


class PlainShuffler(PlainStack):
    """In q poker three cards at a time."""

    def __init__(self, rng: random.Random, *, reads: bool) -> None:
        super().__init__(reads=reads)
        self._rng = rng
        self.mix = Shuffling()

    @property
    def shuffles_itself(self) -> bool:
        return True

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        if cut_card_behind is not None:
            raise ValueError("a shuffler takes no cut card")
        super().load(self.mix(cards, self._rng), None)


class PlainShufflerDealer:
    """Any card in it may come next, and used cards go back in."""

    def __init__(self, rng: random.Random, *, reads: bool) -> None:
        self._bag: list[Card] = []
        self._rng = rng
        self._reads: Final = reads

    @property
    def shuffles_itself(self) -> bool:
        return True

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(self._bag)

    @property
    def cards_left(self) -> int:
        return len(self._bag)

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        if cut_card_behind is not None:
            raise ValueError("a shuffler-dealer takes no cut card")
        self._bag += cards

    def unload(self) -> list[Card]:
        cards, self._bag = self._bag, []
        return cards

    def draw(self) -> Draw:
        if not self._bag:
            return Draw()
        card = self._bag.pop(self._rng.randrange(len(self._bag)))
        return Draw((PulledCard(card, card if self._reads else None),))

    def return_cards(self, cards: Sequence[Card]) -> None:
        self._bag += cards


def plain_device(kind: EquipmentKind, rng: random.Random, *, reads: bool) -> PlainDevice:
    if kind == "shuffler_dealer":
        return PlainShufflerDealer(rng, reads=reads)
    return PlainShuffler(rng, reads=reads) if kind == "shuffler" else PlainStack(reads=reads)

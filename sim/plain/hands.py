"""A croupier's hands at plain equipment."""

import random

from regulations.events.vocabulary import EquipmentKind
from sim.croupier_actions import CroupierActions
from sim.felt import CardTable
from sim.plain.devices import PlainDevice, PlainShuffler, plain_device
from sim.shuffling import Shuffling


class PlainHands(CroupierActions[PlainDevice]):
    @property
    def shuffles_itself(self) -> bool:
        return self.device.shuffles_itself

    def shuffle_by(self, way: Shuffling) -> None:
        if isinstance(self.device, PlainShuffler):
            self.device.mix = way
        elif self.shuffles_itself:
            way.check("shuffler_dealer")
        super().shuffle_by(way)

    def make_ready(self) -> None:
        if self.shuffles_itself and (self.felt.laid or self.felt.rack):
            self.put_in_all()

    def return_cards(self) -> int:
        cards, self.felt.rack = self.felt.rack, []
        self.device.return_cards(cards)
        return len(cards)


def plain_hands_at(kind: EquipmentKind, decks: int, rng: random.Random, *, reads: bool = False) -> PlainHands:
    return PlainHands(plain_device(kind, rng, reads=reads), CardTable(decks))

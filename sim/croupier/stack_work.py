"""A croupier's work on the stack before play."""

import random
from collections.abc import Mapping
from typing import Any, Final

from regulations.events.inputs import CardsReturned, Cut, CutCardPlaced, Loaded, Shuffled
from regulations.law.game_law import GameLaw
from sim.croupier.instructions import HouseInstructions
from sim.croupier_actions import CroupierActions, DealingDevice


class StackWork:
    def __init__(
        self, hands: CroupierActions[DealingDevice], law: GameLaw, orders: HouseInstructions, rng: random.Random
    ) -> None:
        self.hands = hands
        self._law: Final = law
        self._orders: Final = orders
        self._rng: Final = rng

    def shuffle(self) -> Shuffled:
        self.hands.shuffle(self._rng)
        return Shuffled(by="shuffler" if self.hands.shuffles_itself else self._orders.shuffled_by)

    def cut(self) -> Cut:
        self.hands.cut(self._rng)
        allowed = {by for material in self._law.equipment.values() for by in material.cut_by}
        return Cut(by=self._orders.cut_by if self._orders.cut_by in allowed else min(allowed))

    def place_cut_card(self, options: Mapping[str, Any]) -> CutCardPlaced:
        behind = self._orders.cut_card_behind
        behind = self._law.cards_behind(options) if behind is None else behind
        self.hands.place_cut_card(behind)
        return CutCardPlaced(behind=behind)

    def load(self) -> Loaded:
        self.hands.make_ready()
        if self.hands.felt.stack:
            self.hands.load()
        return Loaded(cards=self.hands.device.cards_left)

    def return_cards(self) -> CardsReturned:
        return CardsReturned(cards=self.hands.return_cards())

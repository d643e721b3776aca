"""What a croupier does to the stack before play; each act returns what he then says to the table."""

import random
from typing import Final

from regulations.events.inputs import CardsReturned, Cut, CutCardPlaced, Loaded, Shuffled
from sim.croupier.orders import Orders
from sim.hands import Hands


class StackWork:
    """Shuffling, cutting and loading.

    Args:
        hands: cards and shoe.
        orders: who shuffles and cuts, and where the cut card goes.
        rng: shuffles and cuts.
    """

    def __init__(self, hands: Hands, orders: Orders, rng: random.Random) -> None:
        self._hands: Final = hands
        self._orders: Final = orders
        self._rng: Final = rng

    def shuffle(self) -> Shuffled:
        """Gather all cards and shuffle them."""
        self._hands.shuffle(self._rng)
        return Shuffled(by=self._orders.shuffled_by)

    def cut(self) -> Cut:
        """Cut the stack."""
        self._hands.cut(self._rng)
        return Cut(by=self._orders.cut_by)

    def place_cut_card(self) -> CutCardPlaced:
        """Put the cut card in."""
        behind = self._orders.cut_card_behind
        self._hands.place_cut_card(behind)
        return CutCardPlaced(behind=behind)

    def load(self) -> Loaded:
        """Put the stack into the shoe; asked once more, say again what is in it."""
        self._hands.shoe.power_on()
        if self._hands.felt.stack:
            self._hands.load()
        return Loaded(cards=self._hands.shoe.cards_left)

    def return_cards(self) -> CardsReturned:
        """Gather the cards that came out."""
        cards = len(self._hands.felt.laid) + len(self._hands.felt.rack)
        self._hands.felt.gather(())
        return CardsReturned(cards=cards)

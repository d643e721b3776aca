"""The gambler who bets that cards just seen do not come: finds one deck that is dealt on without a shuffle."""

from typing import Final

from cardshoe.analysis.gamblers import Gambler
from cardshoe.analysis.order import Order, Unseen

BOLDNESS: Final = 0.9
"""The part of its wealth that it bets: the rest is left if a card comes after all."""


class Absent(Gambler):
    """Bets on every card but those that the last shoe showed.

    Args:
        order: the old order: what was seen of it.
        unseen: the cards not yet seen of the stack that it bets on.
    """

    def __init__(self, order: Order, unseen: Unseen) -> None:
        super().__init__()
        self._shown: Final = [len(places) for places in order.places]
        self._unseen: Final = unseen

    def see(self, face: int, chance: float) -> None:  # noqa: ARG002  the chance is that of the copies
        counts, shown = self._unseen.counts, self._shown
        fresh = [max(0, count - gone) for count, gone in zip(counts, shown, strict=True)]
        total = sum(fresh)
        if total:
            factor = fresh[face] * self._unseen.left / (total * counts[face])
            self._settle(1 - BOLDNESS + BOLDNESS * factor)
        shown[face] = max(0, shown[face] - 1)

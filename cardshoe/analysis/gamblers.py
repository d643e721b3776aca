"""Gamblers who know an old order and bet at fair odds.

In shuffled cards, wealth reaches 10^k with probability at most 10^-k (Ville), at any time and whatever was
unseen.
"""

from abc import ABC, abstractmethod
from typing import Final

from cardshoe.analysis.order import Order, UnseenCards

CEILING: Final = 1e250
"""Wealth beyond this is not counted: floats end soon after."""
FAINT: Final = 1e-9
"""Copies that wait with less together are taken as equally likely."""
BOLDNESS: Final = 0.9
"""Part of the wealth that `Absent` bets; the rest survives a wrong bet."""

Beliefs = dict[int, float]


class Gambler(ABC):
    def __init__(self) -> None:
        self.wealth = 1.0

    @abstractmethod
    def see(self, face: int, chance: float) -> None:
        """Settle the bet on a face 0 to 51 and place the next; ``chance``: its fair odds, above 0."""

    def miss(self) -> None:  # noqa: B027  most bets do not depend on the card before
        """Note an unseen card: no bet is settled, and neighbours are lost."""

    def guess(self) -> int | None:
        """The face with the highest bet; ``None``: no bet."""
        return None

    def _settle(self, factor: float) -> None:
        self.wealth = min(self.wealth * factor, CEILING)


class Absent(Gambler):
    """Bets against the cards of the last shoe: finds a deck dealt on without a shuffle."""

    def __init__(self, order: Order, unseen: UnseenCards) -> None:
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


def copies(places: tuple[int, ...], weights: list[float]) -> Beliefs:
    waiting = [weights[place] for place in places]
    total = sum(waiting)
    if total > FAINT:
        return {place: weight / total for place, weight in zip(places, waiting, strict=True)}
    return {place: 1 / len(places) for place in places}


def use_up(places: tuple[int, ...], weights: list[float], seen: Beliefs) -> None:
    for place in places:
        weights[place] *= max(0.0, 1 - seen.get(place, 0.0))

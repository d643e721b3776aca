"""Gamblers who know an old order and bet on each next card at fair odds.

In shuffled cards the expected wealth never grows, so that it ever reaches 10^k with a chance of 10^-k at most (Ville),
whatever was unseen and whenever one looks.

A gambler names chances of faces (sum at most 1). A card multiplies the wealth by its named chance over its chance among
unseen cards.
"""

from abc import ABC, abstractmethod
from typing import Final

from cardshoe.analysis.order import Order, UnseenCards

CEILING: Final = 1e250
"""Wealth beyond this is not counted: floats end soon after."""
FAINT: Final = 1e-9
"""Copies that wait with less together are taken as equally likely."""
BOLDNESS: Final = 0.9
"""The part of its wealth that `Absent` bets: the rest is left if a card comes after all."""

Beliefs = dict[int, float]


class Gambler(ABC):
    """Base class: bets on each card that is seen.

    Attributes:
        wealth: from 1.
    """

    def __init__(self) -> None:
        self.wealth = 1.0

    @abstractmethod
    def see(self, face: int, chance: float) -> None:
        """Settle the bet on a card, and place the next one.

        Args:
            face: 0 to 51.
            chance: that it came, among all cards not yet seen; above 0.
        """

    def miss(self) -> None:  # noqa: B027  most bets do not depend on the card before
        """A card left unseen: no bet is settled, and what was beside it is not beside the next card."""

    def guess(self) -> int | None:
        """The face on which it bets most; ``None`` if it does not bet."""
        return None

    def _settle(self, factor: float) -> None:
        self.wealth = min(self.wealth * factor, CEILING)


class Absent(Gambler):
    """Bets on every card but those that the last shoe showed: finds one deck that is dealt on without a shuffle."""

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
    """How likely each copy of a face is the one just seen, if nothing but the weights tells."""
    waiting = [weights[place] for place in places]
    total = sum(waiting)
    if total > FAINT:
        return {place: weight / total for place, weight in zip(places, waiting, strict=True)}
    return {place: 1 / len(places) for place in places}


def use_up(places: tuple[int, ...], weights: list[float], seen: Beliefs) -> None:
    """Make each copy of a face less likely to come again by how likely it was the one just seen."""
    for place in places:
        weights[place] *= max(0.0, 1 - seen.get(place, 0.0))

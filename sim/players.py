"""Simulated players at a baccarat table: they come and go, and make wagers that the regulation allows."""

import random
from typing import Final

from regulations.events.inputs import Wager
from regulations.events.vocabulary import Bet

_MAIN: Final[tuple[Bet, ...]] = ("player", "banker", "tie")
_MAIN_WEIGHTS: Final = (45, 45, 10)
_PAIRS: Final[tuple[Bet, ...]] = ("player_pair", "banker_pair")
_P_SEAT_PLAYS: Final = 0.4
_P_SECOND_BETTOR: Final = 0.15
_P_PAIR: Final = 0.2
_STAKES_UNITS: Final = (1, 1, 1, 2, 2, 3, 5, 10)


class Players:
    """Bettors at the seats of a table (55/2004 art. 13.º: player, banker, tie and the two pairs).

    Args:
        rng: decides who bets what.
        seats: seats of the table, at least 1.
        unit: the smallest stake, in minor units of money; every stake is a multiple.
    """

    def __init__(self, rng: random.Random, seats: int = 7, unit: int = 10_000) -> None:
        self._rng = rng
        self._seats = seats
        self._unit = unit

    def wagers(self) -> list[Wager]:
        """What lies on the table for the coming round, by seat; at times nothing at all."""
        return [wager for seat in range(1, self._seats + 1) for wager in self._at(seat)]

    def _at(self, seat: int) -> list[Wager]:
        if self._rng.random() >= _P_SEAT_PLAYS:
            return []
        bettors = 2 if self._rng.random() < _P_SECOND_BETTOR else 1
        return [wager for bettor in range(1, bettors + 1) for wager in self._of(seat, bettor)]

    def _of(self, seat: int, bettor: int) -> list[Wager]:
        # One of the three: nobody who plays bets on both sides.
        bets = self._rng.choices(_MAIN, _MAIN_WEIGHTS)
        bets += [pair for pair in _PAIRS if self._rng.random() < _P_PAIR]
        return [Wager(seat=seat, bet=bet, stake=self._stake(), id=bettor) for bet in bets]

    def _stake(self) -> int:
        return self._rng.choice(_STAKES_UNITS) * self._unit

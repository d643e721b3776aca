"""How long a croupier takes for each act, in seconds."""

import random
from typing import Final

from regulations.events.vocabulary import Do

_SECONDS: Final[dict[Do, float]] = {
    "shuffle": 60.0,
    "cut": 5.0,
    "place_cut_card": 4.0,
    "load": 10.0,
    "burn": 1.0,
    "draw": 1.2,
    "close_bets": 8.0,
    "decide": 3.0,
    "reveal": 2.0,
    "close_round": 4.0,
    "return_cards": 5.0,
    "resolve": 6.0,
    "nothing": 0.0,
}
_SPREAD: Final = (0.7, 1.4)


class Pace:
    """``scale``: 1 is a calm croupier, 0 takes no time (for tests)."""

    def __init__(self, scale: float = 1.0) -> None:
        if scale < 0:
            raise ValueError(f"pace {scale}: 0 or more")
        self.scale: Final = scale

    def delay_s(self, do: Do, rng: random.Random) -> float:
        """It draws one number from ``rng`` whatever the scale."""
        return _SECONDS[do] * rng.uniform(*_SPREAD) * self.scale

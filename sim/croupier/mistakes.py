"""The mistakes that a croupier makes, and how often."""

import random
from collections import Counter
from typing import Final, Literal, get_args

Mistake = Literal[
    "extra_card",
    "early_card",
    "forgotten_burn",
    "pushed_back",
    "wrong_button",
    "closed_early",
    "out_of_turn",
    "wrong_reveal",
    "miscounted",
    "exposed_card",
    "reported_misdeal",
]
"""``extra_card``, ``miscounted``: one too many; ``pushed_back``: into the mouth."""

MISTAKES: Final[frozenset[Mistake]] = frozenset(get_args(Mistake))
_RARE: Final[dict[Mistake, float]] = {"pushed_back": 0.2, "exposed_card": 0.2, "reported_misdeal": 0.2}


class Mistakes:
    """Never two in a row, so that a rate of 1 makes progress; ``rate``: 0 to 1."""

    def __init__(self, rng: random.Random, rate: float, kinds: frozenset[Mistake] = MISTAKES) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"a rate of mistakes of {rate}: 0 to 1")
        self._rng = rng
        self._rate = rate
        self._kinds = kinds
        self._careful = False
        self.made: Counter[Mistake] = Counter()

    def one_of(self, *possible: Mistake) -> Mistake | None:
        kinds = [kind for kind in possible if kind in self._kinds]
        if self._careful or not kinds:
            self._careful = False
            return None
        mistake = self._rng.choice(kinds)
        likelihood = self._rate * _RARE.get(mistake, 1.0)
        if self._rng.random() >= likelihood:
            return None
        self._careful = True
        self.made[mistake] += 1
        return mistake

"""The mistakes that a croupier makes, and how often."""

import random
from collections import Counter
from typing import Final, Literal, get_args

Mistake = Literal["extra_card", "early_card", "forgotten_burn", "pushed_back", "wrong_button"]
"""``extra_card``: one too many, after the last card of a round or where cards are to be revealed first.
``early_card``: before the round is closed, or after the last round. ``forgotten_burn``: closes the bets before the
initial burn is complete. ``pushed_back``: pushes a card back into the mouth. ``wrong_button``: presses another result.
"""

MISTAKES: Final[frozenset[Mistake]] = frozenset(get_args(Mistake))
_WITH_EVERY_CARD: Final = 0.2
"""Pushing back is so much rarer than the rest per occasion: it is possible with every card, the others once a round."""


class Slips:
    """Chance.

    After a mistake he is careful: the next act is a proper one, so that even a rate of 1 gets on.

    Args:
        rng: the chance itself.
        rate: mistakes per act where one is possible, 0 to 1; a card is pushed back a fifth as often.
        kinds: the mistakes that he makes.
    """

    def __init__(self, rng: random.Random, rate: float, kinds: frozenset[Mistake] = MISTAKES) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"a rate of mistakes of {rate}: 0 to 1")
        self._rng = rng
        self._rate = rate
        self._kinds = kinds
        self._careful = False
        self.made: Counter[Mistake] = Counter()

    def one_of(self, *possible: Mistake) -> Mistake | None:
        """A mistake of those that are possible now, or ``None``: the act is done properly."""
        kinds = [kind for kind in possible if kind in self._kinds]
        if self._careful or not kinds:
            self._careful = False
            return None
        mistake = self._rng.choice(kinds)
        likelihood = self._rate * (_WITH_EVERY_CARD if mistake == "pushed_back" else 1)
        if self._rng.random() >= likelihood:
            return None
        self._careful = True
        self.made[mistake] += 1
        return mistake

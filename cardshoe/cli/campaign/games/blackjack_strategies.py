"""Blackjack strategies by own cards and the croupier's open card."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

ACE: Final = 1
TEN: Final = 10
FIVE_CARDS: Final = 5
HALF_PAY_MAX: Final = 18
SOFT_EIGHTEEN: Final = 18
STIFF: Final = 12
STANDS: Final = 17
TWELVE_STANDS: Final = (4, 5, 6)
WEAK: Final = (2, 3, 4, 5, 6)
DOUBLES: Final[Mapping[int, tuple[int, ...]]] = {9: (3, 4, 5, 6), 10: tuple(range(2, 10)), 11: tuple(range(2, 11))}
SOFT_DOUBLES: Final[Mapping[int, tuple[int, ...]]] = {
    13: (5, 6),
    14: (5, 6),
    15: (4, 5, 6),
    16: (4, 5, 6),
    17: (3, 4, 5, 6),
    18: (3, 4, 5, 6),
}
SPLITS: Final[Mapping[int, tuple[int, ...]]] = {
    ACE: tuple(range(1, 11)),
    2: tuple(range(2, 8)),
    3: tuple(range(2, 8)),
    4: (5, 6),
    6: (2, 3, 4, 5, 6),
    7: tuple(range(2, 8)),
    8: tuple(range(1, 11)),
    9: (2, 3, 4, 5, 6, 8, 9),
}
SURRENDERS: Final[Mapping[int, tuple[int, ...]]] = {15: (TEN,), 16: (9, TEN)}


class DecidingHand(NamedTuple):
    """A hand below 21 that decides; ``up``: pips of the croupier's open card."""

    pips: tuple[int, ...]
    up: int
    is_split: bool = False
    is_pair: bool = False

    @property
    def points(self) -> int:
        """The best points."""
        low = sum(self.pips)
        return low + 10 if self.is_soft else low

    @property
    def is_soft(self) -> bool:
        return self.pips[0] == ACE and sum(self.pips) <= 11  # noqa: PLR2004  # 21 less ten


def basic(hand: DecidingHand) -> str:
    points, up, soft = hand.points, hand.up, hand.is_soft
    if len(hand.pips) == FIVE_CARDS and points <= HALF_PAY_MAX and up != ACE:
        return "half_pay"
    if len(hand.pips) == 2:  # noqa: PLR2004  # the first decision
        if hand.is_pair and up in SPLITS.get(hand.pips[0], ()):
            return "split"
        if not soft and not hand.is_split and up in SURRENDERS.get(points, ()):
            return "surrender"
        if up in (SOFT_DOUBLES if soft else DOUBLES).get(points, ()):
            return "double"
    if soft:
        hits = points < SOFT_EIGHTEEN or (points == SOFT_EIGHTEEN and up in (9, TEN, ACE))
    elif points == STIFF:
        hits = up not in TWELVE_STANDS
    else:
        hits = points < STIFF or (points < STANDS and up not in WEAK)
    return "hit" if hits else "stand"


def never_bust(hand: DecidingHand) -> str:
    """Draw only if no card can bust, or on a soft hand below 18."""
    return "hit" if hand.points < (SOFT_EIGHTEEN if hand.is_soft else STIFF) else "stand"


STRATEGIES: Final[Mapping[str, Callable[[DecidingHand], str]]] = {"basic": basic, "never_bust": never_bust}

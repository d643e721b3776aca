"""One deck in the notation of the table log, and counts of separate hands."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
Three = tuple[str, ...]
THREES: Final[tuple[Three, ...]] = tuple(combinations(DECK, 3))
OTHERS: Final = 18424
"""Hands of three among the 49 cards that a hand of three leaves."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A hand and how many of the 18 424 hands from the other 49 cards are lower than it, equal, higher."""

    cards: Three
    lower: int
    equal: int
    higher: int


class _Tally:
    """Counts hands so that one can ask how many of them have no card in common with a given hand."""

    def __init__(self) -> None:
        self._parts: Counter[Three] = Counter()

    def add(self, hand: Three) -> None:
        for size in range(4):
            self._parts.update(combinations(hand, size))

    def apart_from(self, hand: Three) -> int:
        return sum((-1) ** size * self._parts[part] for size in range(4) for part in combinations(hand, size))


def standings(
    value: Callable[[Three], object], ordered: Sequence[object], among: Callable[[Three], bool] = lambda _: True
) -> Iterator[Standing]:
    """Sets each of the 22 100 hands against all hands that may lie opposite it.

    Yields:
        The hands, the lowest first. This takes about a second.
    """
    place = {item: index for index, item in enumerate(ordered)}

    def place_of(hand: Three) -> int:
        return place[value(hand)]

    everything = _Tally()
    below = _Tally()
    for hand in filter(among, THREES):
        everything.add(hand)
    for _, group in groupby(sorted(THREES, key=place_of), key=place_of):
        hands = list(group)
        lower = {hand: below.apart_from(hand) for hand in hands}
        for hand in filter(among, hands):
            below.add(hand)
        for hand in hands:
            up_to_equal = below.apart_from(hand)
            yield Standing(hand, lower[hand], up_to_equal - lower[hand], everything.apart_from(hand) - up_to_equal)

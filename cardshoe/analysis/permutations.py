"""Shoes whose cards were moved by the same permutation."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from cardshoe.analysis.order import Order

ALIKE_Z: Final = 8.0
"""Standard deviations from which two permutations count as equal: below 10^-14."""
SHOES_MAX: Final = 40
"""The newest shoes of a group are compared, each with each."""


class ShufflePair(NamedTuple):
    """A shuffle: what lay where before it, and after it."""

    order: Order
    faces: Sequence[int]


class EqualShuffles(NamedTuple):
    """Two shuffles that are one.

    Attributes:
        second: the index of the other.
    """

    first: int
    second: int
    z: float


def equal_permutations(shuffles: Sequence[ShufflePair]) -> list[EqualShuffles]:
    """Pairs of shuffles that moved the cards alike; a cut behind them makes no difference."""
    recent = range(max(0, len(shuffles) - SHOES_MAX), len(shuffles))
    masks = {number: _masks(shuffles[number]) for number in recent}
    found: list[EqualShuffles] = []
    for second in recent:
        for first in range(recent.start, second):
            z = _likeness(masks[first], masks[second])
            if z > ALIKE_Z:
                found.append(EqualShuffles(first, second, z))
    return found


def _masks(moved: ShufflePair) -> list[int]:
    bits = [sum(1 << place for place in places) for places in moved.order.places]
    unseen = [0] * (moved.order.size - len(moved.faces))
    return [bits[face] if face >= 0 else 0 for face in moved.faces] + unseen


def _likeness(one: Sequence[int], other: Sequence[int]) -> float:
    size = len(one)
    known = sum(map(bool, one)) * sum(map(bool, other)) / size if size and size == len(other) else 0.0
    if not known:
        return 0.0
    doubled = [*other, *other]
    most = max(sum(1 for a, b in zip(one, doubled[cut:], strict=False) if a & b) for cut in range(size))
    # A card's old places and those of another's meet as often as two handfuls of places do.
    copies = [mask.bit_count() for mask in one if mask]
    handful = sum(copies) / len(copies)
    chance = 1 - math.pow(1 - handful / size, handful)
    return float((most - known * chance) / math.sqrt(known * chance * (1 - chance)))

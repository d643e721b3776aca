"""Shoes whose cards were moved by the same permutation."""

import math
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from cardshoe.analysis.order import Order

ALIKE_Z: Final = 8.0
"""From here two permutations count as equal: below 10^-14."""
LANE: Final = 16
"""Bits of a count: no shoe has as many cards."""
SHOES_MAX: Final = 40


class ShufflePair(NamedTuple):
    order: Order
    faces: Sequence[int]


class EqualShuffles(NamedTuple):
    first: int
    second: int
    z: float


def equal_permutations(shuffles: Sequence[ShufflePair]) -> list[EqualShuffles]:
    recent = range(max(0, len(shuffles) - SHOES_MAX), len(shuffles))
    moves = {number: _Move(shuffles[number]) for number in recent}
    found: list[EqualShuffles] = []
    for second in recent:
        for first in range(recent.start, second):
            z = _likeness(moves[first], moves[second])
            if z > ALIKE_Z:
                found.append(EqualShuffles(first, second, z))
    return found


class _Move:
    """A shuffle as bits: of each face, the old places, and the new ones in lanes, twice around."""

    def __init__(self, moved: ShufflePair) -> None:
        self.faces: Final = moved.faces
        self.size: Final = max(moved.order.size, len(moved.faces))
        old = moved.order.places
        self.old: Final = {face: sum(1 << place for place in old[face]) for face in {*moved.faces} if face >= 0}
        self.copies: Final = [len(old[face]) for face in moved.faces if face >= 0 and old[face]]
        self.new: Final = dict.fromkeys(self.old, 0)
        for place, face in enumerate(moved.faces):
            if face >= 0:
                self.new[face] |= 1 << LANE * place | 1 << LANE * (place + self.size)


def _likeness(one: _Move, other: _Move) -> float:
    size = one.size
    known = len(one.copies) * len(other.copies) / size if size and size == other.size else 0.0
    if not known:
        return 0.0
    # Of each face, a lane for each card of the other shuffle that came from one of its places; no two faces share one.
    came = {
        face: sum(new for there, new in other.new.items() if old & other.old[there]) for face, old in one.old.items()
    }
    # All cuts at once: lane n counts the cards that agree behind a cut at n.
    agree = sum(came[face] >> LANE * place for place, face in enumerate(one.faces) if face >= 0)
    lanes = agree & ((1 << LANE * size) - 1)
    most = max(memoryview(lanes.to_bytes(LANE // 8 * size, sys.byteorder)).cast("H"))
    # A card's old places and those of another's meet as often as two handfuls of places do.
    handful = sum(one.copies) / len(one.copies)
    chance = 1 - math.pow(1 - handful / size, handful)
    return float((most - known * chance) / math.sqrt(known * chance * (1 - chance)))

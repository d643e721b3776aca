"""Pairs of cards close before and after a shuffle: exact mean and variance."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from cardshoe.analysis.order import Order

NEAR: Final = (5, 20, 60)
BESIDE: Final = (1, 8, 32, 128)
"""Distances, in cards; riffles leave more such neighbours."""
_FACES: Final = range(52)

Matrix = list[list[int]]


class PairCount(NamedTuple):
    found: float
    mean: float
    variance: float

    @property
    def z(self) -> float:
        """Standard deviations above the mean; 0 without data."""
        return (self.found - self.mean) / self.variance**0.5 if self.variance > 0 else 0.0


def near(order: Order, faces: Sequence[int], decks: int, within: int) -> PairCount:
    return _count(_closeness(order, within, both=True), faces, decks, 1)


def beside(order: Order, faces: Sequence[int], decks: int, within: int) -> PairCount:
    return _count(_closeness(order, 1, both=False), faces, decks, within)


def _closeness(order: Order, within: int, *, both: bool) -> Matrix:
    matrix = [[0] * 52 for _ in _FACES]
    size, faces = order.size, order.faces
    for place, face in enumerate(faces):
        if face < 0:
            continue
        for step in range(1, min(within, size // 2) + 1):
            other = faces[(place + step) % size]
            if other >= 0:
                matrix[face][other] += 1
                if both:
                    matrix[other][face] += 1
    return matrix


def _count(matrix: Matrix, faces: Sequence[int], decks: int, lags: int) -> PairCount:
    found = pairs = 0
    firsts = [0] * len(faces)
    seconds = [0] * len(faces)
    for place, face in enumerate(faces):
        if face < 0:
            continue
        row = matrix[face]
        for there in range(place + 1, min(place + lags + 1, len(faces))):
            other = faces[there]
            if other >= 0:
                found += row[other]
                pairs += 1
                firsts[place] += 1
                seconds[there] += 1
    if not pairs:
        return PairCount(0.0, 0.0, 0.0)
    same_first = sum(one * (one - 1) for one in firsts)
    same_second = sum(one * (one - 1) for one in seconds)
    chained = sum(one * other for one, other in zip(firsts, seconds, strict=True))
    apart = pairs * pairs - pairs - same_first - same_second - 2 * chained
    chance = _Moments(matrix, decks)
    mean = pairs * chance.mean
    square = (
        pairs * chance.same
        + same_first * chance.same_first
        + same_second * chance.same_second
        + 2 * chained * chance.chained
        + apart * chance.apart
    )
    return PairCount(float(found), mean, max(0.0, square - mean * mean))


class _Moments:
    def __init__(self, matrix: Matrix, decks: int) -> None:
        cards = 52 * decks
        diagonal = [matrix[face][face] for face in _FACES]
        # A card's row and column over all others: one copy fewer of its own face.
        rows = [decks * sum(matrix[face]) - diagonal[face] for face in _FACES]
        columns = [decks * sum(matrix[other][face] for other in _FACES) - diagonal[face] for face in _FACES]
        total = decks * sum(rows)
        same = mirrored = 0
        for one in _FACES:
            for other in _FACES:
                copies = decks * (decks - (one == other))
                same += copies * matrix[one][other] ** 2
                mirrored += copies * matrix[one][other] * matrix[other][one]
        same_first = decks * sum(row * row for row in rows) - same
        same_second = decks * sum(column * column for column in columns) - same
        chained = decks * sum(row * column for row, column in zip(rows, columns, strict=True)) - mirrored
        apart = total * total - same - mirrored - same_first - same_second - 2 * chained
        two = cards * (cards - 1)
        three = two * (cards - 2)
        self.mean = total / two
        self.same = same / two
        self.same_first = same_first / three
        self.same_second = same_second / three
        self.chained = chained / three
        self.apart = apart / (three * (cards - 3))

"""Classical tests of ranks, suits and places.

They find incomplete sets, biased draws and misreads, rarely a flawed shuffle.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cardshoe.analysis.tails import chi_square_tail, normal_tail

BLOCK: Final = 40
_FEWEST: Final = 5.0
_RANKS: Final = 13
_FACES: Final = 52
_RED: Final = (1, 2)


class StatisticResult(NamedTuple):
    """A test result.

    Attributes:
        value: of the statistic; ``None``: not computed.
        chance: p-value; 1 if not computed.
    """

    name: str
    value: float | None
    chance: float


class CardSample(NamedTuple):
    faces: Sequence[int]
    decks: int


def classical(shoes: Sequence[CardSample]) -> list[StatisticResult]:
    return [
        _share(shoes, "ranks", [face % _RANKS for face in range(_FACES)]),
        _share(shoes, "suits", [face // _RANKS for face in range(_FACES)]),
        _rank_by_place(shoes),
        _rank_after_rank(shoes),
        _colour_runs(shoes),
        _never_complete(shoes),
    ]


def _share(shoes: Sequence[CardSample], name: str, kinds: Sequence[int]) -> StatisticResult:
    count = max(kinds) + 1
    surplus = [0.0] * count
    weight = 0.0
    for shoe in shoes:
        known = [kinds[face] for face in shoe.faces if face >= 0]
        stack = _FACES * shoe.decks
        weight += len(known) * max(0, stack - len(known)) / (stack - 1)
        for kind in range(count):
            surplus[kind] -= len(known) / count
        for kind in known:
            surplus[kind] += 1
    if weight / count < _FEWEST:
        return StatisticResult(name, None, 1.0)
    value = sum(one * one for one in surplus) * count / weight
    return StatisticResult(name, value, chi_square_tail(value, count - 1))


def _chi_square(name: str, table: Sequence[Sequence[int]]) -> StatisticResult:
    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    total = sum(rows)
    if not total or min(rows) * min(columns) / total < _FEWEST:
        return StatisticResult(name, None, 1.0)
    value = 0.0
    for row, across in zip(table, rows, strict=True):
        for count, down in zip(row, columns, strict=True):
            mean = across * down / total
            value += (count - mean) ** 2 / mean
    return StatisticResult(name, value, chi_square_tail(value, (len(rows) - 1) * (len(columns) - 1)))


def _rank_by_place(shoes: Sequence[CardSample]) -> StatisticResult:
    table = [[0] * _RANKS for _ in range(max((len(shoe.faces) // BLOCK + 1 for shoe in shoes), default=0))]
    for shoe in shoes:
        for place, face in enumerate(shoe.faces):
            if face >= 0:
                table[place // BLOCK][face % _RANKS] += 1
    rows = [row for row in table if sum(row) >= _FEWEST * _RANKS]
    return _chi_square("rank and place", rows) if len(rows) > 1 else StatisticResult("rank and place", None, 1.0)


def _rank_after_rank(shoes: Sequence[CardSample]) -> StatisticResult:
    table = [[0] * _RANKS for _ in range(_RANKS)]
    for shoe in shoes:
        for one, other in pairwise(shoe.faces):
            if one >= 0 and other >= 0:
                table[one % _RANKS][other % _RANKS] += 1
    return _chi_square("rank after rank", table)


def _colour_runs(shoes: Sequence[CardSample]) -> StatisticResult:
    changes = mean = variance = 0.0
    for shoe in shoes:
        half = 26 * shoe.decks
        chance = half / (2 * half - 1)
        pairs = chained = 0
        colours = [None if face < 0 else face // _RANKS in _RED for face in shoe.faces]
        for place, (one, other) in enumerate(pairwise(colours)):
            if one is None or other is None:
                continue
            pairs += 1
            changes += one is not other
            chained += place > 0 and colours[place - 1] is not None
        cards = 2 * half
        together = half / (2 * (cards - 1))
        apart = 4 * (half * (half - 1)) ** 2 / (cards * (cards - 1) * (cards - 2) * (cards - 3))
        mean += pairs * chance
        square = pairs * chance + 2 * chained * together + (pairs * pairs - pairs - 2 * chained) * apart
        variance += max(0.0, square - (pairs * chance) ** 2)
    if variance < 1:
        return StatisticResult("colour runs", None, 1.0)
    value = (changes - mean) / math.sqrt(variance)
    return StatisticResult("colour runs", value, 2 * normal_tail(abs(value)))


def _never_complete(shoes: Sequence[CardSample]) -> StatisticResult:
    missing = set(range(_FACES))
    chance = float(_FACES)
    for shoe in shoes:
        known = [face for face in shoe.faces if face >= 0]
        stack, decks = _FACES * shoe.decks, shoe.decks
        complete = 0.0
        if len(known) >= decks:
            complete = math.comb(stack - decks, len(known) - decks) / math.comb(stack, len(known))
        chance *= 1 - complete
        missing -= {face for face in range(_FACES) if known.count(face) >= decks}
    return StatisticResult("faces never complete", float(len(missing)), min(1.0, chance) if missing else 1.0)

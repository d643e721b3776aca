"""Tail probabilities of distributions."""

import math
from collections.abc import Sequence
from typing import Final

_STEPS: Final = 10_000
_EXACT: Final = 1e-15


def normal_tail(z: float) -> float:
    return math.erfc(z / math.sqrt(2)) / 2


def gamma_tail(shape: float, x: float) -> float:
    if x <= 0:
        return 1.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        for step in range(1, _STEPS):
            term *= x / (shape + step)
            total += term
            if term < total * _EXACT:
                break
        return max(0.0, 1 - front * total)
    tiny = 1e-300
    below = x + 1 - shape
    ratio = 1 / tiny
    inverse = found = 1 / below
    for step in range(1, _STEPS):
        weight = -step * (step - shape)
        below += 2
        inverse = 1 / ((weight * inverse + below) or tiny)
        ratio = (below + weight / ratio) or tiny
        change = inverse * ratio
        found *= change
        if abs(change - 1) < _EXACT:
            break
    return min(1.0, front * found)


def chi_square_tail(value: float, freedom: int) -> float:
    return gamma_tail(freedom / 2, value / 2)


def count_tail(count: float, mean: float, variance: float) -> float:
    if variance <= 0 or mean <= 0:
        return 1.0
    return gamma_tail(mean * mean / variance, count * mean / variance)


def binomial_tail(trials: int, chance: float, least: int) -> float:
    if least <= 0:
        return 1.0
    if chance >= 1:
        return 1.0
    total = 0.0
    for hits in range(least, trials + 1):
        total += math.comb(trials, hits) * chance**hits * (1 - chance) ** (trials - hits)
    return min(1.0, total)


def below_by_holm(chances: Sequence[float], error: float) -> list[bool]:
    """Failed tests by Holm: a chance of at most ``error`` (0 to 1) that any fails wrongly."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found = [False] * len(chances)
    for rank, index in enumerate(order):
        if chances[index] > error / (len(chances) - rank):
            break
        found[index] = True
    return found

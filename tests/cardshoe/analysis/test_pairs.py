"""Mean and variance of the pair counts, against an enumeration of all hands of a few cards."""

import itertools
from collections.abc import Callable, Sequence

import pytest

from cardshoe.analysis.order import UNKNOWN, Order
from cardshoe.analysis.pairs import PairCount, beside, near

OLD = [*range(52), *range(51, -1, -1)]


@pytest.mark.parametrize(("count", "within", "decks"), [(near, 3, 2), (beside, 2, 2), (beside, 1, 1)])
def test_moments_are_those_of_all_hands(
    count: Callable[[Order, Sequence[int], int, int], PairCount], within: int, decks: int
) -> None:
    order = Order(OLD[:52] if decks == 1 else OLD)
    total = square = weights = 0.0
    # What a pair is worth depends on its two faces alone: three cards are two or three pairs.
    faces, size = order.faces, order.size
    worth = dict.fromkeys(itertools.product(range(52), repeat=2), 0)
    for place, step in itertools.product(range(size), range(1, within + 1 if count is near else 2)):
        one, other = faces[place], faces[(place + step) % size]
        worth[one, other] += 1
        worth[other, one] += count is near
    for hand in itertools.product(range(52), repeat=3):
        weight = 1
        for at, face in enumerate(hand):
            weight *= decks - hand[:at].count(face)
        if not weight:
            continue
        one, two, three = hand
        found = worth[one, two] + worth[two, three] + (worth[one, three] if count is beside and within > 1 else 0)
        weights += weight
        total += weight * found
        square += weight * found * found
    reckoned = count(order, (3, 4, 5), decks, within)
    lags = worth[3, 5] if count is beside and within > 1 else 0
    assert reckoned.found == worth[3, 4] + worth[4, 5] + lags
    mean = total / weights
    assert reckoned.mean == pytest.approx(mean)
    assert reckoned.variance == pytest.approx(square / weights - mean * mean)


def test_unknown_cards_make_no_pairs() -> None:
    order = Order(list(range(52)))
    assert beside(order, (3, UNKNOWN, 4), 1, 1).found == 0
    assert beside(order, (3, UNKNOWN, 4), 1, 2).found == 1
    assert beside(Order([3, UNKNOWN, 4]), (3, 4), 1, 1).found == 0
    assert near(order, (UNKNOWN,) * 5, 1, 5).variance == 0
    assert near(order, (UNKNOWN,) * 5, 1, 5).z == 0


def test_a_cut_makes_a_circle() -> None:
    assert beside(Order(list(range(52))), (51, 0), 1, 1).found == 1

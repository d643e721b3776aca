"""Common runs, bands, equal shoes and equal permutations."""

import random

import pytest

from cardshoe.analysis.order import UNKNOWN, Order
from cardshoe.analysis.permutations import ShufflePair, equal_permutations
from cardshoe.analysis.runs import band, common_run, equal_shoes
from regulations.events.cards import DECK
from tests.cardshoe.analysis.cards import mixed


@pytest.mark.parametrize("step", [1, -1])
def test_a_planted_run_is_found(step: int) -> None:
    old, new = mixed(1), mixed(2)
    new[100:109] = old[200:209][::step]
    run = common_run([Order(old)], new, 8)
    assert run.length in (9, 10)
    assert run.chance < 1e-8


def test_a_run_goes_around_the_cut_and_no_further_than_the_order() -> None:
    order = Order(list(range(12)))
    assert common_run([order], (10, 11, 0, 1), 1).length == 4
    assert common_run([order], [*range(12), *range(12)], 8).length == 12


def test_an_unknown_card_breaks_a_run() -> None:
    order = Order(list(range(52)))
    assert common_run([order], (1, 2, 3, UNKNOWN, 5, 6), 1).length == 3
    assert common_run([Order([1, 2, UNKNOWN, 4])], (1, 2, 3, 4), 1).length == 2
    assert common_run([], (1, 2), 1) == (0, 1.0)


def test_the_chance_of_a_run_is_a_bound() -> None:
    """One deck, one order of two known cards: it comes at one of 51 places with a chance of 51 / (52 · 51) = 1 / 52."""
    run = common_run([Order([3, 4, *[UNKNOWN] * 50])], (3, 4, *[UNKNOWN] * 50), 1)
    assert run.length == 2
    assert run.chance >= 2 / 52 / 51 / 51


def test_a_loose_run_makes_a_band() -> None:
    old, new = mixed(3), mixed(4)
    loose = old[50:80]
    for at in range(0, 30, 3):
        loose[at : at + 3] = loose[at : at + 3][::-1]
    new[200:230] = loose
    found = band(Order(old), new)
    assert found.cards == 24
    assert found.chance < 1e-6
    assert band(Order(old), mixed(5)).chance > 1e-4
    assert band(Order(old), new[:10]) == (0, 1.0)


def test_equal_shoes() -> None:
    assert equal_shoes([mixed(1), mixed(2), mixed(1)]) == [(0, 2)]


def test_a_repeated_permutation_is_found_whatever_the_cards_and_the_cut() -> None:
    shuffles = []
    for number, seed in enumerate((5, 6, 5)):
        old = mixed(10 + number)
        new = list(old)
        random.Random(seed).shuffle(new)
        cut = 37 * number
        new = [*new[cut:], *new[:cut]]
        shuffles.append(ShufflePair(Order([UNKNOWN] * 8 + old[8:]), [UNKNOWN] * 8 + new[8:400]))
    assert [(one.first, one.second) for one in equal_permutations(shuffles)] == [(0, 2)]


def test_faces_are_those_of_the_deck() -> None:
    assert len(DECK) == 52
    assert DECK[13] == "AH"

"""Tails against printed tables."""

import pytest

from cardshoe.analysis.tails import (
    below_by_holm,
    binomial_tail,
    chi_square_tail,
    count_tail,
    gamma_tail,
    normal_tail,
)


@pytest.mark.parametrize(
    ("value", "freedom", "chance"),
    [(3.841459, 1, 0.05), (6.634897, 1, 0.01), (18.307038, 10, 0.05), (149.449253, 100, 0.001), (0.0, 5, 1.0)],
)
def test_chi_square(value: float, freedom: int, chance: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(chance, rel=1e-5)


def test_gamma_of_shape_one_is_exponential() -> None:
    assert gamma_tail(1, 3) == pytest.approx(0.049787068)
    assert gamma_tail(1, 0.2) == pytest.approx(0.818730753)


def test_normal() -> None:
    assert normal_tail(3.090232) == pytest.approx(0.001, rel=1e-5)


def test_counts_are_judged_a_little_mildly() -> None:
    """Of a Poisson count of mean 12, 29 or more come with a chance of 0.0000260."""
    chance = count_tail(29, 12, 12)
    assert 2.6e-5 < chance < 2.6e-4
    assert count_tail(5, 0, 0) == 1


def test_binomial() -> None:
    assert binomial_tail(4, 0.5, 3) == pytest.approx(5 / 16)
    assert binomial_tail(4, 0.5, 0) == 1
    assert binomial_tail(4, 1.0, 4) == 1


def test_holm() -> None:
    """Holm 1979: 0.01 and 0.013 fall at 0.05, 0.03 does not, nor does what comes behind it."""
    assert below_by_holm([0.03, 0.01, 0.013, 0.04], 0.05) == [False, True, True, False]
    assert below_by_holm([0.03, 0.01, 0.012, 0.024], 0.05) == [True, True, True, True]
    assert below_by_holm([], 0.05) == []

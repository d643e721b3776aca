"""The evaluator of three-card baccarat against the annex of the text, and counted in two ways."""

from collections import Counter
from fractions import Fraction
from typing import Final

import pytest

from tests.regulations.support.evaluators.deck import THREES, Three
from tests.regulations.support.evaluators.three_card_baccarat import (
    BANKER_BETS,
    CARRIED,
    banker_side_figures,
    combination,
    combination_counts,
    net,
    points,
    seat_outcome,
    seat_side_figures,
)

LESS_COMMISSION: Final = Fraction(19, 20)


def three(text: str) -> Three:
    return tuple(text.split())


@pytest.mark.parametrize(
    ("text", "number", "total"),
    [
        ("KS QS JS", 1, None),
        ("KS KD KC", 1, None),
        ("KS QD 9C", 2, 9),
        ("KS 4D 5C", 3, 9),
        ("KS TD 9C", 3, 9),  # a ten is no figure
        ("2S 3D 4C", 4, 9),
        ("9S TD TC", 4, 9),
        ("9S 9D AC", 4, 9),  # 19
        ("JS QD 8C", 5, 8),
        ("JS 3D 5C", 6, 8),
        ("9S 9D TC", 7, 8),
        ("JS JD AC", 26, 1),
        ("JS TD AC", 27, 1),
        ("7S 7D 7C", 28, 1),
        ("KS QD TC", 29, 0),  # two figures and a ten: zero with two figures
        ("KS TD TC", 30, 0),
        ("KS 4D 6C", 30, 0),  # a sum of exactly ten: reading T2
        ("TS TD TC", 31, 0),
        ("5S 5D TC", 31, 0),
        ("9S 8D 3C", 31, 0),  # exactly twenty
    ],
)
def test_the_combinations_of_the_annex(text: str, number: int, total: int | None) -> None:
    assert combination(three(text)) == number
    assert points(three(text)) == total


def test_a_hand_has_three_cards() -> None:
    with pytest.raises(ValueError, match="three cards"):
        combination(("KS", "QS"))


def test_the_combinations_counted_by_rank_and_card_by_card() -> None:
    by_rank = combination_counts()
    assert by_rank == Counter(map(combination, THREES))
    assert sum(by_rank.values()) == 22100
    assert by_rank[1] == 220  # three of twelve
    assert {by_rank[number] for number in range(2, 31, 3)} == {66 * 4}  # two of twelve, one of the four that fit
    assert sum(combination_counts(2).values()) == 104 * 103 * 102 // 6


@pytest.mark.parametrize(
    ("seat", "banker", "outcome", "main", "tie"),
    [
        ("KS QS JS", "KD QD 9D", "win", LESS_COMMISSION, Fraction(-1)),
        ("KS QS 8S", "KD 4D 4C", "win", LESS_COMMISSION, Fraction(-1)),
        ("2S 3S 3D", "KD 4D 4C", "lose", Fraction(-1), Fraction(-1)),
        ("KS 5S 3D", "KD 4D 4C", "tie", CARRIED, Fraction(20)),
        ("KS QS JS", "KD KC KH", "tie", CARRIED, Fraction(20)),
    ],
)
def test_a_seat_against_the_banker(
    seat: str, banker: str, outcome: str, main: Fraction | str, tie: Fraction | str
) -> None:
    assert seat_outcome(three(seat), three(banker)) == outcome
    assert net("main", three(banker), three(seat)) == main
    assert net("tie", three(banker), three(seat)) == tie


@pytest.mark.parametrize(
    ("banker", "option", "winning"),
    [
        ("KS QS JS", False, {"three_figures": 16}),
        ("KS QS JS", True, {"three_figures": 16, "points_0": 8}),
        ("KS QS TS", False, {"points_0": 8, "even": LESS_COMMISSION}),
        ("KS QS TS", True, {"points_0": 8, "even": LESS_COMMISSION}),
        ("KS QS 9S", False, {"points_9": 8, "odd": LESS_COMMISSION}),
        ("2S 2D 4S", False, {"points_8": 8, "even": LESS_COMMISSION}),
        ("9S 9D 3S", True, {"points_1": 8, "odd": LESS_COMMISSION}),
    ],
)
def test_the_wagers_on_the_banker(banker: str, option: bool, winning: dict[str, Fraction]) -> None:
    for bet in BANKER_BETS:
        waits = bet in {"odd", "even"} and points(three(banker)) is None
        expected = CARRIED if waits else winning.get(bet, Fraction(-1))
        assert net(bet, three(banker), three_figures_win_zero_points=option) == expected, bet


def test_stakes_unknown_wagers_and_missing_cards() -> None:
    banker = three("KS QS 9S")
    assert net("odd", banker, stake=1000) == 950
    with pytest.raises(ValueError, match="seat's cards"):
        net("main", banker)
    with pytest.raises(ValueError, match="no such wager"):
        net("points_10", banker)


def test_the_means_of_the_wagers_on_the_banker() -> None:
    figures = banker_side_figures()
    assert (figures["odd"].win, figures["even"].win) == (Fraction(553, 1105), Fraction(541, 1105))
    assert figures["odd"].carried == figures["three_figures"].win == Fraction(11, 1105)
    assert figures["odd"].per_round == Fraction(-313, 22100)
    assert figures["odd"].per_decision == Fraction(-313, 21880)
    assert figures["even"].per_round == Fraction(-781, 22100)
    assert figures["three_figures"].per_round == Fraction(17 * 11, 1105) - 1 == Fraction(-54, 65)
    for number in range(10):
        mean = Fraction(-548, 5525) if number % 2 else Fraction(-656, 5525)
        assert figures[f"points_{number}"].per_round == mean
    by_option = banker_side_figures(three_figures_win_zero_points=True)
    assert by_option.pop("points_0").per_round == Fraction(-161, 5525)
    assert all(figures[bet] == found for bet, found in by_option.items())


def test_the_means_of_the_wagers_on_a_seat() -> None:
    figures = seat_side_figures()
    assert figures["main"].win == figures["main"].lose == Fraction(1224364, 2544815)
    assert figures["main"].carried == figures["tie"].win == Fraction(96087, 2544815)
    assert figures["main"].per_decision == Fraction(-1, 40)  # half of the commission, for the hands are alike
    assert figures["tie"].per_round == 21 * figures["tie"].win - 1 == Fraction(-75284, 363545)

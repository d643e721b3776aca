"""The evaluator of casino war against the example of the text (an ante of 50, a pot of 150) and known probabilities."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from tests.regulations.support.evaluators.casino_war import (
    Bettor,
    Decision,
    Round,
    Seat,
    ante_net,
    ante_outcome,
    compare,
    expectations,
    judge,
    may_decide,
    opening_figures,
    tie_net,
    war_figures,
)


def test_the_ace_is_highest_and_the_two_lowest() -> None:
    descending = "AKQJT98765432"
    for place, rank in enumerate(descending):
        for other_place, other in enumerate(descending):
            sign = (place < other_place) - (place > other_place)
            assert compare(rank + "S", other + "D") == sign


@pytest.mark.parametrize(
    ("card", "decision", "war", "outcome", "net"),
    [
        ("TS", None, None, "win", 50),
        ("8S", None, None, "lose", -50),
        ("9S", "surrender", None, "surrendered", -25),
        ("9S", "challenge", ("4S", "3D"), "war_win", 50),
        ("9S", "challenge", ("4S", "4D"), "war_tie", 100),
        ("9S", "challenge", ("4S", "5D"), "war_lose", -100),
    ],
)
def test_an_ante_of_fifty(
    card: str, decision: Decision | None, war: tuple[str, str] | None, outcome: str, net: int
) -> None:
    assert ante_outcome(card, "9H", decision, war) == outcome
    assert ante_net(card, "9H", decision, war, stake=50) == net


def test_the_wager_on_the_tie() -> None:
    assert tie_net("9S", "9H", 50) == 500
    assert tie_net("TS", "9H", 50) == tie_net("8S", "9H", 50) == -50


@pytest.mark.parametrize(("tie_wager", "choice"), [(False, True), (True, False)])
def test_who_may_decide(tie_wager: bool, choice: bool) -> None:
    assert may_decide("9S", "9H", tie_wager=tie_wager) is choice
    assert not may_decide("TS", "9H", tie_wager=tie_wager)
    if choice:
        with pytest.raises(ValueError, match="has a choice"):
            ante_outcome("9S", "9H", tie_wager=tie_wager)
        assert ante_net("9S", "9H", "surrender", tie_wager=tie_wager) == Fraction(-1, 2)
    else:
        assert ante_outcome("9S", "9H", tie_wager=tie_wager) == "stands"
        assert ante_net("9S", "9H", tie_wager=tie_wager) == 0
        with pytest.raises(ValueError, match="no choice"):
            ante_outcome("9S", "9H", "surrender", tie_wager=tie_wager)


def test_a_challenge_needs_cards() -> None:
    with pytest.raises(ValueError, match="missing"):
        ante_outcome("9S", "9H", "challenge")


def test_a_round_of_several_seats_with_one_card_for_all_challenges() -> None:
    verdict = judge(
        Round(
            croupier="9H",
            seats=(
                Seat(1, "9S", (Bettor(100, decision="challenge"), Bettor(60, id=2, decision="surrender")), war="KS"),
                Seat(2, "TD", (Bettor(100, tie=10),)),
                Seat(4, "9C", (Bettor(100, tie=10), Bettor(80, id=2, decision="challenge")), war="QC"),
            ),
            croupier_war=("QH",),
        )
    )
    assert verdict.outcomes == {
        (1, 1): "war_win",
        (1, 2): "surrendered",
        (2, 1): "win",
        (4, 1): "stands",
        (4, 2): "war_tie",
    }
    assert verdict.nets == {
        (1, "ante", 1): 100,
        (1, "ante", 2): -30,
        (2, "ante", 1): 100,
        (2, "tie", 1): -10,
        (4, "ante", 1): 0,
        (4, "tie", 1): 100,
        (4, "ante", 2): 160,
    }
    assert verdict.stakes[4, "ante", 2] == 160
    assert verdict.stakes[1, "ante", 2] == 60


def test_a_round_with_a_croupier_card_for_each_challenge() -> None:
    seats = (
        Seat(5, "9S", (Bettor(100, decision="challenge"),), war="KS"),
        Seat(2, "9C", (Bettor(100, decision="challenge"),), war="KD"),
    )
    verdict = judge(Round("9H", seats, ("AS", "2S"), croupier_war_card="per_player"))
    assert verdict.outcomes == {(2, 1): "war_lose", (5, 1): "war_win"}
    with pytest.raises(ValueError, match="call for"):
        judge(Round("9H", seats, ("AS", "2S")))
    with pytest.raises(ValueError, match="call for"):
        judge(Round("9H", (Seat(1, "9S", (Bettor(100, decision="challenge"),)),), ("AS",)))


def test_the_probabilities() -> None:
    assert opening_figures() == {1: Fraction(8, 17), 0: Fraction(1, 17), -1: Fraction(8, 17)}
    # 2 of the tied rank are left and 4 of twelve others: 2*1 + 12*4*3 of 50*49 pairs tie again
    assert war_figures() == {1: Fraction(576, 1225), 0: Fraction(73, 1225), -1: Fraction(576, 1225)}


def test_the_means() -> None:
    found = expectations()
    assert found.challenge == Fraction(1, 17) * Fraction(-86, 245) == Fraction(-86, 4165)
    assert found.surrender == Fraction(-1, 34)
    assert found.stands == 0
    assert found.tie == Fraction(-6, 17)
    assert found.staked_challenge == Fraction(18, 17)


def test_cards_burned_unseen_change_no_probability() -> None:
    """A small deck dealt in every order: with and without burning, each line of four ranks is as frequent."""
    deck = ("2S", "2D", "3S", "3D", "4S", "4D", "5S")
    burned = Counter("".join(line[place][0] for place in (0, 1, 3, 5)) for line in permutations(deck))
    straight = Counter("".join(line[place][0] for place in (0, 1, 2, 3)) for line in permutations(deck))
    assert burned == straight

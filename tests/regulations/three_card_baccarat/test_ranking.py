"""Hands and nets against an evaluator that was written from the text and shares no code with the package."""

from collections import Counter
from itertools import combinations
from typing import Final

import pytest

from regulations.cards import DECK, RANKS
from regulations.payouts import rule_for
from regulations.three_card_baccarat.ranking import Hand, hand_of, outcome_of
from regulations.three_card_baccarat.settlement import BETS, PAYOUTS, Verdict
from tests.regulations.support.evaluators import three_card_baccarat as text

HANDS: Final = tuple(combinations(DECK, 3))
ONE_OF_EACH: Final = {hand_of(cards).combination: cards for cards in HANDS}
"""A hand of each combination of the annex."""


def test_every_hand_of_a_deck_has_the_combination_and_the_points_of_the_text() -> None:
    counted: Counter[int] = Counter()
    for cards in HANDS:
        hand = hand_of(cards)
        assert hand == Hand(text.combination(cards), text.points(cards))
        counted[hand.combination] += 1
    assert counted == text.combination_counts()


def test_the_order_of_the_cards_says_nothing() -> None:
    for one in RANKS:
        for two in RANKS:
            for three in RANKS:
                cards = [f"{one}S", f"{two}H", f"{three}D"]
                assert hand_of(cards).combination == text.combination(cards)  # type: ignore[arg-type]  # made of ranks


@pytest.mark.parametrize("option", [False, True])
def test_every_wager_on_every_pair_of_combinations_wins_what_the_text_says(option: bool) -> None:
    judged = 0
    for mine in ONE_OF_EACH.values():
        for his in ONE_OF_EACH.values():
            seat, banker = hand_of(mine), hand_of(his)
            verdict = Verdict(outcome=outcome_of(seat, banker), banker=banker, figures_count_as_zero=option)
            assert verdict.outcome == text.seat_outcome(mine, his)
            for bet in BETS:
                odds = rule_for(PAYOUTS, bet, verdict).odds
                net = text.net(bet, his, mine, three_figures_win_zero_points=option)
                assert odds == (None if net == text.CARRIED else net)
                assert sum(rule.bet == bet and rule.holds(verdict) for rule in PAYOUTS) == 1
                judged += 1
    assert judged == 31 * 31 * len(BETS)

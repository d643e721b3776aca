"""The verdict on a wager where nothing else is said of the hands."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from regulations.games.blackjack.settlement import PAYOUTS as BLACKJACK_PAYOUTS
from regulations.games.blackjack.settlement import SettlementFacts as HandVerdict
from regulations.games.q_poker.settlement import SettlementFacts as PokerVerdict
from regulations.games.three_card_baccarat.law import BETS
from regulations.games.three_card_baccarat.ranking import HandValue
from regulations.games.three_card_baccarat.result import ThreeCardOutcome
from regulations.games.three_card_baccarat.settlement import PAYOUTS
from regulations.games.three_card_baccarat.settlement import SettlementFacts as BankersVerdict
from regulations.law.payouts import rule_for

pytestmark = pytest.mark.law


def test_a_hand_of_q_poker_is_not_higher_unless_it_is_said() -> None:
    assert PokerVerdict(category="pair").outcome == "not_qualified"
    assert PokerVerdict(category="pair", qualifies=True).outcome == "lose"
    assert PokerVerdict(category="pair", folded=True).outcome == "folded"


def test_a_doubled_hand_loses_all_to_a_blackjack_unless_the_house_says_otherwise() -> None:
    """56/2004 art. 10.º-7."""
    lost = HandVerdict(outcome="lose", hand=("9H", "2H", "TC"), croupier=("AS", "KS"))
    doubled, limited = replace(lost, is_doubled=True), replace(lost, is_limited=True)
    told = [lost, doubled, limited, replace(doubled, is_limited=True)]
    assert [rule_for(BLACKJACK_PAYOUTS, "main", one).of for one in told] == ["stake", "stake", "stake", "original"]


@pytest.mark.parametrize(("given", "odds"), [({}, -1), ({"figures_count_as_zero": True}, 8)])
def test_three_figures_are_no_points_unless_the_house_says_so(given: dict[str, bool], odds: int) -> None:
    """Reading T4."""
    verdict = BankersVerdict(outcome="lose", banker=HandValue(1, None), **given)
    assert rule_for(PAYOUTS, "points_0", verdict).odds == Fraction(odds)


@pytest.mark.parametrize("figures_count_as_zero", [False, True])
@pytest.mark.parametrize("outcome", ["win", "tie", "lose"])
def test_of_the_rules_about_a_wager_against_the_banker_exactly_one_holds(
    outcome: ThreeCardOutcome, *, figures_count_as_zero: bool
) -> None:
    """Arts. 6.º to 8.º: whatever the banker has, a wager wins, loses or is carried."""
    for banker in (HandValue(1, None), *(HandValue(2, points) for points in range(10))):
        verdict = BankersVerdict(outcome=outcome, banker=banker, figures_count_as_zero=figures_count_as_zero)
        assert Counter(rule.bet for rule in PAYOUTS if rule.holds(verdict)) == dict.fromkeys(BETS, 1)

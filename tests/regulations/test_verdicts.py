"""What settles a wager where nothing else is said of the hands."""

from collections import Counter
from fractions import Fraction

import pytest

from regulations.events.results import ThreeCardOutcome
from regulations.payouts import rule_for
from regulations.q_poker.settlement import Verdict as PokerVerdict
from regulations.three_card_baccarat.law import BETS
from regulations.three_card_baccarat.ranking import Hand
from regulations.three_card_baccarat.settlement import PAYOUTS
from regulations.three_card_baccarat.settlement import Verdict as BankersVerdict

pytestmark = pytest.mark.law


def test_a_hand_of_q_poker_is_not_higher_unless_it_is_said() -> None:
    assert PokerVerdict(category="pair").outcome == "not_qualified"
    assert PokerVerdict(category="pair", qualifies=True).outcome == "lose"
    assert PokerVerdict(category="pair", folded=True).outcome == "folded"


@pytest.mark.parametrize(("given", "odds"), [({}, -1), ({"figures_count_as_zero": True}, 8)])
def test_three_figures_are_no_points_unless_the_house_says_so(given: dict[str, bool], odds: int) -> None:
    """Reading T4."""
    verdict = BankersVerdict(outcome="lose", banker=Hand(1, None), **given)
    assert rule_for(PAYOUTS, "points_0", verdict).odds == Fraction(odds)


@pytest.mark.parametrize("figures_count_as_zero", [False, True])
@pytest.mark.parametrize("outcome", ["win", "tie", "lose"])
def test_of_the_rules_about_a_wager_against_the_banker_exactly_one_holds(
    outcome: ThreeCardOutcome, *, figures_count_as_zero: bool
) -> None:
    """Arts. 6.º to 8.º: whatever the banker has, a wager wins, loses or is carried."""
    for banker in (Hand(1, None), *(Hand(2, points) for points in range(10))):
        verdict = BankersVerdict(outcome=outcome, banker=banker, figures_count_as_zero=figures_count_as_zero)
        assert Counter(rule.bet for rule in PAYOUTS if rule.holds(verdict)) == dict.fromkeys(BETS, 1)

"""Three-card baccarat against an evaluator that was written from the text and shares no code with the package."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from regulations.games.registry import GAMES
from regulations.games.three_card_baccarat.ranking import hand_of, outcome_of
from regulations.games.three_card_baccarat.settlement import PAYOUTS, SettlementFacts
from regulations.law.payouts import rule_for
from tests.kit.length import at_length
from tests.regulations.support.evaluators import three_card_baccarat as text
from tests.regulations.support.evaluators.deck import THREES, standings
from tests.regulations.support.played import rounds_of
from tests.sim.croupier.profiles import profile

ROUNDS = at_length(100, 20_000)
HANDS: list[Any] = list(THREES)


def odds_of(bet: Any, verdict: SettlementFacts) -> Fraction | str:  # noqa: ANN401  a literal
    odds = rule_for(PAYOUTS, bet, verdict).odds
    return "carried" if odds is None else odds


def test_every_hand_has_its_combination() -> None:
    """All 22 100 hands of a deck: 31 combinations and their counts."""
    assert len(HANDS) == 22_100
    ours = [hand_of(hand) for hand in HANDS]
    assert [hand.combination for hand in ours] == [text.combination(hand) for hand in HANDS]
    assert [hand.points for hand in ours] == [text.points(hand) for hand in HANDS]
    counts = Counter(hand.combination for hand in ours)
    assert counts == text.combination_counts()
    assert set(counts) == set(range(1, 32))
    assert (counts[1], counts[2], counts[3], counts[4]) == (220, 264, 960, 988)


def test_every_pair_of_combinations_pays_as_the_text_says() -> None:
    """A seat's hand of each combination against a banker's of each, every bet, both values of the option."""
    examples = {hand_of(hand).combination: hand for hand in HANDS}
    compared = 0
    for banker in examples.values():
        for seat in examples.values():
            for zero in (False, True):
                verdict = SettlementFacts(
                    outcome=outcome_of(hand_of(seat), hand_of(banker)),
                    banker=hand_of(banker),
                    figures_count_as_zero=zero,
                )
                assert verdict.outcome == text.seat_outcome(seat, banker)
                for bet in ("main", "tie", *text.BANKER_BETS):
                    wanted = text.net(bet, banker, seat, three_figures_win_zero_points=zero)
                    assert odds_of(bet, verdict) == wanted, (bet, seat, banker)
                    compared += 1
    assert compared == 31 * 31 * 2 * 15


@pytest.mark.parametrize("zero", [False, True])
def test_the_house_edges_of_the_bets_on_the_banker_follow_from_the_package(*, zero: bool) -> None:
    figures = text.banker_side_figures(three_figures_win_zero_points=zero)
    for bet in text.BANKER_BETS:
        nets: Counter[Fraction | str] = Counter()
        for hand in HANDS:
            # The seat's hand does not matter to these bets.
            nets[odds_of(bet, SettlementFacts(outcome="win", banker=hand_of(hand), figures_count_as_zero=zero))] += 1
        mean = sum((odds * ways for odds, ways in nets.items() if isinstance(odds, Fraction)), Fraction(0))
        assert mean / len(HANDS) == figures[bet].per_round, bet
        assert Fraction(nets["carried"], len(HANDS)) == figures[bet].carried, bet


def test_the_house_edges_of_the_bets_on_a_seat_follow_from_the_package() -> None:
    banker = hand_of(HANDS[0])
    odds: dict[tuple[str, str], Any] = {
        (bet, outcome): odds_of(bet, SettlementFacts(outcome=outcome, banker=banker))
        for bet in ("main", "tie")
        for outcome in ("win", "tie", "lose")
    }
    assert odds["main", "tie"] == "carried"
    main = tie = Fraction(0)
    pairs = 0
    for one in standings(lambda hand: -hand_of(list(hand)).combination, range(-31, 0)):  # type: ignore[arg-type]  # cards as text
        main += odds["main", "win"] * one.lower + odds["main", "lose"] * one.higher
        tie += odds["tie", "tie"] * one.equal + odds["tie", "win"] * (one.lower + one.higher)
        pairs += one.lower + one.equal + one.higher
    figures = text.seat_side_figures()
    assert main / pairs == figures["main"].per_round == Fraction(-306091, 12724075)
    assert tie / pairs == figures["tie"].per_round == Fraction(-75284, 363545)


@pytest.mark.statistical
@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("kind", GAMES["three_card_baccarat"].law.equipment)
def test_rounds_of_the_machine_are_settled_as_the_text_says(
    kind: Any,  # noqa: ANN401  a literal
    seed: int,
    *,
    zero: bool,
) -> None:
    """Wagers, carried ones with what was added to them, and both options."""
    table = profile("three_card_baccarat", kind, {"three_figures_win_zero_points": zero})
    lying: dict[tuple[int, str, int], int] = {}
    count = carried = 0
    for played in rounds_of(table, seed, ROUNDS):
        for wager in played.wagers:
            key = (wager["seat"], wager["bet"], wager.get("id", 1))
            lying[key] = lying.get(key, 0) + wager["stake"]
        cards = {seat["seat"]: seat["cards"] for seat in played.result["seats"]}
        banker = played.result["banker"]["cards"]
        assert played.result["banker"]["combination"] == text.combination(banker)
        expected: dict[Any, Any] = {}
        for key, stake in lying.items():
            net = text.net(key[1], banker, cards[key[0]], stake=stake, three_figures_win_zero_points=zero)
            expected[key] = net if isinstance(net, str) else round(net)
        assert played.nets == expected
        lying = {key: stake for key, stake in lying.items() if expected[key] == "carried"}
        carried += len(lying)
        count += 1
    assert count >= ROUNDS * 9 // 10
    assert carried

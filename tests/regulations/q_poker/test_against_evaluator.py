"""Q poker against an evaluator of the tests that was written from the text and shares no code with the package."""

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from regulations.events.cards import DECK
from regulations.games.q_poker.ranking import category_of, plays, strength_of
from regulations.games.q_poker.settlement import PAYOUTS, SettlementFacts
from regulations.games.registry import GAMES
from regulations.law.payouts import rule_for
from tests.kit.length import at_length
from tests.regulations.support.evaluators import q_poker as text
from tests.regulations.support.evaluators.deck import DECK as CARDS
from tests.regulations.support.evaluators.deck import OTHERS, THREES, standings
from tests.regulations.support.played import rounds_of
from tests.sim.croupier.profiles import profile

PAIRS = 200_000
PAID_EVERY = 20
"""Of so many pairs one is settled as well; to judge it anew takes the evaluator most of its time."""
ROUNDS = at_length(100, 20_000)
COUNTS = {
    "straight_flush": 48,
    "three_of_a_kind": 52,
    "straight": 720,
    "flush": 1096,
    "pair": 3744,
    "odd_cards": 16440,
}
"""By the combinatorics of one deck."""
HANDS: list[Any] = list(THREES)


ORDER = {card: place for place, card in enumerate(CARDS)}


def _hand(cards: list[Any]) -> Any:  # noqa: ANN401  a hand as HANDS has it
    return tuple(sorted(cards, key=lambda card: ORDER[card]))


def ante_odds(verdict: SettlementFacts) -> Fraction:
    odds = rule_for(PAYOUTS, "ante", verdict).odds
    assert odds is not None
    return odds


def test_every_hand_has_its_category_and_its_place() -> None:
    """All 22 100 hands: categories, their counts, who qualifies, and the same order from the lowest to the highest."""
    assert len(HANDS) == 22_100
    assert Counter(map(category_of, HANDS)) == COUNTS
    assert [category_of(hand) for hand in HANDS] == [text.category(hand) for hand in HANDS]
    assert [plays(hand) for hand in HANDS] == [text.qualifies(hand) for hand in HANDS]
    keys = sorted({text.order(hand) for hand in HANDS})
    strengths: dict[Any, set[Any]] = {key: set() for key in keys}
    for hand in HANDS:
        strengths[text.order(hand)].add(strength_of(hand))
    # Hands with one key have a card in common, so how we tell them apart does not matter.
    for lower, higher in itertools.pairwise(keys):
        assert max(strengths[lower]) < min(strengths[higher])


def test_hands_are_compared_and_paid_as_the_text_says(seed: int) -> None:
    chance = random.Random(seed)
    ours = {hand: (strength_of(hand), category_of(hand), plays(hand)) for hand in HANDS}
    keys = {hand: text.order(hand) for hand in HANDS}
    compared = 0
    while compared < PAIRS:
        cards = chance.sample(DECK, 48)
        for start in range(0, 48, 6):
            player, croupier = (_hand(cards[at : at + 3]) for at in (start, start + 3))
            (strength, category, _), (against, _, qualifies) = ours[player], ours[croupier]
            assert strength != against  # reading Q6
            assert (strength > against) == (keys[player] > keys[croupier]), (player, croupier)
            compared += 1
            if compared % PAID_EVERY == 0:
                verdict = SettlementFacts(category=category, qualifies=qualifies, is_higher=strength > against)
                assert verdict.outcome == text.ante_outcome(player, croupier, "play"), (player, croupier)
                assert ante_odds(verdict) == text.ante_net(player, croupier, "play"), (player, croupier)
    print(f"seed {seed}: {compared} pairs of hands")  # noqa: T201  shown where it fails, or with -rP


def test_the_house_edges_follow_from_the_package() -> None:
    pair_plus = sum(
        (
            rule_for(PAYOUTS, "pair_plus", SettlementFacts(category=category_of(hand))).odds or Fraction(0)
            for hand in HANDS
        ),
        Fraction(0),
    )
    assert pair_plus / len(HANDS) == text.pair_plus_expectation() == Fraction(-128, 5525)
    ordered = sorted({strength_of(hand) for hand in HANDS})
    always, queen_high = Fraction(0), Fraction(0)
    folded = ante_odds(SettlementFacts(category="odd_cards", folded=True))
    for one in standings(lambda hand: strength_of(list(hand)), ordered, lambda hand: plays(list(hand))):  # type: ignore[arg-type]  # cards as text
        hand: Any = one.cards
        category = category_of(hand)
        shown = OTHERS - one.lower - one.equal - one.higher
        net = (
            ante_odds(SettlementFacts(category=category, qualifies=True, is_higher=True)) * one.lower
            + ante_odds(SettlementFacts(category=category, qualifies=True)) * one.higher
            + ante_odds(SettlementFacts(category=category, qualifies=False)) * shown
        ) / OTHERS
        always += net
        queen_high += net if plays(hand) else folded
    figures = text.ante_figures()
    assert always / len(HANDS) == figures.always_play == Fraction(-1424949, 29083600)
    assert queen_high / len(HANDS) == figures.queen_high == Fraction(-5694597, 203585200)


@pytest.mark.statistical
@pytest.mark.parametrize("kind", GAMES["q_poker"].law.equipment)
def test_rounds_of_the_machine_are_settled_as_the_text_says(kind: Any, seed: int) -> None:  # noqa: ANN401  a literal
    count = 0
    for played in rounds_of(profile("q_poker", kind, {}), seed, ROUNDS):
        croupier = played.result["croupier"]
        assert croupier["category"] == text.category(croupier["cards"])
        assert croupier["qualifies"] == text.qualifies(croupier["cards"])
        cards = {seat["seat"]: seat["cards"] for seat in played.result["seats"]}
        decided = {(one["seat"], one.get("id", 1)): one["action"] for one in played.decisions}
        expected = {}
        for wager in played.wagers:
            hand, key = cards[wager["seat"]], (wager["seat"], wager["bet"], wager.get("id", 1))
            if wager["bet"] == "pair_plus":
                expected[key] = round(text.pair_plus_net(hand, wager["stake"]))
            else:
                action: Any = decided[key[0], key[2]]
                expected[key] = round(text.ante_net(hand, croupier["cards"], action, wager["stake"]))
        assert played.nets == expected
        count += 1
    assert count >= ROUNDS * 9 // 10

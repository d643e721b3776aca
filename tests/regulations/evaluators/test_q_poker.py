"""The evaluator of Q poker against the examples of the text, known counts, and itself counted in another way."""

import random
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Final

import pytest

from tests.regulations.support.evaluators.deck import DECK, OTHERS, THREES, Three, standings
from tests.regulations.support.evaluators.q_poker import (
    Category,
    ante_figures,
    ante_net,
    ante_outcome,
    category,
    category_counts,
    order,
    pair_plus_expectation,
    pair_plus_net,
    qualifies,
    qualifying_hands,
)

UPWARDS: Final = (
    "2D 3C 5D",  # odd cards: the lowest there is
    "2D 3C 5S",
    "2S 4S 5D",
    "TD 8S 7S",
    "JC 2D 3D",
    "JC 2D 4D",  # the top cards equal: the second, the third
    "AD KC JS",
    "AS KC JD",
    "2C 2D 3D",  # pairs
    "2S 2H 3S",  # the odd card's suit
    "2S 2H AS",
    "9S 9D 5C",
    "AS AH KS",
    "2D 3D 5D",  # flushes
    "TS 7S 5S",
    "AD KD JD",
    "AS KS JS",
    "AD 2S 3C",  # straights: ace, 2, 3 is the lowest, and its top card the 3
    "AS 2D 3S",
    "4D 3S 2S",
    "6D 7D 8H",
    "QD KS AC",
    "QD KS AH",
    "2D 2C 2H",  # three of a kind
    "AD AC AH",
    "AD 2D 3D",  # straight flushes
    "AS 2S 3S",
    "2D 3D 4D",
    "QD KD AD",
    "QS KS AS",
)


def three(text: str) -> Three:
    return tuple(text.split())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("6S 7S 8S", "straight_flush"),
        ("AS 2S 3S", "straight_flush"),
        ("QH AH KH", "straight_flush"),
        ("5S 5D 5C", "three_of_a_kind"),
        ("6S 7D 8H", "straight"),
        ("3D AH 2C", "straight"),
        ("TS 7S 5S", "flush"),
        ("KS AS 2S", "flush"),
        ("9S 9D 5C", "pair"),
        ("KS AD 2C", "odd_cards"),
        ("TD 8S 7S", "odd_cards"),
    ],
)
def test_the_categories_of_article_8(text: str, kind: Category) -> None:
    assert category(three(text)) == kind


def test_hands_rise_in_the_order_of_article_8() -> None:
    for lower, higher in pairwise(UPWARDS):
        assert order(three(lower)) < order(three(higher)), (lower, higher)


def test_the_order_of_the_cards_in_a_hand_does_not_matter() -> None:
    for text in UPWARDS:
        first, second, third = three(text)
        assert order((third, first, second)) == order((first, second, third)) == order((second, first, third))


def test_hands_of_equal_order_have_a_card_in_common() -> None:
    for _, group in groupby(sorted(THREES, key=order), key=order):
        hands = [frozenset(hand) for hand in group]
        assert all(one & other for one in hands for other in hands)


def test_how_many_hands_are_of_each_category() -> None:
    assert category_counts() == {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "odd_cards": 16440,
    }


@pytest.mark.parametrize(
    ("text", "may"),
    [("QS 2D 3C", True), ("JS TD 8C", False), ("AS 2D 4C", True), ("2S 2D 3C", True), ("2S 3S 5S", True)],
)
def test_the_croupier_plays_from_queen_high_on(text: str, may: bool) -> None:
    assert qualifies(three(text)) is may
    assert qualifying_hands() == 22100 - 6720 == 15380  # (C(10, 3) - 8 sequences) * (4^3 - 4 suits)


@pytest.mark.parametrize(
    ("player", "croupier", "outcome", "net"),
    [
        ("6S 7S 8S", "KS KD 2C", "win", Fraction(3)),
        ("5S 5D 5C", "KS KD 2C", "win", Fraction(2)),
        ("6S 7D 8S", "KS KD 2C", "win", Fraction(3, 2)),
        ("2S 5S 8S", "KS KD 2C", "win", Fraction(1)),
        ("AS AD 8S", "KS KD 2C", "win", Fraction(1)),
        ("AS KD 8S", "KS QD 2C", "win", Fraction(1)),
        ("6S 7S 8S", "JS TD 8C", "not_qualified", Fraction(1, 2)),
        ("2S 3D 5S", "JS TD 8C", "not_qualified", Fraction(1, 2)),
        ("JS TH 9D", "QS QD QC", "lose", Fraction(-1)),
        ("QH 9D 8C", "QS 9H 8D", "lose", Fraction(-1)),
    ],
)
def test_a_played_ante(player: str, croupier: str, outcome: str, net: Fraction) -> None:
    assert ante_outcome(three(player), three(croupier), "play") == outcome
    assert ante_net(three(player), three(croupier), "play") == net
    assert ante_net(three(player), three(croupier), "play", 300) == 300 * net
    assert ante_outcome(three(player), three(croupier), "fold") == "folded"
    assert ante_net(three(player), None, "fold", 300) == -150


def test_a_played_ante_needs_a_croupier_and_unequal_hands() -> None:
    with pytest.raises(ValueError, match="needed"):
        ante_outcome(three("2S 3D 5S"), None, "play")
    with pytest.raises(ValueError, match="one deck"):
        ante_outcome(three("QS 3D 5S"), three("QS 3C 5H"), "play")


@pytest.mark.parametrize(
    ("player", "net"),
    [("QS KS AS", 40), ("2S 2D 2C", 30), ("2S 3D AC", 6), ("TS 7S 5S", 4), ("9S 9D 5C", 1), ("AS KD JC", -1)],
)
def test_pair_plus(player: str, net: int) -> None:
    assert pair_plus_net(three(player)) == net


def test_the_mean_of_pair_plus() -> None:
    by_hand = 48 * 40 + 52 * 30 + 720 * 6 + 1096 * 4 + 3744 - 16440
    assert pair_plus_expectation() == Fraction(by_hand, 22100) == Fraction(-128, 5525)


def test_the_means_of_the_ante() -> None:
    figures = ante_figures()
    assert figures.always_play == Fraction(-1424949, 29083600)
    assert figures.queen_high == Fraction(-5694597, 203585200)
    assert figures.best == Fraction(-11234169, 407170400)
    assert figures.best_folds == 7194


def test_a_hand_against_all_others_counted_one_by_one(seed: int) -> None:
    ordered = sorted({order(hand) for hand in THREES})
    places = {hand: order(hand) for hand in THREES}
    found = {standing.cards: standing for standing in standings(order, ordered, qualifies)}
    for player in random.Random(seed).sample(THREES, 3):
        others = [hand for hand in THREES if not set(hand) & set(player)]
        assert len(others) == OTHERS
        able = [places[hand] for hand in others if qualifies(hand)]
        standing = found[player]
        assert standing.lower == sum(place < places[player] for place in able)
        assert standing.higher == sum(place > places[player] for place in able)
        assert standing.equal == 0


def test_the_deck_is_whole() -> None:
    assert len(set(DECK)) == len(DECK) == 52

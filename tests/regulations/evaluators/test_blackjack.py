"""The evaluator of blackjack against the articles one by one."""

from fractions import Fraction
from typing import Any, Final

import pytest

from tests.regulations.support.evaluators.blackjack import (
    Bet,
    Hand,
    Options,
    Round,
    Seat,
    Wager,
    is_special,
    judge,
    second_cards,
    total,
)
from tests.regulations.support.evaluators.blackjack_objections import objections

STAKE: Final = 100
LOSES_ORIGINAL: Final = Options(croupier_blackjack_against_double="loses_original")


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def hand(text: str, number: int = 1, split_from: int | None = None, **decided: bool) -> Hand:
    given: dict[str, Any] = dict(decided)
    return Hand(cards(text), number, split_from, **given)


def seat(*hands: Hand, wagers: tuple[Wager, ...] = ()) -> Seat:
    return Seat(1, hands, (Wager("main", STAKE), *wagers))


def alone(own: Hand, croupier: str, options: Options | None = None) -> tuple[str, Fraction | int]:
    """The outcome of a round with one hand and no objection to it, and what its wager of 100 brings."""
    played = Round(cards(croupier), (seat(own),), options or Options())
    assert objections(played) == []
    verdict = judge(played)
    return verdict.hands[0].outcome, verdict.nets[1, "main", 1, 1]


def side(bet: Bet, *hands: Hand, number: int = 1, nth: int = 1) -> Fraction:
    """The net win of a side wager of 1."""
    played = Round(cards("TS 8D"), (seat(*hands, wagers=(Wager(bet, 1, hand=number, nth=nth),)),))
    assert objections(played) == []
    return judge(played).nets[1, bet, 1, number]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("AS", 11),
        ("AS AD", 12),
        ("AS KD", 21),
        ("AS 6D", 17),
        ("AS 6D 5C", 12),
        ("AS AD AC AH 7S", 21),
        ("AS AD 9C TH", 21),
        ("TS JD QC", 30),
        ("2S 3D 4C 5H 7S", 21),
        ("KS 5D AC", 16),
    ],
)
def test_points(text: str, points: int) -> None:
    assert total(cards(text)) == points


@pytest.mark.parametrize(
    ("text", "special"),
    [
        ("6S 7S 8S", True),
        ("8H 6H 7H", True),
        ("6S 7S 8D", False),
        ("7S 7D 7C", True),
        ("7S 7S 7S", True),
        ("7S 7D", False),
        ("2S 5S 7S 7D", False),
        ("6S 6S 8S", False),
    ],
)
def test_special_prizes(text: str, special: bool) -> None:
    assert is_special(cards(text)) is special


@pytest.mark.parametrize(
    ("own", "croupier", "outcome", "net"),
    [
        # 9.º, 11.º, reading J8
        ("TS 9D", "TC 8H", "win", 100),
        ("TS 8D", "TC 8H", "stand", 0),
        ("TS 7D", "TC 8H", "lose", -100),
        ("TS 3D", "TC 6H 8S", "win", 100),
        ("TS 6D", "AC 6H", "lose", -100),  # soft 17 stands
        ("TS 8D", "AC 6H", "win", 100),
        ("TS 8D", "AC 5H KS 4D", "lose", -100),  # 20, the ace 1
        # 7.º-2
        ("TS 6D 6C", "TC", "bust", -100),
        ("TS 6D 6C", "TC 6H", "bust", -100),  # dealing box
        # 10.º
        ("AS KD", "TC 8H", "blackjack", 150),
        ("TS AD", "9C 2H KS", "blackjack", 150),  # against 21 of three cards
        ("AS KD", "AC TH", "stand", 0),
        ("AS KD", "TC AH", "stand", 0),
        ("7S 4D KC", "TC AH", "lose", -100),
        ("7S 4D KC", "9C 2H KS", "stand", 0),
        ("7S 4D KC", "TC 8H", "win", 100),
        # 15.º: at once, against an ace and even black jack; the ordinary prize falls away
        ("6S 7S 8S", "AC", "special", 300),
        ("7S 7D 7C", "AC TH", "special", 300),
        ("6S 7S 8D", "9C 2H KS", "stand", 0),
        # five cards not asked to be paid
        ("2S 3D 4C 5H 6S", "TC 8H", "win", 100),
        ("2S 3D 4C 5H 6S", "AC TH", "lose", -100),
    ],
)
def test_a_hand_without_decisions(own: str, croupier: str, outcome: str, net: int) -> None:
    assert alone(hand(own), croupier) == (outcome, net)


@pytest.mark.parametrize("croupier", ["TC", "TC AH", "TC 6H KS", "KC 8H"])
def test_who_surrenders_loses_half_whatever_follows(croupier: str) -> None:
    played = Round(cards(croupier), (seat(hand("TS 6D", surrendered=True)),))
    verdict = judge(played)
    assert verdict.outcomes == {(1, 1): "surrendered"}
    assert verdict.nets == {(1, "main", 1, 1): -50}


@pytest.mark.parametrize("croupier", ["AC", "TC", "KC"])
def test_even_money_and_half_pay_are_paid_before_the_croupier_plays(croupier: str) -> None:
    assert alone(hand("AS KD", even_money=True), croupier) == ("even_money", 100)
    if croupier != "AC":
        assert alone(hand("2S 3D 4C 5H 6S", half_pay=True), croupier) == ("half_paid", 50)


@pytest.mark.parametrize(
    ("own", "croupier", "options", "outcome", "net"),
    [
        ("6S 5D KC", "TC 8H", Options(), "win", 200),
        ("6S 5D 2C", "TC 8H", Options(), "lose", -200),
        ("6S 5D 7C", "TC 8H", Options(), "stand", 0),
        ("9S 4D KC", "TC", Options(), "bust", -200),
        ("9S 4D KC", "TC AH", LOSES_ORIGINAL, "bust", -200),  # lost before the croupier's black jack was seen
        ("6S 5D KC", "TC AH", Options(), "lose", -200),
        ("6S 5D KC", "TC AH", LOSES_ORIGINAL, "lose", -100),
        ("6S 5D 2C", "TC 8H", LOSES_ORIGINAL, "lose", -200),
        ("6S 7S 8S", "AC", Options(), "special", 600),
        ("6S 5D KC", "TC 8H", Options(double="eleven_only"), "win", 200),
    ],
)
def test_a_doubled_hand(own: str, croupier: str, options: Options, outcome: str, net: int) -> None:
    assert alone(hand(own, doubled=True), croupier, options) == (outcome, net)


@pytest.mark.parametrize(
    ("croupier", "options", "outcomes", "nets"),
    [
        ("KC 8H", Options(), ["win", "lose", "win"], [100, -100, 200]),
        ("KC 5H 6D", Options(), ["stand", "lose", "lose"], [0, -100, -200]),  # 21 of a split hand is no black jack
        ("KC AH", Options(), ["lose"] * 3, [-100, -100, -200]),
        ("KC AH", LOSES_ORIGINAL, ["lose"] * 3, [-100, -100, -100]),  # of the doubled hand only (reading J10)
        ("KC 6H 6D", Options(), ["win"] * 3, [100, 100, 200]),
    ],
)
def test_a_pair_split_twice(croupier: str, options: Options, outcomes: list[str], nets: list[int]) -> None:
    hands = (hand("TS AD"), hand("TD 7C", 2, 1), hand("TC 2D 8S", 3, 1, doubled=True))
    played = Round(cards(croupier), (seat(*hands),), options)
    assert objections(played) == []
    verdict = judge(played)
    assert [found.outcome for found in verdict.hands] == outcomes
    assert [verdict.nets[1, "main", 1, number] for number in (1, 2, 3)] == nets
    assert [entry.stake for entry in verdict.entries] == [100, 100, 200]


def test_split_hands_have_a_special_prize_and_no_black_jack() -> None:
    hands = (hand("7S 7H 7C"), hand("7D 6D 8D", 2, 1))
    assert [found.outcome for found in judge(Round(cards("KC 8H"), (seat(*hands),))).hands] == ["special", "special"]
    aces = (hand("AS KH"), hand("AD KD", 2, 1))
    assert judge(Round(cards("KC 8H"), (seat(*aces),))).nets == {(1, "main", 1, 1): 100, (1, "main", 1, 2): 100}


def test_who_has_bust_has_lost_though_the_croupier_busts_too() -> None:
    played = Round(cards("TC 6H 8S"), (seat(hand("TS 6D 6C")), Seat(2, (hand("KS 2D"),), (Wager("main", STAKE),))))
    assert objections(played) == []
    verdict = judge(played)
    assert verdict.bust
    assert verdict.nets == {(1, "main", 1, 1): -100, (2, "main", 1, 1): 100}


@pytest.mark.parametrize(("croupier", "net"), [("AC TH", 100), ("AC 6H", -50), ("AC 8H", -50)])
def test_insurance_is_decided_by_the_croupiers_black_jack_alone(croupier: str, net: int) -> None:
    for own in (hand("TS 6D 6C"), hand("AS KD"), hand("AS KD", even_money=True), hand("6S 7S 8S"), hand("TS 6D")):
        played = Round(cards(croupier), (seat(own, wagers=(Wager("insurance", 50),)),))
        assert objections(played) == []
        assert judge(played).nets[1, "insurance", 1, 1] == net


def test_an_insurance_waits_for_the_croupiers_second_card_alone() -> None:
    insured = seat(hand("TS 6D 6C"), wagers=(Wager("insurance", 50),))
    with pytest.raises(ValueError, match="another card"):
        judge(Round(cards("AC"), (insured,)))
    assert objections(Round(cards("AC"), (insured,))) == ["6.º-1: the croupier lacks a card"]
    assert objections(Round(cards("AC 2H"), (insured,))) == []
    assert objections(Round(cards("AC 2H 3H"), (insured,))) == [
        "reading J11: the croupier took cards though nothing waited for them"
    ]


def test_several_bettors_on_a_seat() -> None:
    wagers = (Wager("main", 40, id=2), Wager("insurance", 20, id=2), Wager("any_pair", 5, id=3))
    verdict = judge(Round(cards("AC TH"), (seat(hand("8S 3D TC", doubled=True), wagers=wagers),), LOSES_ORIGINAL))
    assert verdict.nets == {
        (1, "main", 1, 1): -100,
        (1, "main", 2, 1): -40,
        (1, "insurance", 2, 1): 40,
        (1, "any_pair", 3, 1): -5,
    }
    assert verdict.blackjack
    assert verdict.points == 21
    assert not verdict.bust


@pytest.mark.parametrize(
    ("text", "pair", "sevens", "over", "under"),
    [
        ("JS QD", -1, -1, 1, -1),  # no pair, says 13.º-1(1)
        ("JS JD", 11, -1, 1, -1),
        ("7S 7D", 11, 50, 1, -1),
        ("7S 7S", 11, 150, 1, -1),
        ("7S 7D 7C", 11, 50, 1, -1),  # the third seven counts after a separation
        ("6S 7D", -1, -1, -1, -1),  # exactly 13
        ("KS 3D", -1, -1, -1, -1),
        ("KS 4D", -1, -1, 1, -1),
        ("AS KD", -1, -1, -1, 1),  # 11: reading J1
        ("AS AD", 11, -1, -1, 1),
        ("9S 3D", -1, -1, -1, 1),
    ],
)
def test_side_wagers_on_the_first_two_cards(text: str, pair: int, sevens: int, over: int, under: int) -> None:
    bets: tuple[Bet, ...] = ("any_pair", "sevens", "over_13", "under_13")
    assert [side(bet, hand(text)) for bet in bets] == [pair, sevens, over, under]


@pytest.mark.parametrize(
    ("first", "second", "third", "prize"),
    [
        ("7S", "7D", "7C", 500),
        ("7S", "7S", "7C", 500),
        ("7S", "7D", "7S", 500),
        ("7S", "7S", "7S", 5000),
        ("7S", "7S", "8S", 150),
        ("7S", "7D", "8S", 50),
    ],
)
def test_the_third_seven_is_the_first_card_after_the_separation(
    first: str, second: str, third: str, prize: int
) -> None:
    kept = (hand(f"{first} {third} 4D"), hand(f"{second} 7H TD", 2, 1))  # a seven on the second hand is no third one
    assert side("sevens", *kept) == prize
    if third[0] == "7":  # separated once more: the third seven has gone to hand 3
        again = (hand(f"{first} TD"), hand(f"{second} TC", 2, 1), hand(f"{third} TH", 3, 1))
        assert side("sevens", *again) == prize


def test_each_pair_has_a_wager_of_its_own() -> None:
    # 8S 8D, separated; hand 1 gets 8C, separated; then 3H. Hand 2 gets 8H, separated; then KD. Hand 3: 8S 9S. 4: 8H 5D.
    hands = (hand("8S 3H"), hand("8D KD", 2, 1), hand("8C 9S", 3, 1), hand("8H 5D", 4, 2))
    assert second_cards(seat(*hands), 1) == ["8D", "8C", "3H"]
    assert second_cards(seat(*hands), 2) == ["8H", "KD"]
    assert [side("any_pair", *hands, number=1, nth=nth) for nth in (1, 2, 3)] == [11, 11, -1]
    assert [side("any_pair", *hands, number=2, nth=nth) for nth in (1, 2)] == [11, -1]
    assert side("any_pair", *hands, number=3) == side("any_pair", *hands, number=4) == -1


def test_an_extra_card_of_the_croupier_that_was_not_shown() -> None:
    own = seat(hand("TS 9D"))
    played = Round(cards("TC 8H 2D"), (own,))
    assert objections(played) == ["6.º-1: the croupier took a card on 17 or more"]
    valid = Round(cards("TC 8H 2D"), (own,), Options(unshown_extra_croupier_card_valid=True))
    assert objections(valid) == []
    assert judge(valid).outcomes == {(1, 1): "lose"}


@pytest.mark.parametrize(
    ("croupier", "hands", "wagers", "options", "article"),
    [
        ("AC 8H", (hand("TS 6D", surrendered=True),), (), Options(), "18.º-1"),
        ("TC", (hand("TS 4D 2C", surrendered=True),), (), Options(), "18.º-2"),
        ("AC", (hand("2S 3D 4C 5H 6S", half_pay=True),), (), Options(), "19.º-1"),
        ("TC", (hand("2S 3D 4C 5H", half_pay=True),), (), Options(), "19.º-1"),
        ("9C", (hand("AS KD", even_money=True),), (), Options(), "10.º-3"),
        ("TC", (hand("6S 5D KC", even_money=True),), (), Options(), "10.º-3"),
        ("TC 8H", (hand("6S 5D 2C 3D", doubled=True),), (), Options(), "6.º-4(2)"),
        ("TC 8H", (hand("6S 4D 2C", doubled=True),), (), Options(double="eleven_only"), "17.º-2"),
        ("TC 8H", (hand("AS KD 2C"),), (), Options(), "6.º-4"),
        ("TC 8H", (hand("AS KD"), hand("AD 5C 3D", 2, 1)), (), Options(), "6.º-4(3)"),
        ("TC 8H", (hand("AS KD"), hand("AD 5C", 2, 1), hand("AH 5H", 3, 2)), (), Options(resplit_aces=False), "16.º-3"),
        ("TC 8H", tuple(hand("8S 9D", n, (n - 1) or None) for n in range(1, 6)), (), Options(), "16.º-1"),
        ("TC 8H", (hand("JS 9D"), hand("QS 9D", 2, 1)), (), Options(), "16.º-1"),
        ("TC 8H", (hand("JS 9D"), hand("JS 9D", 2)), (), Options(), "nowhere"),
        ("TC 8H", (hand("JS 9D"), hand("JS 9D", 3, 1)), (), Options(), "gap"),
        ("TC 8H", (hand("JS 9D"),), (Wager("insurance", 50),), Options(), "12.º-1"),
        ("AC 8H", (hand("JS 9D"),), (Wager("insurance", 49),), Options(), "12.º-1"),
        ("AC 8H", (hand("JS 9D"),), (Wager("insurance", 50, id=2),), Options(), "12.º-1"),
        ("AC 8H", (hand("JS 9D"),), (Wager("insurance", 51),), Options(insurance="half"), "12.º-1"),
        ("AC 8H", (hand("JS 9D"),), (Wager("insurance", 99),), Options(insurance="full"), "12.º-1"),
        ("TC 8H", (hand("JS 9D"),), (Wager("any_pair", 5, nth=2),), Options(), "13.º-1"),
        ("TC 8H", (hand("JS 9D"),), (Wager("over_13", 0),), Options(), "has a stake"),
        ("TC 8H 2D", (hand("JS 9D 5C"),), (), Options(), "J11"),
    ],
)
def test_what_the_regulation_does_not_allow(
    croupier: str, hands: tuple[Hand, ...], wagers: tuple[Wager, ...], options: Options, article: str
) -> None:
    found = objections(Round(cards(croupier), (seat(*hands, wagers=wagers),), options))
    assert any(article in line for line in found), found


def test_a_side_wager_needs_a_main_one_on_the_seat() -> None:
    lonely = Seat(3, (hand("JS 9D"),), (Wager("over_13", 5),))
    assert objections(Round(cards("TC 8H"), (lonely,))) == ["seat 3: reading J4: no main wager on the seat"]

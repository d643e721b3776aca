"""Exact settlement of blackjack wagers (56/2004 arts. 7.º to 15.º, 18.º, 19.º)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from regulations.events.cards import Card, rank_of, suit_of
from regulations.events.vocabulary import Bet
from regulations.games.blackjack.law import art
from regulations.games.blackjack.ranking import (
    INITIAL_CARDS,
    THIRTEEN,
    TWENTY_ONE,
    is_blackjack,
    is_bust,
    is_pair,
    low_points_of,
    points_of,
)
from regulations.games.blackjack.result import HandOutcome
from regulations.law.payouts import HALF_LOST, LOST, STANDS, WON, Payout


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFacts:
    """The facts that settle a wager.

    Attributes:
        is_limited: the croupier's blackjack takes only the first half of a doubled stake.
    """

    outcome: HandOutcome | None = None
    hand: Sequence[Card] = ()
    croupier: Sequence[Card] = ()
    is_doubled: bool = False
    is_limited: bool = False
    cards: Sequence[Card] = ()


Holds = Callable[[SettlementFacts], bool]


def _ended(outcome: HandOutcome) -> Holds:
    return lambda verdict: verdict.outcome == outcome


def _both_blackjack(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "stand" and is_blackjack(verdict.croupier)


def _beats_21(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "blackjack" and points_of(verdict.croupier) == TWENTY_ONE


def _wins_with_two_cards(verdict: SettlementFacts) -> bool:
    return _wins_with_21(verdict) and len(verdict.hand) == INITIAL_CARDS


def _wins_with_21(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "win" and points_of(verdict.hand) == TWENTY_ONE


def _wins_by_bust(verdict: SettlementFacts) -> bool:
    return is_bust(verdict.croupier)


def _double_loses_to_blackjack(verdict: SettlementFacts) -> bool:
    return is_blackjack(verdict.croupier) and verdict.is_doubled and verdict.is_limited


def _loses_with_21(verdict: SettlementFacts) -> bool:
    return points_of(verdict.hand) == TWENTY_ONE


def _croupier_blackjack(verdict: SettlementFacts) -> bool:
    return is_blackjack(verdict.croupier)


def _pair(verdict: SettlementFacts) -> bool:
    return is_pair(verdict.cards)


def _sevens(number: int, *, of_one_suit: bool = False) -> Holds:
    def holds(verdict: SettlementFacts) -> bool:
        cards = verdict.cards[:number]
        sevens = len(cards) == number and all(rank_of(card) == "7" for card in cards)
        return sevens and not (of_one_suit and len({suit_of(card) for card in cards}) > 1)

    return holds


def _over(verdict: SettlementFacts) -> bool:
    return low_points_of(verdict.cards) > THIRTEEN


def _under(verdict: SettlementFacts) -> bool:
    return low_points_of(verdict.cards) < THIRTEEN


def _else(verdict: SettlementFacts) -> bool:  # noqa: ARG001  # whatever happened
    return True


def _rule(  # a rule's parts, all but the first five by name
    bet: Bet, name: str, holds: Holds, odds: Fraction, article: str, *also: str, of_original: bool = False
) -> Payout[SettlementFacts]:
    return Payout(
        bet=bet,
        name=name,
        holds=holds,
        odds=odds,
        article=article,
        also=also,
        of="original" if of_original else "stake",
    )


MAIN: Final = (
    _rule("main", "special", _ended("special"), Fraction(3), art("15.º"), "reading J6"),
    _rule("main", "bust", _ended("bust"), LOST, art("7.º-2")),
    _rule("main", "surrendered", _ended("surrendered"), HALF_LOST, art("18.º-1")),
    _rule("main", "half_paid", _ended("half_paid"), Fraction(1, 2), art("19.º-1")),
    _rule("main", "even_money", _ended("even_money"), WON, art("10.º-3")),
    _rule("main", "blackjack_against_21", _beats_21, Fraction(3, 2), art("10.º-5"), art("10.º-1")),
    _rule("main", "blackjack", _ended("blackjack"), Fraction(3, 2), art("10.º-2"), art("10.º-1")),
    _rule("main", "both_blackjack", _both_blackjack, STANDS, art("11.º-1")),
    _rule("main", "equal", _ended("stand"), STANDS, art("11.º-2"), "reading J8"),
    _rule("main", "wins_with_split_21", _wins_with_two_cards, WON, art("10.º-6"), art("9.º")),
    _rule("main", "wins_with_21", _wins_with_21, WON, art("10.º-4")),
    _rule("main", "croupier_bust", _wins_by_bust, WON, "reading J8", art("9.º")),
    _rule("main", "wins", _ended("win"), WON, art("9.º"), "reading J8", art("8.º")),
    _rule(
        "main",
        "double_against_blackjack",
        _double_loses_to_blackjack,
        LOST,
        art("10.º-7"),
        "reading J10",
        of_original=True,
    ),
    _rule("main", "loses_with_21", _loses_with_21, LOST, art("10.º-6"), "reading J10"),
    _rule("main", "loses", _ended("lose"), LOST, art("9.º"), art("12.º-2"), "reading J10"),
)
INSURANCE: Final = (
    _rule("insurance", "blackjack", _croupier_blackjack, Fraction(2), art("12.º-2")),
    _rule("insurance", "no_blackjack", _else, LOST, art("12.º-3")),
)
SIDE: Final = (
    _rule(
        "any_pair",
        "pair",
        _pair,
        Fraction(11),
        art("14.º-1"),
        art("13.º-1(1)"),
        art("13.º-1(2)"),
        "reading J2",
        "reading J5",
    ),
    _rule("any_pair", "no_pair", _else, LOST, art("13.º-1")),
    _rule("sevens", "three_of_one_suit", _sevens(3, of_one_suit=True), Fraction(5000), art("14.º-2(4)"), "reading J3"),
    _rule("sevens", "three", _sevens(3), Fraction(500), art("14.º-2(3)"), art("13.º-2(2)"), "reading J3"),
    _rule("sevens", "two_of_one_suit", _sevens(2, of_one_suit=True), Fraction(150), art("14.º-2(2)")),
    _rule("sevens", "two", _sevens(2), Fraction(50), art("14.º-2(1)"), art("13.º-2(1)")),
    _rule("sevens", "none", _else, LOST, art("13.º-2")),
    _rule("over_13", "over", _over, WON, art("14.º-3"), art("13.º-3"), "reading J1"),
    _rule("over_13", "not_over", _else, LOST, art("13.º-3"), "reading J1"),
    _rule("under_13", "under", _under, WON, art("14.º-3"), art("13.º-3"), "reading J1"),
    _rule("under_13", "not_under", _else, LOST, art("13.º-3"), "reading J1"),
)
PAYOUTS: Final[tuple[Payout[SettlementFacts], ...]] = (*MAIN, *INSURANCE, *SIDE)

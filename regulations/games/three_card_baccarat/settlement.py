"""Exact settlement of three-card baccarat wagers (22/96/M arts. 6.º to 10.º)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from regulations.events.vocabulary import Bet
from regulations.games.three_card_baccarat.law import POINT_BETS, art
from regulations.games.three_card_baccarat.ranking import THREE_FIGURES, HandValue
from regulations.games.three_card_baccarat.result import ThreeCardOutcome
from regulations.law.payouts import LOST, WON, Payout

COMMISSION: Final = Fraction(5, 100)
"""Art. 10.º, on what is won."""
LESS_COMMISSION: Final = WON * (1 - COMMISSION)
THREE_FIGURES_PAY: Final = Fraction(16)
POINTS_PAY: Final = Fraction(8)
TIE_PAYS: Final = Fraction(20)
POINTS_BETS: Final[dict[Bet, int]] = {bet: int(bet.removeprefix("points_")) for bet in POINT_BETS}
"""Art. 8.º-2b."""
EVEN: Final = frozenset(points for points in POINTS_BETS.values() if points % 2 == 0)
ODD: Final = frozenset(POINTS_BETS.values()) - EVEN
"""Art. 8.º-1: three figures have no points and are neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFacts:
    """The facts that settle a wager.

    Attributes:
        figures_count_as_zero: by reading T4.
    """

    outcome: ThreeCardOutcome
    banker: HandValue
    figures_count_as_zero: bool = False


def _wins(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "win"


def _ties(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "tie"


def _loses(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "lose"


def _no_tie(verdict: SettlementFacts) -> bool:
    return verdict.outcome != "tie"


def _three_figures(verdict: SettlementFacts) -> bool:
    return verdict.banker.combination == THREE_FIGURES


def _no_three_figures(verdict: SettlementFacts) -> bool:
    return verdict.banker.combination != THREE_FIGURES


def _odd(verdict: SettlementFacts) -> bool:
    return verdict.banker.points in ODD


def _even(verdict: SettlementFacts) -> bool:
    return verdict.banker.points in EVEN


def _as_zero_points(verdict: SettlementFacts) -> bool:
    return verdict.figures_count_as_zero and verdict.banker.points is None


def _points(number: int) -> Callable[[SettlementFacts], bool]:
    return lambda verdict: verdict.banker.points == number


def _other_points(number: int) -> Callable[[SettlementFacts], bool]:
    return lambda verdict: verdict.banker.points != number and not (number == 0 and _as_zero_points(verdict))


def _points_rules(bet: Bet, number: int) -> tuple[Payout[SettlementFacts], ...]:
    return (
        Payout(
            bet=bet,
            name="those_points",
            holds=_points(number),
            odds=POINTS_PAY,
            article=art("9.º-4"),
            also=(art("8.º-2"), "reading T2", "reading T9"),
        ),
        Payout(bet=bet, name="others", holds=_other_points(number), odds=LOST, article=art("8.º-2")),
    )


COMMISSIONED: Final = (art("10.º"), "reading T9")
PAYOUTS: Final[tuple[Payout[SettlementFacts], ...]] = (
    Payout(
        bet="main",
        name="higher",
        holds=_wins,
        odds=LESS_COMMISSION,
        article=art("9.º-1"),
        also=(art("6.º"), *COMMISSIONED),
        with_article=art("10.º"),
    ),
    Payout(bet="main", name="lower", holds=_loses, odds=LOST, article=art("6.º")),
    Payout(
        bet="main",
        name="equal",
        holds=_ties,
        odds=None,
        article=art("7.º-2"),
        also=(art("7.º-1"), "reading T5"),
    ),
    Payout(
        bet="odd", name="three_figures", holds=_three_figures, odds=None, article=art("8.º-1"), also=("reading T6",)
    ),
    Payout(
        bet="odd",
        name="odd",
        holds=_odd,
        odds=LESS_COMMISSION,
        article=art("9.º-2"),
        also=COMMISSIONED,
        with_article=art("10.º"),
    ),
    Payout(bet="odd", name="even", holds=_even, odds=LOST, article=art("8.º-1")),
    Payout(
        bet="even", name="three_figures", holds=_three_figures, odds=None, article=art("8.º-1"), also=("reading T6",)
    ),
    Payout(
        bet="even",
        name="even",
        holds=_even,
        odds=LESS_COMMISSION,
        article=art("9.º-2"),
        also=COMMISSIONED,
        with_article=art("10.º"),
    ),
    Payout(bet="even", name="odd", holds=_odd, odds=LOST, article=art("8.º-1")),
    Payout(
        bet="three_figures",
        name="three_figures",
        holds=_three_figures,
        odds=THREE_FIGURES_PAY,
        article=art("9.º-3"),
        also=(art("8.º-2"), "reading T9"),
    ),
    Payout(bet="three_figures", name="points", holds=_no_three_figures, odds=LOST, article=art("8.º-2")),
    Payout(
        bet="points_0",
        name="three_figures",
        holds=_as_zero_points,
        odds=POINTS_PAY,
        article="reading T4",
        also=(art("8.º-2"), art("9.º-4")),
    ),
    *(rule for bet, number in POINTS_BETS.items() for rule in _points_rules(bet, number)),
    Payout(
        bet="tie", name="equal", holds=_ties, odds=TIE_PAYS, article=art("9.º-5"), also=(art("8.º-3"), "reading T9")
    ),
    Payout(bet="tie", name="different", holds=_no_tie, odds=LOST, article=art("8.º-3")),
)

"""Exact settlement of q poker wagers (89/2004 arts. 9.º, 10.º)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from regulations.games.q_poker.law import art
from regulations.games.q_poker.result import PokerCategory, PokerOutcome
from regulations.law.payouts import HALF_LOST, LOST, WON, Payout

HALF_WON: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFacts:
    category: PokerCategory | None
    folded: bool = False
    qualifies: bool | None = None
    is_higher: bool = False

    @property
    def outcome(self) -> PokerOutcome:
        """How the ante ended, as the table log calls it, once the croupier's hand lies open or the bettor folded."""
        if self.folded:
            return "folded"
        if not self.qualifies:
            return "not_qualified"
        return "win" if self.is_higher else "lose"


def _ended(outcome: PokerOutcome) -> Callable[[SettlementFacts], bool]:
    return lambda verdict: verdict.outcome == outcome


def _won_with(*categories: PokerCategory) -> Callable[[SettlementFacts], bool]:
    return lambda verdict: verdict.category in categories


def _is(category: PokerCategory) -> Callable[[SettlementFacts], bool]:
    return lambda verdict: verdict.category == category


PAYOUTS: Final[tuple[Payout[SettlementFacts], ...]] = (
    Payout(bet="ante", name="folded", holds=_ended("folded"), odds=HALF_LOST, article=art("9.º-3")),
    Payout(
        bet="ante",
        name="croupier_not_qualified",
        holds=_ended("not_qualified"),
        odds=HALF_WON,
        article=art("9.º-5"),
        also=("reading Q1", "reading Q2"),
    ),
    Payout(bet="ante", name="lower", holds=_ended("lose"), odds=LOST, article=art("9.º-6")),
    Payout(
        bet="ante",
        name="higher_straight_flush",
        holds=_won_with("straight_flush"),
        odds=Fraction(3),
        article=art("9.º-7(1)"),
        also=("reading G1",),
    ),
    Payout(
        bet="ante",
        name="higher_three_of_a_kind",
        holds=_won_with("three_of_a_kind"),
        odds=Fraction(2),
        article=art("9.º-7(2)"),
    ),
    Payout(
        bet="ante", name="higher_straight", holds=_won_with("straight"), odds=Fraction(3, 2), article=art("9.º-7(3)")
    ),
    Payout(
        bet="ante",
        name="higher_other",
        holds=_won_with("flush", "pair", "odd_cards"),
        odds=WON,
        article=art("9.º-7(4)"),
    ),
    Payout(
        bet="pair_plus",
        name="straight_flush",
        holds=_is("straight_flush"),
        odds=Fraction(40),
        article=art("10.º-1"),
        also=("reading G1",),
    ),
    Payout(
        bet="pair_plus",
        name="three_of_a_kind",
        holds=_is("three_of_a_kind"),
        odds=Fraction(30),
        article=art("10.º-2"),
    ),
    Payout(
        bet="pair_plus",
        name="straight",
        holds=_is("straight"),
        odds=Fraction(6),
        article=art("10.º-3"),
    ),
    Payout(
        bet="pair_plus",
        name="flush",
        holds=_is("flush"),
        odds=Fraction(4),
        article=art("10.º-4"),
    ),
    Payout(
        bet="pair_plus",
        name="pair",
        holds=_is("pair"),
        odds=WON,
        article=art("10.º-5"),
    ),
    Payout(
        bet="pair_plus",
        name="odd_cards",
        holds=_is("odd_cards"),
        odds=LOST,
        article=art("9.º-1"),
    ),
)

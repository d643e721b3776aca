"""Exact settlement of casino war wagers (74/2005 art. 7.º)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from regulations.events.vocabulary import DecisionAction
from regulations.games.casino_war.law import art
from regulations.games.casino_war.ranking import Comparison
from regulations.games.casino_war.result import WarOutcome
from regulations.law.payouts import HALF_LOST, LOST, STANDS, WON, Payout


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFacts:
    """The facts that settle a bettor's wagers.

    Attributes:
        stands: on equal cards, without a choice (reading W2).
    """

    first: Comparison
    stands: bool
    choice: DecisionAction | None
    war: Comparison | None

    @property
    def outcome(self) -> WarOutcome | None:
        """How the ante ended, as the table log calls it; ``None`` while it is undecided."""
        if self.first != "equal":
            return "win" if self.first == "higher" else "lose"
        if self.stands:
            return "stands"
        if self.choice == "surrender":
            return "surrendered"
        if self.war is None:
            return None
        return WAR_OUTCOMES[self.war]


WAR_OUTCOMES: Final[dict[Comparison, WarOutcome]] = {"higher": "war_win", "equal": "war_tie", "lower": "war_lose"}


def _tied(verdict: SettlementFacts) -> bool:
    return verdict.first == "equal"


def _higher(verdict: SettlementFacts) -> bool:
    return verdict.first == "higher"


def _lower(verdict: SettlementFacts) -> bool:
    return verdict.first == "lower"


def _stands(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "stands"


def _surrendered(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "surrendered"


def _war_win(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "war_win"


def _war_tie(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "war_tie"


def _war_lose(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "war_lose"


PAYOUTS: Final[tuple[Payout[SettlementFacts], ...]] = (
    Payout(bet="ante", name="higher", holds=_higher, odds=WON, article=art("7.º-1")),
    Payout(bet="ante", name="lower", holds=_lower, odds=LOST, article=art("7.º-2")),
    Payout(bet="ante", name="equal_with_tie_wager", holds=_stands, odds=STANDS, article="reading W2"),
    Payout(bet="ante", name="surrendered", holds=_surrendered, odds=HALF_LOST, article=art("7.º-4(1)")),
    Payout(
        bet="ante",
        name="war_higher",
        holds=_war_win,
        odds=WON,
        article=art("7.º-5(1)"),
        also=("reading W1",),
        of="original",
    ),
    Payout(
        bet="ante",
        name="war_equal",
        holds=_war_tie,
        odds=Fraction(2),
        article=art("7.º-5(2)"),
        also=("reading W1", "reading W7"),
        of="original",
    ),
    Payout(
        bet="ante",
        name="war_lower",
        holds=_war_lose,
        odds=Fraction(-2),
        article=art("7.º-5(3)"),
        also=("reading W1",),
        of="original",
    ),
    Payout(bet="tie", name="equal", holds=_tied, odds=Fraction(10), article=art("7.º-3")),
    Payout(bet="tie", name="higher", holds=_higher, odds=LOST, article=art("7.º-1")),
    Payout(bet="tie", name="lower", holds=_lower, odds=LOST, article=art("7.º-2")),
)

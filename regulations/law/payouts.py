"""Settlement as rules: of those about a bet, the first that holds decides."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, Literal, TypeVar

from regulations.events.errors import RegulationBug
from regulations.events.vocabulary import Bet

WON: Final = Fraction(1)
LOST: Final = Fraction(-1)
STANDS: Final = Fraction(0)
HALF_LOST: Final = Fraction(-1, 2)

FactsT = TypeVar("FactsT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout(Generic[FactsT]):
    """One rule of settlement.

    Attributes:
        odds: net (reading G1); ``None``: carried to the next round.
        of: the stake at risk, or the original one.
    """

    bet: Bet
    name: str
    holds: Callable[[FactsT], bool]
    odds: Fraction | None
    article: str
    also: tuple[str, ...] = ()
    with_article: str = ""
    of: Literal["stake", "original"] = "stake"

    @property
    def id(self) -> str:
        return f"pay@{self.bet}[{self.name}]"


def paid_by(payouts: Sequence[Payout[Any]], article: str) -> Fraction:
    for rule in payouts:
        if rule.article == article and rule.odds is not None and rule.odds > 0:
            return rule.odds
    raise RegulationBug("a sentence about a payout", article)


def to_one(payouts: Sequence[Payout[Any]], article: str) -> str:
    odds = paid_by(payouts, article)
    return f"{odds.numerator} to {odds.denominator}"


def best_odds(payouts: Sequence[Payout[Any]], besides: Collection[str] = ()) -> dict[Bet, Fraction]:
    """The best odds of each bet on all that lies there, without the rules ``besides``."""
    best: dict[Bet, Fraction] = {}
    for rule in payouts:
        if rule.odds is not None and rule.id not in besides:
            # A rule about the original stake is of one that was raised to twice as much.
            odds = rule.odds / (2 if rule.of == "original" else 1)
            best[rule.bet] = max(best.get(rule.bet, odds), odds)
    return best


def rule_for(payouts: Sequence[Payout[FactsT]], bet: Bet, verdict: FactsT) -> Payout[FactsT]:
    for rule in payouts:
        if rule.bet == bet and rule.holds(verdict):
            return rule
    raise RegulationBug(f"settling {bet}", f"{verdict}")

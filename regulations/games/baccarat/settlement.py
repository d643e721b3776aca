"""Exact settlement of baccarat wagers (55/2004 arts. 12.º, 13.º, 17.º, 18.º)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from regulations.events.inputs import Wager
from regulations.events.outputs import SettledWager
from regulations.events.vocabulary import Outcome, Side
from regulations.games.baccarat.law import art
from regulations.law.payouts import LOST, STANDS, WON, Payout, rule_for
from regulations.law.stakes import stake_of
from regulations.play.context.open_wager import OpenWager

COMMISSION: Final = Fraction(5, 100)
"""Art. 18.º-1: of the banker's winnings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFacts:
    outcome: Outcome
    banker_points: int
    pairs: Sequence[Side]
    half_on_six: bool


PAIR: Final = Fraction(11)
PAIR_ALSO: Final = (art("13.º-4"), "reading B13")


def _tie(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "tie"


def _player(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "player"


def _banker(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "banker"


def _banker_less_commission(verdict: SettlementFacts) -> bool:
    return verdict.outcome == "banker" and not verdict.half_on_six


def _banker_on_six(verdict: SettlementFacts) -> bool:
    six = 6
    return verdict.outcome == "banker" and verdict.banker_points == six


def _player_pair(verdict: SettlementFacts) -> bool:
    return "player" in verdict.pairs


def _banker_pair(verdict: SettlementFacts) -> bool:
    return "banker" in verdict.pairs


def _else(verdict: SettlementFacts) -> bool:  # noqa: ARG001  # whatever else happened
    return True


PAYOUTS: Final[tuple[Payout[SettlementFacts], ...]] = (
    Payout(bet="player", name="tie", holds=_tie, odds=STANDS, article=art("12.º")),
    Payout(
        bet="player",
        name="player_wins",
        holds=_player,
        odds=WON,
        article=art("17.º-1"),
        also=(art("17.º"), art("13.º-1")),
    ),
    Payout(bet="player", name="banker_wins", holds=_banker, odds=LOST, article=art("11.º")),
    Payout(bet="banker", name="tie", holds=_tie, odds=STANDS, article=art("12.º")),
    Payout(
        bet="banker",
        name="banker_wins_less_commission",
        holds=_banker_less_commission,
        odds=WON - COMMISSION,
        article=art("18.º-1"),
        also=(art("17.º-1"), art("13.º-2")),
    ),
    Payout(
        bet="banker",
        name="banker_wins_with_six",
        holds=_banker_on_six,
        odds=Fraction(1, 2),
        article=art("18.º-2"),
        also=("reading B15",),
    ),
    Payout(bet="banker", name="banker_wins", holds=_banker, odds=WON, article=art("18.º-2"), also=(art("17.º-1"),)),
    Payout(bet="banker", name="player_wins", holds=_player, odds=LOST, article=art("11.º")),
    Payout(bet="tie", name="tie", holds=_tie, odds=Fraction(8), article=art("17.º-2"), also=(art("13.º-3"),)),
    Payout(bet="tie", name="no_tie", holds=_else, odds=LOST, article=art("11.º")),
    Payout(bet="player_pair", name="pair", holds=_player_pair, odds=PAIR, article=art("17.º-3"), also=PAIR_ALSO),
    Payout(bet="player_pair", name="no_pair", holds=_else, odds=LOST, article=art("13.º-4")),
    Payout(bet="banker_pair", name="pair", holds=_banker_pair, odds=PAIR, article=art("17.º-3"), also=PAIR_ALSO),
    Payout(bet="banker_pair", name="no_pair", holds=_else, odds=LOST, article=art("13.º-4")),
)


def settle(
    wagers: Sequence[Wager],
    verdict: SettlementFacts,
    payouts: Sequence[Payout[SettlementFacts]] = PAYOUTS,
    *,
    is_tracked: bool,
) -> list[SettledWager]:
    return [
        open_wager_of(wager, number).as_settled(rule_for(payouts, wager.bet, verdict), is_tracked=is_tracked)
        for number, wager in enumerate(wagers)
    ]


def open_wager_of(wager: Wager, number: int) -> OpenWager:
    stake = stake_of(wager)
    return OpenWager(seat=wager.seat, bet=wager.bet, id=wager.id, hand=1, stake=stake, original=stake, number=number)

"""A wager that is not decided yet, and its entries in the log."""

from fractions import Fraction
from typing import Any, Final

import msgspec
from msgspec import UNSET

from regulations.events.outputs import CARRIED, ReturnedWager, SettledWager
from regulations.events.vocabulary import Bet
from regulations.law.payouts import Payout

NOTHING: Final = Fraction(0)


def net_of(stake: int, odds: Fraction) -> tuple[int, Fraction]:
    """Rounded half-even, with the residue (reading G1)."""
    # Whole numbers all the way: a fraction is made only where something is left over.
    units, of = odds.as_integer_ratio()
    net, rest = divmod(stake * units, of)
    if 2 * rest > of or (2 * rest == of and net % 2):
        net += 1
        rest -= of
    return net, Fraction(rest, of) if rest else NOTHING


class OpenWager(msgspec.Struct, kw_only=True):
    """A wager that is not decided yet.

    Attributes:
        seat: from 1; 0: any bettor.
        stake: at risk, minor units; if not recorded, in units first put down.
        pair: a later pair, from 1; 0: none (reading J2).
    """

    seat: int
    bet: Bet
    id: int
    hand: int
    stake: int
    original: int
    number: int
    pair: int = 0

    def as_settled(self, rule: Payout[Any], *, is_tracked: bool) -> SettledWager:
        is_carried, odds = rule.odds is None, NOTHING if rule.odds is None else rule.odds
        of = self.stake if rule.of == "stake" else self.original
        net, residue = net_of(of, odds) if is_tracked else (UNSET, NOTHING)
        return SettledWager(
            seat=self.seat or UNSET,
            bet=self.bet,
            id=self.id,
            hand=self.hand,
            stake=self.stake if is_tracked else UNSET,
            net=net,
            pays=UNSET if is_tracked else CARRIED if is_carried else str(odds * Fraction(of, self.original)),
            article=rule.article,
            also=[rule.with_article] if rule.with_article else UNSET,
            residue=UNSET if residue is NOTHING else str(residue),
            carried=True if is_carried and is_tracked else UNSET,
            pair=self.pair or UNSET,
        )

    def as_returned(self, stake: int, *, is_tracked: bool) -> ReturnedWager:
        return ReturnedWager(
            seat=self.seat,
            bet=self.bet,
            id=self.id,
            stake=stake if is_tracked else UNSET,
            hand=self.hand if self.hand > 1 else UNSET,
            pair=self.pair or UNSET,
        )

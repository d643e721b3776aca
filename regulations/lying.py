"""A wager on the table that is not decided yet."""

from dataclasses import dataclass

from msgspec import UNSET

from regulations.events.outputs import ReturnedWager
from regulations.events.vocabulary import Bet


@dataclass(slots=True, kw_only=True)
class Lying:
    """A wager on the table that is not decided yet.

    Attributes:
        seat: from 1.
        bet: the kind of wager.
        id: the bettor on the seat.
        hand: the seat's hand.
        stake: what is at risk now, minor units.
        original: what of it was put down when the bets closed (or, for a split hand, with the split).
        pair: the number of a later pair on the hand, from 1; 0: the wager is about no later pair (reading J2).
        carried: what of it came from an earlier round and is locked.
        number: the wagers of a table in the order in which they were put down.
    """

    seat: int
    bet: Bet
    id: int
    hand: int
    stake: int
    original: int
    pair: int = 0
    carried: int = 0
    number: int = 0

    def as_returned(self, stake: int) -> ReturnedWager:
        """The entry of a ``voided`` line."""
        hand = self.hand if self.hand > 1 else UNSET
        return ReturnedWager(seat=self.seat, bet=self.bet, id=self.id, stake=stake, hand=hand, pair=self.pair or UNSET)

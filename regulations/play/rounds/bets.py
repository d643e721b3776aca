"""Checks of the wagers when the bets close."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from regulations.events.inputs import BetsClosed, BetsCorrected, Wager
from regulations.events.vocabulary import Bet
from regulations.law import stakes
from regulations.law.sheet import BetLaw
from regulations.play.context.context import RuleContext
from regulations.play.rounds.ledger import Ledger


class RequestedBets(Struct, frozen=True):
    seats: Sequence[int] = ()
    wagers: Sequence[Wager] = ()


_NONE_ASKED: Final = RequestedBets()


class BetGuards(ABC):
    def __init__(self, context: RuleContext, bets: Collection[Bet]) -> None:
        self._context: Final = context
        self._known: Final = bets

    @property
    def asked(self) -> RequestedBets:
        """The seats of the event in hand, and its wagers."""
        event = self._context.scope.turn.event
        return (
            RequestedBets(event.seats, event.wagers) if isinstance(event, BetsClosed | BetsCorrected) else _NONE_ASKED
        )

    @abstractmethod
    def _staked(self, wagers: Sequence[Wager]) -> Sequence[int]:
        """The seats with a stake; the first that does not play is named."""

    def _must_stake(self, seats: Sequence[int]) -> Sequence[int]:
        return seats

    def seat_unknown(self) -> str | None:
        asked = self.asked
        places = self._context.table.seats
        for seat in asked.seats:
            if not 1 <= seat <= places:
                return f"seat {seat}, the table has 1 to {places}"
        for seat in self._staked(asked.wagers):
            if seat not in asked.seats:
                return f"seat {seat} has a wager and is not among `seats`"
        return "a seat is named twice" if len(set(asked.seats)) < len(asked.seats) else None

    def wager_of_another_game(self) -> str | None:
        bet = next((wager.bet for wager in self.asked.wagers if wager.bet not in self._known), None)
        return None if bet is None else f"{bet!r}; there are {', '.join(sorted(self._known))}"

    def wager_twice(self) -> str | None:
        keys = [(wager.seat, wager.bet, wager.id) for wager in self.asked.wagers]
        return "tell bettors on one seat apart by `id`" if len(set(keys)) < len(keys) else None

    def stake_named(self) -> str | None:
        return None if self._context.deal.is_tracked else stakes.unexpected_stake(self.asked.wagers)

    def beyond_limits(self) -> str | None:
        return stakes.beyond(self._context.deal.options["limits"], self.asked.wagers)

    def wager_missing(self) -> str | None:
        if not self._context.deal.is_tracked:
            return None
        asked = self.asked
        if fault := stakes.missing(asked.wagers):
            return fault
        missing = sorted(set(self._must_stake(asked.seats)).difference(self._staked(asked.wagers)))
        return f"seat {missing[0]}" if missing else None


class SeatBetGuards(BetGuards):
    def __init__(self, context: RuleContext, law: BetLaw, ledger: Ledger) -> None:
        super().__init__(context, law.all)
        self._law: Final = law
        self._ledger: Final = ledger

    @property
    def asked(self) -> RequestedBets:
        asked = super().asked
        if self._context.deal.is_tracked:
            return asked
        added = self._understood(asked.seats, asked.wagers)
        return RequestedBets(asked.seats, sorted([*asked.wagers, *added], key=lambda wager: wager.seat))

    def _staked(self, wagers: Sequence[Wager]) -> Sequence[int]:
        return sorted({*(wager.seat for wager in wagers), *(one.seat for one in self._ledger.carried)})

    def _understood(self, seats: Sequence[int], wagers: Sequence[Wager]) -> list[Wager]:
        told = {*(wager.seat for wager in wagers), *(one.seat for one in self._ledger.carried)}
        return [Wager(seat=seat, bet=self._law.main) for seat in seats if seat not in told]

    def carried_left_out(self) -> str | None:
        seats = self.asked.seats
        left_out = next((one.seat for one in self._ledger.carried if one.seat not in seats), None)
        return None if left_out is None else f"seat {left_out}"

    def no_seats(self) -> bool:
        return not self.asked.seats

    def needed_wager_missing(self) -> str | None:
        own = self._law.needs_own
        there = [(wager.seat, wager.bet, wager.id) for wager in self.asked.wagers]
        there += [(one.seat, one.bet, one.id) for one in self._ledger.carried]
        for wager in self.asked.wagers:
            needed = self._law.needs.get(wager.bet)
            if needed is None or any(
                (seat, bet) == (wager.seat, needed) and (not own or bettor == wager.id) for seat, bet, bettor in there
            ):
                continue
            whose = f"of the same bettor ({wager.id})" if own else "on the same seat"
            return f"seat {wager.seat}: {wager.bet} needs {needed} {whose}"
        return None

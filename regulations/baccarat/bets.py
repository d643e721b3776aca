"""Wagers and demonstrations: what may stand on the table when the bets close (55/2004 arts. 2.º-2, 13.º)."""

from collections.abc import Sequence
from typing import Final

from regulations import stakes
from regulations.baccarat.law import BETS
from regulations.desk import Desk
from regulations.events.inputs import BetsClosed, Wager


class Bets:
    """The wagers of the open round and the demonstrations of the shoe; its questions are guards of the rule table.

    Args:
        desk: what the machines of the table share.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self.wagers: list[Wager] = []
        """What lies on the table; at seat 0 what stands for whoever has such a wager."""
        self.announced = False
        """Whether the coming round is a demonstration."""
        self.demonstrations = 0
        """Those that this shoe game has had."""
        self.wagered = False
        """Whether a wagered round of this shoe game has begun."""

    def new_shoe(self) -> None:
        """Demonstrations may be dealt again."""
        self.announced = self.wagered = False
        self.demonstrations = 0

    def begin_round(self) -> None:
        """The coming round begins, as a demonstration if it was announced as one."""
        if self.announced:
            self.demonstrations += 1
        else:
            self.wagered = True
            self.wagers = self._put_down()
        self.announced = False

    def _put_down(self) -> list[Wager]:
        """What is told of the wagers; and one of each kind, at no seat, where nobody tells who put down what."""
        seats, wagers = self._asked()
        is_told = self._desk.is_tracked or (wagers and {wager.seat for wager in wagers}.issuperset(seats))
        return [*wagers, *(() if is_told else (Wager(seat=0, bet=bet) for bet in BETS))]

    def demonstration_possible(self) -> bool:
        """Whether a demonstration may be announced now."""
        return not (
            self.without_a_shoe()
            or self.wagered_round_dealt()
            or self.demonstration_announced()
            or self.demonstrations >= self._desk.options["demonstration_rounds"]
        )

    # --- guards ------------------------------------------------------------------------------------------------------

    def _asked(self) -> tuple[Sequence[int], Sequence[Wager]]:
        event = self._desk.event
        return (event.seats, event.wagers) if isinstance(event, BetsClosed) else ((), ())

    def seat_unknown(self) -> bool:
        """Whether a seat does not exist, is named twice, or has a wager without playing."""
        seats, wagers = self._asked()
        places = self._desk.table.seats
        for seat in seats:
            if not 1 <= seat <= places:
                return self._desk.finds(f"seat {seat}, the table has 1 to {places}")
        for wager in wagers:
            if wager.seat not in seats:
                return self._desk.finds(f"seat {wager.seat} has a wager and is not among `seats`")
        return self._desk.finds("a seat is named twice" if len(set(seats)) < len(seats) else None)

    def demonstration_with_wagers(self) -> bool:
        """Whether wagers are laid on a demonstration."""
        return self.announced and bool(self._asked()[1])

    def wager_of_another_game(self) -> bool:
        """Whether a wager is none of art. 13.º."""
        bet = next((wager.bet for wager in self._asked()[1] if wager.bet not in BETS), None)
        return self._desk.finds(None if bet is None else f"{bet!r}; there are {', '.join(sorted(BETS))}")

    def wager_twice(self) -> bool:
        """Whether a seat, bet and bettor occur twice."""
        keys = [(wager.seat, wager.bet, wager.id) for wager in self._asked()[1]]
        return self._desk.finds("tell bettors on one seat apart by `id`" if len(set(keys)) < len(keys) else None)

    def stake_told(self) -> bool:
        """Whether a stake is named at a table that is not told the stakes."""
        return self._desk.finds(None if self._desk.is_tracked else stakes.told(self._asked()[1]))

    def beyond_limits(self) -> bool:
        """Whether a wager is below or above what the house takes."""
        return self._desk.finds(stakes.beyond(self._desk.options["limits"], self._asked()[1]))

    def wager_missing(self) -> bool:
        """Whether a seat plays without a wager, or a stake is no money."""
        seats, wagers = self._asked()
        if not self._desk.is_tracked:
            return self._desk.finds(None)
        if fault := stakes.missing(wagers):
            return self._desk.finds(fault)
        missing = [] if self.announced else sorted(set(seats) - {wager.seat for wager in wagers})
        return self._desk.finds(f"seat {missing[0]}" if missing else None)

    def without_a_shoe(self) -> bool:
        """Whether no shoe deals."""
        return self._desk.is_direct

    def wagered_round_dealt(self) -> bool:
        """Whether a wagered round of this shoe has begun."""
        return self.wagered

    def demonstration_announced(self) -> bool:
        """Whether the coming round is a demonstration."""
        return self.announced

    def demonstrations_used_up(self) -> bool:
        """Whether the profile allows no further demonstration in this shoe."""
        allowed = self._desk.options["demonstration_rounds"]
        used_up = self.demonstrations >= allowed
        return self._desk.finds(f"{self.demonstrations} of {allowed} dealt" if used_up else None)

    # --- effects -----------------------------------------------------------------------------------------------------

    def announce_demonstration(self) -> None:
        """The coming round is a demonstration."""
        self.announced = True

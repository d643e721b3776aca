"""What may lie on the table when the bets close; the questions are guards of the rule tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from regulations import stakes
from regulations.desk import Desk
from regulations.events.inputs import BetsClosed, BetsCorrected, Wager
from regulations.events.vocabulary import Bet
from regulations.round.ledger import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class BetLaw:
    """The wagers that a regulation knows.

    Attributes:
        bets: all that may be put down when the bets close.
        main: the bet of a seat that names none, where the table is not told the stakes.
        needs: a bet that is only taken on a seat that has another one, of whomever.
    """

    bets: frozenset[Bet]
    main: Bet
    needs: Mapping[Bet, Bet] = field(default_factory=dict)


class Bets:
    """The wagers that are asked for.

    Args:
        desk: what the machines of the table share.
        law: the wagers of the regulation.
        ledger: the wagers that are carried.
    """

    def __init__(self, desk: Desk, law: BetLaw, ledger: Ledger) -> None:
        self._desk: Final = desk
        self._law: Final = law
        self._ledger: Final = ledger

    @property
    def asked(self) -> tuple[Sequence[int], Sequence[Wager]]:
        """The seats of the event in hand, and its wagers: told, or understood where nobody tells the stakes."""
        event = self._desk.event
        seats, told = (event.seats, event.wagers) if isinstance(event, BetsClosed | BetsCorrected) else ([], [])
        if self._desk.is_tracked:
            return seats, told
        return seats, sorted([*told, *self._understood(seats, told)], key=lambda wager: wager.seat)

    def _understood(self, seats: Sequence[int], wagers: Sequence[Wager]) -> list[Wager]:
        """The main wager of the first bettor on each seat of which nothing is told, and on which nothing is carried."""
        told = {*(wager.seat for wager in wagers), *(one.seat for one in self._ledger.carried)}
        return [Wager(seat=seat, bet=self._law.main) for seat in seats if seat not in told]

    def no_seats(self) -> bool:
        """Whether nobody plays."""
        return not self.asked[0]

    def seat_unknown(self) -> bool:
        """Whether a seat does not exist, is named twice, or has a wager without playing."""
        seats, wagers = self.asked
        places = self._desk.table.seats
        for seat in seats:
            if not 1 <= seat <= places:
                return self._desk.finds(f"seat {seat}, the table has 1 to {places}")
        playing = {*(wager.seat for wager in wagers), *(one.seat for one in self._ledger.carried)}
        missing = sorted(playing - set(seats))
        if missing:
            return self._desk.finds(f"seat {missing[0]} has a wager and is not among `seats`")
        return self._desk.finds("a seat is named twice" if len(set(seats)) < len(seats) else None)

    def wager_of_another_game(self) -> bool:
        """Whether a wager is none of the regulation's."""
        bets = self._law.bets
        bet = next((wager.bet for wager in self.asked[1] if wager.bet not in bets), None)
        return self._desk.finds(None if bet is None else f"{bet!r}; there are {', '.join(sorted(bets))}")

    def wager_twice(self) -> bool:
        """Whether a seat, bet and bettor occur twice."""
        keys = [(wager.seat, wager.bet, wager.id) for wager in self.asked[1]]
        return self._desk.finds("tell bettors on one seat apart by `id`" if len(set(keys)) < len(keys) else None)

    def stake_told(self) -> bool:
        """Whether a stake is named at a table that is not told the stakes."""
        return self._desk.finds(None if self._desk.is_tracked else stakes.told(self.asked[1]))

    def beyond_limits(self) -> bool:
        """Whether a wager is below or above what the house takes."""
        return self._desk.finds(stakes.beyond(self._desk.options["limits"], self.asked[1]))

    def wager_missing(self) -> bool:
        """Whether a seat plays without a wager, or a stake is no money."""
        seats, wagers = self.asked
        if self._desk.is_tracked and (fault := stakes.missing(wagers)):
            return self._desk.finds(fault)
        missing = sorted(set(seats) - {wager.seat for wager in wagers} - {one.seat for one in self._ledger.carried})
        return self._desk.finds(f"seat {missing[0]}" if missing else None)

    def needed_wager_missing(self) -> bool:
        """Whether a wager stands on a seat without the one that it needs."""
        lying = {(wager.seat, wager.bet) for wager in self.asked[1]}
        lying |= {(one.seat, one.bet) for one in self._ledger.carried}
        for wager in self.asked[1]:
            needed = self._law.needs.get(wager.bet)
            if needed is not None and (wager.seat, needed) not in lying:
                return self._desk.finds(f"seat {wager.seat}: {wager.bet} needs {needed} on the same seat")
        return self._desk.finds(None)

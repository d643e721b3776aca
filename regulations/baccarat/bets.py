"""Wagers and demonstrations: what may stand on the table when the bets close (55/2004 arts. 2.º-2, 12.º, 13.º)."""

from collections.abc import Sequence
from typing import Final

from regulations import stakes
from regulations.baccarat.law import BETS
from regulations.baccarat.tie_hold import TieHold
from regulations.desk import Desk
from regulations.events.inputs import BettorLeft, Wager
from regulations.events.vocabulary import Side
from regulations.round.bets import BetQuestions
from regulations.snapshot import BaccaratSnapshot


class Bets(BetQuestions):
    """The wagers of the open round and the demonstrations of the shoe; its questions are guards of the rule table.

    Args:
        desk: what the machines of the table share.
        lasting: what outlives a round.
    """

    def __init__(self, desk: Desk, lasting: BaccaratSnapshot) -> None:
        super().__init__(desk, BETS)
        self._lasting: Final = lasting
        self.wagers: list[Wager] = []
        """The wagers on the table; at seat 0, one that stands for whoever has such a wager."""
        self.demonstrates = False
        """True if the open round is one."""
        self.hold: Final = TieHold(lasting)
        """The stakes that stood in a tie."""

    def new_shoe(self) -> None:
        """Demonstrations may be dealt again; a tie of the last shoe game binds nobody."""
        self.hold.end()
        self._lasting.announced = self._lasting.wagered = False
        self._lasting.demonstrations = 0

    def begin_round(self) -> None:
        """The coming round begins, as a demonstration if it was announced as one."""
        lasting = self._lasting
        self.demonstrates = lasting.announced
        if lasting.announced:
            lasting.demonstrations += 1
        else:
            lasting.wagered = True
        lasting.announced = False

    def _put_down(self) -> list[Wager]:
        """The wagers as told; where nobody tells who put down what, one of each kind as well, at no seat."""
        seats, wagers = self.asked
        is_told = wagers and {wager.seat for wager in wagers}.issuperset(seats)
        if self._desk.is_tracked or self.demonstrates or is_told:
            return list(wagers)
        return [*wagers, *(Wager(seat=0, bet=bet) for bet in BETS)]

    def close_round(self, *, tied: bool) -> None:
        """The round is closed: what stood in a tie is held, all else is gone."""
        self.hold.end()
        if tied:
            self.hold.begin(self.wagers)
        self.wagers = []
        self.demonstrates = False

    def handler(self, side: Side) -> Wager | None:
        """The wager of who may handle a side's cards: the highest of a seated bettor, of equal ones the first seat's.

        The seated bettor is the one with the lowest id on a seat (art. 16.º-2, readings B17, J22). Where the table is
        not told the stakes it does not know.
        """
        if not self._desk.is_tracked:
            return None
        seated: dict[int, int] = {}
        for wager in self.wagers:
            seated[wager.seat] = min(wager.id, seated.get(wager.seat, wager.id))
        on_side = [wager for wager in self.wagers if wager.bet == side and wager.id == seated[wager.seat]]
        return min(on_side, key=lambda wager: (-stakes.stake_of(wager), wager.seat), default=None)

    def demonstration_possible(self) -> bool:
        """True if a demonstration may be announced now."""
        return not (
            self.without_a_shoe()
            or self.wagered_round_dealt()
            or self.demonstration_announced()
            or self._lasting.demonstrations >= self._desk.options["demonstration_rounds"]
        )

    # --- guards ------------------------------------------------------------------------------------------------------

    @property
    def _is_demonstration(self) -> bool:
        return self._lasting.announced or self.demonstrates

    def _staked(self, wagers: Sequence[Wager]) -> Sequence[int]:
        return [wager.seat for wager in wagers]

    def _must_stake(self, seats: Sequence[int]) -> Sequence[int]:
        return () if self._is_demonstration else seats

    def demonstration_with_wagers(self) -> bool:
        """True if wagers are laid on a demonstration."""
        return self._is_demonstration and bool(self.asked[1])

    def held_stake_changed(self) -> bool:
        """True if a stake that stood in a tie would become what the table does not let it (reading B12)."""
        seats, wagers = self.asked
        ways, tracked = self._desk.options["tie_wagers"], self._desk.is_tracked
        return self._desk.finds(self.hold.fault(seats, wagers, ways, is_tracked=tracked))

    def nothing_held(self) -> bool:
        """True if the bettor who leaves has no stake that is held."""
        event = self._desk.event_as(BettorLeft)
        return self._desk.finds(
            None if self.hold.holds((event.seat, event.id)) else f"seat {event.seat}, id {event.id}"
        )

    def without_a_shoe(self) -> bool:
        """True if no shoe deals."""
        return self._desk.is_direct

    def wagered_round_dealt(self) -> bool:
        """True if a wagered round of this shoe has begun."""
        return self._lasting.wagered

    def demonstration_announced(self) -> bool:
        """True if the coming round is a demonstration."""
        return self._lasting.announced

    def demonstrations_used_up(self) -> bool:
        """True if the profile allows no further demonstration in this shoe."""
        allowed = self._desk.options["demonstration_rounds"]
        used_up = self._lasting.demonstrations >= allowed
        return self._desk.finds(f"{self._lasting.demonstrations} of {allowed} dealt" if used_up else None)

    # --- effects -----------------------------------------------------------------------------------------------------

    def take_wagers(self) -> None:
        """Notes what lies on the table."""
        self.wagers = self._put_down()

    def keep_held(self) -> None:
        """The first card has closed the bets: held stakes stand as kept, and of others nobody tells anything."""
        self.wagers = [*(wager for wager in self.hold.kept() if wager.seat), *self._put_down()]

    def let_bettor_go(self) -> None:
        """The bettor has left: nothing of theirs is held."""
        event = self._desk.event_as(BettorLeft)
        self.hold.let_go((event.seat, event.id))

    def announce_demonstration(self) -> None:
        """The coming round is a demonstration."""
        self._lasting.announced = True

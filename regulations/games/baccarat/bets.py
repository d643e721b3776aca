"""Wagers and demonstrations as the bets close (55/2004 arts. 2.º-2, 12.º, 13.º)."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import BettorLeft, Wager
from regulations.events.outputs import ReturnedWager, Voided
from regulations.events.vocabulary import Outcome, Side
from regulations.games.baccarat.law import BETS, art
from regulations.games.baccarat.snapshot import BaccaratSnapshot
from regulations.games.baccarat.tie_hold import SIDES, TieHold
from regulations.law import stakes
from regulations.law.stakes import DIFFERENCE, stake_of
from regulations.play.context.context import RuleContext
from regulations.play.context.snapshot import renew
from regulations.play.rounds.bets import BetGuards


class BetRules(BetGuards):
    def __init__(self, context: RuleContext, lasting: BaccaratSnapshot) -> None:
        super().__init__(context, BETS)
        self._lasting: Final = lasting
        self.wagers: list[Wager] = []
        self.demonstrates = False
        self.hold: Final = TieHold(lasting)

    def new_shoe(self) -> None:
        renew(self._lasting, "announced", "wagered", "demonstrations")

    def begin_round(self) -> None:
        lasting = self._lasting
        self.demonstrates = lasting.announced
        if lasting.announced:
            lasting.demonstrations += 1
        else:
            lasting.wagered = True
        lasting.announced = False

    def _put_down(self) -> list[Wager]:
        asked = self.asked
        wagers = asked.wagers
        is_told = wagers and {wager.seat for wager in wagers}.issuperset(asked.seats)
        if self._context.deal.is_tracked or self.demonstrates or is_told:
            return list(wagers)
        return [*wagers, *(Wager(seat=0, bet=bet) for bet in BETS)]

    def close_round(self, outcome: Outcome | None) -> None:
        if outcome is not None and not self.demonstrates:
            self.hold.end()
            if outcome == "tie":
                self.hold.begin(self.wagers)
        self.wagers = []
        self.demonstrates = False

    def handler(self, side: Side) -> tuple[Wager, str] | None:
        """The wager whose bettor may handle a side's cards, with the rule; ``None``: no such wager known."""
        if not self._context.deal.is_tracked:
            return None
        seated: dict[int, int] = {}
        for wager in self.wagers:
            seated[wager.seat] = min(wager.id, seated.get(wager.seat, wager.id))
        on_side = [wager for wager in self.wagers if wager.bet == side and wager.id == seated[wager.seat]]
        if not on_side:
            return None
        highest = max(map(stakes.stake_of, on_side))
        first, *equal = sorted((one for one in on_side if stakes.stake_of(one) == highest), key=lambda one: one.seat)
        return first, "reading B17" if equal else art("16.º-2")

    @property
    def opens_with_card(self) -> bool:
        options = self._context.deal.options
        return not self._context.deal.is_tracked or bool(options["rounds_without_wagers"]) or self._lasting.announced

    def returned(self, reason: str, wagers: Sequence[Wager]) -> Voided:
        """Held stakes that go back to their bettors, and why."""
        return Voided(article="reading B12", reason=reason, wagers=[_returned(one, stake_of(one)) for one in wagers])

    def put_down(self) -> list[ReturnedWager]:
        return [_returned(one, stake) for one, stake in self.hold.new_money(self.wagers) if stake]

    def demonstration_possible(self) -> bool:
        return not (
            self.without_a_shoe()
            or self.wagered_round_dealt()
            or self.demonstration_announced()
            or self._lasting.demonstrations >= self._context.deal.options["demonstration_rounds"]
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
        return self._is_demonstration and bool(self.asked.wagers)

    def becomes_demonstration(self) -> bool:
        return not self.asked.wagers and not self.opens_with_card and self.demonstration_possible()

    def round_without_wagers(self) -> bool:
        allowed = self.opens_with_card or self.demonstrates or self.becomes_demonstration()
        return not allowed and not self.asked.wagers

    def difference_beyond(self) -> str | None:
        most = self._context.deal.options["limits"].get(DIFFERENCE)
        if most is None:
            return None
        sums = dict.fromkeys(SIDES, 0)
        for wager, stake in self.hold.new_money(self.asked.wagers):
            if wager.bet in SIDES:
                sums[wager.bet] += stake
        apart = abs(sums["player"] - sums["banker"])
        found = f"player {sums['player']}, banker {sums['banker']}: {apart} minor units apart, the most is {most}"
        return found if apart > most else None

    def held_stake_changed(self) -> str | None:
        if self._is_demonstration or self.becomes_demonstration():
            return None
        asked = self.asked
        ways, tracked = self._context.deal.options["tie_wagers"], self._context.deal.is_tracked
        return self.hold.fault(asked.seats, asked.wagers, ways, is_tracked=tracked)

    def nothing_held(self) -> str | None:
        event = self._context.event_as(BettorLeft)
        return None if self.hold.holds((event.seat, event.id)) else f"seat {event.seat}, id {event.id}"

    def without_a_shoe(self) -> bool:
        return self._context.deal.is_direct

    def wagered_round_dealt(self) -> bool:
        return self._lasting.wagered

    def demonstration_announced(self) -> bool:
        return self._lasting.announced

    def demonstrations_used_up(self) -> str | None:
        allowed = self._context.deal.options["demonstration_rounds"]
        used_up = self._lasting.demonstrations >= allowed
        return f"{self._lasting.demonstrations} of {allowed} dealt" if used_up else None

    # --- effects -----------------------------------------------------------------------------------------------------

    def record_wagers(self) -> None:
        self.wagers = self._put_down()

    def carry_held_stakes(self) -> None:
        kept = [] if self.demonstrates else self.hold.held_wagers()
        self.wagers = [*(wager for wager in kept if wager.seat), *self._put_down()]

    def let_bettor_go(self) -> None:
        event = self._context.event_as(BettorLeft)
        self._context.emit(self.returned("bettor_left", self.hold.let_go((event.seat, event.id))))

    def announce_demonstration(self) -> None:
        self._lasting.announced = True


def _returned(wager: Wager, stake: int) -> ReturnedWager:
    return ReturnedWager(
        seat=wager.seat or UNSET,
        bet=wager.bet,
        id=wager.id,
        stake=UNSET if wager.stake is UNSET else stake,
    )

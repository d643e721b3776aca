"""Wagers of a round: settled or returned exactly once, or carried (readings G2, G3)."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import structs

from regulations.events.inputs import Wager
from regulations.events.outputs import ReturnedWager, Reversed, Settled, SettledWager
from regulations.events.vocabulary import Bet
from regulations.law.payouts import Payout
from regulations.law.stakes import stake_of
from regulations.play.context.context import RuleContext
from regulations.play.context.open_wager import OpenWager
from regulations.play.context.snapshot import SeatSnapshot

Decided = tuple[OpenWager, Payout[Any]]


class Ledger:
    def __init__(self, context: RuleContext, lasting: SeatSnapshot) -> None:
        self._context: Final = context
        self._lasting: Final = lasting
        self.open: list[OpenWager] = []
        self._settled: list[tuple[OpenWager, SettledWager]] = []
        self._before_result: int

    @property
    def carried(self) -> list[OpenWager]:
        """The wagers that earlier rounds left, as before the open one; between rounds as :attr:`open`."""
        return self._lasting.carried

    def carry_over(self) -> None:
        self.open = [structs.replace(one) for one in self.carried]
        self._settled = []

    # --- putting down ------------------------------------------------------------------------------------------------

    def add(self, wagers: Sequence[Wager]) -> None:
        for wager in wagers:
            carried = self.find(wager.seat, wager.bet, wager.id)
            if carried is None:
                self.put(wager.seat, wager.bet, wager.id, stake=stake_of(wager))
            else:
                carried.stake += stake_of(wager)
                carried.original = carried.stake

    def replace_all(self, wagers: Sequence[Wager]) -> None:
        self.open = [structs.replace(one) for one in self.carried]
        self.add(wagers)

    def put(self, seat: int, bet: Bet, bettor: int, *, stake: int, hand: int = 1, pair: int = 0) -> None:
        """Puts a wager down in the round (a split hand's, an insurance; with ``pair`` the number of a later pair)."""
        self._lasting.put_down = number = self._lasting.put_down + 1
        self.open.append(
            OpenWager(seat=seat, bet=bet, id=bettor, hand=hand, stake=stake, original=stake, pair=pair, number=number)
        )

    # --- looking -----------------------------------------------------------------------------------------------------

    def find(self, seat: int, bet: Bet, bettor: int, hand: int = 1) -> OpenWager | None:
        key = (seat, bet, bettor, hand)
        return next((one for one in self.open if (one.seat, one.bet, one.id, one.hand) == key), None)

    def on(self, seat: int, bet: Bet, hand: int | None = None) -> list[OpenWager]:
        """The undecided wagers of one kind on a seat, or on one hand of it."""
        return [one for one in self.open if (one.seat, one.bet) == (seat, bet) and hand in (None, one.hand)]

    # --- settling ----------------------------------------------------------------------------------------------------

    def settle(self, decided: Iterable[Decided], article: str) -> None:
        """Settle wagers in one ``settled`` line; without wagers emit nothing."""
        tracked = self._context.deal.is_tracked
        entries = [(wager, wager.as_settled(rule, is_tracked=tracked)) for wager, rule in decided]
        if not entries:
            return
        gone = {id(wager) for wager, entry in entries if not entry.is_carried}
        self.open = [one for one in self.open if id(one) not in gone]
        self._settled += entries
        self._context.emit(Settled(article=article, wagers=[entry for _, entry in entries]))

    def result_follows(self) -> None:
        """Mark later settlements for `reverse_result`."""
        self._before_result = len(self._settled)

    def reverse_result(self, article: str) -> None:
        """Its wagers are on the table again."""
        self._reverse(article, self._before_result)

    def _reverse(self, article: str, first: int) -> None:
        falling = self._settled[first:]
        self._settled = self._settled[:first]
        self.open += [wager for wager, entry in falling if not entry.is_carried]
        self.open.sort(key=lambda one: one.number)
        self._context.emit(Reversed(article=article, wagers=[entry for _, entry in falling]))

    # --- the end -----------------------------------------------------------------------------------------------------

    def void(self, article: str) -> list[ReturnedWager]:
        """Reverse all settlements; return the stakes put down in the round (reading G3)."""
        if self._settled:
            self._reverse(article, 0)
        before = {one.number: one.stake for one in self.carried}
        put_down = [(one, one.stake - before.get(one.number, 0)) for one in self.open]
        self.open = [structs.replace(one) for one in self.carried]
        tracked = self._context.deal.is_tracked
        return [one.as_returned(stake, is_tracked=tracked) for one, stake in put_down if stake]

    def give_back_carried(self) -> list[ReturnedWager]:
        return [one.as_returned(one.stake, is_tracked=self._context.deal.is_tracked) for one in self.open]

    def close(self) -> None:
        self._lasting.carried = [structs.replace(one) for one in self.open]
        self._settled = []

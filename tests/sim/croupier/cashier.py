"""Follows every wager of a table: each must be settled or returned once, with the stake that was at risk."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import UNSET

from regulations.events import inputs, outputs
from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput


class Key(NamedTuple):
    """What tells a wager from another."""

    seat: int
    bet: str
    id: int
    hand: int = 1


class Account(NamedTuple):
    """How many wagers of one key, and the money on them."""

    wagers: int = 0
    stake: int = 0

    def plus(self, stake: int, wagers: int = 1) -> "Account":
        return Account(self.wagers + wagers, self.stake + stake)


class Cashier:
    """Knows what is at risk from inputs alone, and compares it with what the table settles and returns."""

    def __init__(self) -> None:
        self.carried: dict[Key, int] = {}
        self.settled: Counter[str] = Counter()
        self.net: Counter[str] = Counter()
        self.faults: list[str] = []
        self._carried_before: dict[Key, int] = {}
        self._wagers: dict[Key, int] = {}
        """What was put down at first, for each hand."""
        self._at_risk: defaultdict[Key, Account] = defaultdict(Account)
        self._done: defaultdict[Key, Account] = defaultdict(Account)

    def notice(self, event: AnyInput, answer: Sequence[AnyOutput]) -> None:
        if isinstance(answer[0], outputs.Refused):
            return
        if isinstance(event, inputs.BetsClosed):
            self._open(event)
        elif isinstance(event, inputs.Decision):
            self._decide(event)
        for output in answer:
            if isinstance(output, outputs.Settled):
                self._settle(output.wagers, 1)
            elif isinstance(output, outputs.Reversed):
                self._settle(output.wagers, -1)
                self.carried = dict(self._carried_before)
            elif isinstance(output, outputs.Voided):
                self._return(output.wagers, is_closed=isinstance(event, inputs.Closed))
        if isinstance(event, inputs.RoundClosed):
            self._check()

    def _open(self, event: inputs.BetsClosed) -> None:
        self._carried_before = dict(self.carried)
        self._at_risk.clear()
        self._done.clear()
        self._wagers = dict(self.carried)
        for wager in event.wagers:
            key = Key(wager.seat, wager.bet, wager.id)
            self._wagers[key] = self._wagers.get(key, 0) + wager.stake
        for key, stake in self._wagers.items():
            self._at_risk[key] = Account(1, stake)

    def _decide(self, event: inputs.Decision) -> None:
        seat, hand = event.seat, event.hand
        mains = [key for key in self._wagers if (key.seat, key.bet, key.hand) == (seat, "main", hand)]
        match event.action:
            case "double":
                for key in mains:
                    self._at_risk[key] = self._at_risk[key].plus(self._wagers[key], 0)
            case "split":
                new = 1 + max(key.hand for key in self._wagers if (key.seat, key.bet) == (seat, "main"))
                for key in mains:
                    self._put(key._replace(hand=new), self._wagers[key])
                if event.any_pair is not UNSET:
                    self._late(Key(seat, "any_pair", event.id, hand), event.any_pair)
            case "insurance" if event.amount is not UNSET:
                self._late(Key(seat, "insurance", event.id, hand), event.amount)
            case "challenge":
                key = Key(seat, "ante", event.id)
                self._at_risk[key] = self._at_risk[key].plus(self._wagers[key], 0)
            case _:
                return

    def _put(self, key: Key, stake: int) -> None:
        self._wagers[key] = stake
        self._at_risk[key] = Account(1, stake)

    def _late(self, key: Key, stake: int) -> None:
        self._at_risk[key] = self._at_risk[key].plus(stake)

    def _settle(self, wagers: Iterable[outputs.SettledWager], step: int) -> None:
        for one in wagers:
            key = Key(one.seat, one.bet, one.id, one.hand)
            self._done[key] = self._done[key].plus(step * one.stake, step)
            self.settled[one.bet] += step
            self.net[one.bet] += step * one.net
            if step > 0:
                self.carried.pop(key, None)
                if one.carried is True:
                    self.carried[key] = one.stake

    def _return(self, wagers: Iterable[outputs.ReturnedWager], *, is_closed: bool) -> None:
        for one in wagers:
            key = Key(one.seat, one.bet, one.id, 1 if one.hand is UNSET else one.hand)
            if is_closed:
                if self.carried.pop(key, None) != one.stake:
                    self.faults.append(f"{key}: {one.stake} returned at the close, another stake was carried")
            else:
                self._done[key] = self._done[key].plus(one.stake)

    def _check(self) -> None:
        for key in {*self._at_risk, *self._done} - set(self.carried):
            if self._done[key] != self._at_risk[key]:
                self.faults.append(f"{key}: at risk {self._at_risk[key]}, settled or returned {self._done[key]}")
        for key, stake in self.carried.items():
            if stake not in (self._at_risk[key].stake, self._carried_before.get(key)):
                self.faults.append(f"{key}: {stake} carried, at risk {self._at_risk[key]}")
        self._at_risk.clear()
        self._done.clear()

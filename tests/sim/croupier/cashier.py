"""Follows every wager of a table: each must be settled or returned once, with the stake that was at risk."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from regulations.events import inputs, outputs
from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput
from regulations.events.vocabulary import Bet
from regulations.games.baccarat.result import BaccaratResult


class Key(NamedTuple):
    """The key that tells a wager from another."""

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

    def __init__(self, *, stakes_known: bool = True, usual: Bet | None = None) -> None:
        self._stakes_told = stakes_known
        self._usual = usual
        self.carried: dict[Key, int] = {}
        self.settled: Counter[str] = Counter()
        self.net: Counter[str] = Counter()
        self.paid: Counter[tuple[str, str | UnsetType]] = Counter()
        self.faults: list[str] = []
        self._carried_before: dict[Key, int] = {}
        self.held: dict[Key, int] = {}
        """Of baccarat: what stood in a tie, until a round has another end (55/2004 art. 12.º, reading B12)."""
        self._outcome: str | None = None
        """Of the open round of baccarat; ``None``: it is void, or undecided."""
        self._wagers: dict[Key, int] = {}
        """The first stake of each hand."""
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
            elif isinstance(output, BaccaratResult):
                self._outcome = output.outcome
            elif isinstance(output, outputs.Reversed):
                self._outcome = None
                self._settle(output.wagers, -1)
                self.carried = dict(self._carried_before)
            elif isinstance(output, outputs.Voided):
                self._outcome = None
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
            self._wagers[key] = self._wagers.get(key, 0) + _money(wager.stake)
        if not self._stakes_told and self._usual is not None:
            silent = set(event.seats) - {key.seat for key in self._wagers}
            self._wagers.update({Key(seat, self._usual, 1): 0 for seat in silent})
        for key, stake in self._wagers.items():
            self._at_risk[key] = Account(1, stake)

    def _decide(self, event: inputs.Decision) -> None:
        seat, hand = event.seat, event.hand
        # A bettor who surrendered has left the hand, whatever another one on it decides then (56/2004 art. 18.º-1).
        mains = [
            key
            for key in self._wagers
            if (key.seat, key.bet, key.hand) == (seat, "main", hand) and not self._done.get(key, Account()).wagers
        ]
        match event.action:
            case "double":
                for key in mains:
                    self._at_risk[key] = self._at_risk[key].plus(self._wagers[key], 0)
            case "split":
                new = 1 + max(key.hand for key in self._wagers if (key.seat, key.bet) == (seat, "main"))
                for key in mains:
                    self._put(key._replace(hand=new), self._wagers[key])
                if event.any_pair is not UNSET:
                    stake = 0 if isinstance(event.any_pair, bool) else event.any_pair
                    self._late(Key(seat, "any_pair", event.id, hand), stake)
            case "insurance":
                self._late(Key(seat, "insurance", event.id, hand), _money(event.amount))
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
            key = Key(_seat(one.seat), one.bet, one.id, one.hand)
            self._done[key] = self._done[key].plus(step * _money(one.stake), step)
            self.settled[one.bet] += step
            self.net[one.bet] += step * _money(one.net)
            self.paid[one.bet, one.pays] += step
            if step > 0:
                self.carried.pop(key, None)
                if one.is_carried:
                    self.carried[key] = _money(one.stake)

    def _return(self, wagers: Iterable[outputs.ReturnedWager], *, is_closed: bool) -> None:
        for one in wagers:
            key = Key(_seat(one.seat), one.bet, one.id, 1 if one.hand is UNSET else one.hand)
            if is_closed and not key.seat:
                continue  # What whoever had such a wager in a tie gets back.
            if is_closed:
                stays = self.held if key in self.held else self.carried
                if stays.pop(key, None) != _money(one.stake):
                    self.faults.append(f"{key}: {one.stake} returned at the close, another stake was carried")
            else:
                self._done[key] = self._done[key].plus(_money(one.stake))

    def _check(self) -> None:
        held = self._check_held()
        for key in {*self._at_risk, *self._done} - set(self.carried) - held:
            # At no seat: what whoever has such a wager is paid.
            at_risk = self._at_risk[key] if key.seat else Account(1)
            if self._done[key] != at_risk:
                self.faults.append(f"{key}: at risk {self._at_risk[key]}, settled or returned {self._done[key]}")
        for key, stake in self.carried.items():
            if stake not in (self._at_risk[key].stake, self._carried_before.get(key)):
                self.faults.append(f"{key}: {stake} carried, at risk {self._at_risk[key]}")
        if self._outcome is not None:
            stood = [key for key in self._at_risk if key.bet in _SIDES and key.seat and self._outcome == "tie"]
            self.held = {key: self._at_risk[key].stake for key in stood}
        self._outcome = None
        self._at_risk.clear()
        self._done.clear()

    def _check_held(self) -> set[Key]:
        if self._outcome is not None:
            return set()
        bettors = {(key.seat, key.id) for key in self.held}
        looked_at = {
            key for key in {*self._at_risk, *self._done} if key.bet in _SIDES and (key.seat, key.id) in bettors
        }
        for seat, bettor in bettors:
            keys = [key for key in looked_at if (key.seat, key.id) == (seat, bettor)]
            stood = [stake for key, stake in self.held.items() if (key.seat, key.id) == (seat, bettor)]
            if self._stakes_told:
                lay, back = (sum(of[key].stake for key in keys) for of in (self._at_risk, self._done))
                new = max(0, lay - sum(stood))
            else:
                lay, back = (sum(of[key].wagers for key in keys) for of in (self._at_risk, self._done))
                new = max(0, lay - len(stood))
            if back != new:
                self.faults.append(f"seat {seat}, id {bettor}: {back} returned, {new} was put down in the void round")
        return looked_at


_SIDES: Final = ("player", "banker")


def _money(units: int | UnsetType) -> int:
    return 0 if units is UNSET else units


def _seat(seat: int | UnsetType) -> int:
    return 0 if seat is UNSET else seat

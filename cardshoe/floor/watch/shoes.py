"""Judge a log's shoes while they are dealt. Pure; card knowledge stays inside."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from cardshoe.analysis.account import Account, ShoeBets, party
from cardshoe.analysis.lines import Said, ShoeReader
from cardshoe.analysis.order import UnseenCards
from cardshoe.analysis.picking_up import new_decks, orders_of
from cardshoe.analysis.runs import RunSearch
from cardshoe.analysis.shoe import RETURNED, STREAM, Shoe
from cardshoe.analysis.verdict import REFERENCES, references

WatchKind = Literal["kept_order", "shuffle_weak"]

SHOE_WEALTH: Final = 1e8
"""In one shoe: 0.03 false alarms a year for 300 tables (2.6 million shoes)."""
DAY_WEALTH: Final = 1e6
"""In one device and day: 0.11 false alarms a year for 300 devices."""
RUN: Final = 8
RUN_CHANCE: Final = 3.5e-8
"""Most likely chance run in one shoe: 0.09 false alarms a year for 300 tables."""
PAST: Final = 2 * REFERENCES
"""Remembered shoes: the last three of two alternating sets."""
_MOST: Final = 1e99


class ShuffleFinding(NamedTuple):
    """A sign of unshuffled cards.

    Attributes:
        device: empty: not recorded.
        strength: ``k``: shuffled cards show as much once in 10^k.
    """

    kind: WatchKind
    subject: str
    table: str
    log: str
    shoe: int
    device: str
    strength: int


class DayAccounts:
    def __init__(self) -> None:
        self._free: Final[dict[tuple[str, str], list[Account]]] = {}

    def take(self, name: str, day: str) -> Account:
        """Take a free account; accounts of other days are dropped."""
        for other in [key for key in self._free if key[0] == name and key[1] != day]:
            del self._free[other]
        free = self._free.setdefault((name, day), [])
        return free.pop() if free else Account()

    def give_back(self, name: str, day: str, account: Account) -> None:
        self._free.setdefault((name, day), []).append(account)


class LogWatch:
    def __init__(self, log: str, past: list[Shoe], accounts: DayAccounts) -> None:
        self._log: Final = log
        self._past: Final = past
        self._accounts: Final = accounts
        self._reader: Final = ShoeReader()
        self._bets: _Bets | None = None
        self._begin = 0
        self.is_live = False

    def take(self, said: Sequence[Said]) -> Iterator[ShuffleFinding]:
        """Take an input with its answers."""
        done = self._reader.apply(said)
        if done is not None:
            yield from self._see(done, [])
            self._end(done)
        if self._reader.shoe is not None:
            yield from self._see(self._reader.shoe, list(self._reader.laid()))

    def go_live(self) -> Iterator[ShuffleFinding]:
        """Judge the open shoe, and all that follow."""
        self.is_live = True
        if self._reader.shoe is not None:
            yield from self._see(self._reader.shoe, list(self._reader.laid()))

    def _see(self, shoe: Shoe, laid: list[int]) -> Iterator[ShuffleFinding]:
        faces = _faces(shoe, self._begin)
        if shoe.is_endless and sum(face != RETURNED for face in faces) >= STREAM:
            yield from self._judge(shoe, faces)
            self._end(replace(shoe, rounds=shoe.rounds[self._begin :]), begin=len(shoe.rounds))
            faces = []
        yield from self._judge(shoe, faces + laid)

    def _judge(self, shoe: Shoe, faces: list[int]) -> Iterator[ShuffleFinding]:
        if not self.is_live or not any(face >= 0 for face in faces):
            return
        if self._bets is None:
            account = self._accounts.take(shoe.device or shoe.table, shoe.at[:10])
            self._bets = _Bets(shoe, references(shoe, self._past), account)
        for kind, strength in self._bets.see(faces):
            of_day = kind == "shuffle_weak"
            subject = f"{shoe.device or shoe.table} {shoe.at[:10]}" if of_day else f"{self._log} {shoe.number}"
            yield ShuffleFinding(kind, subject, shoe.table, self._log, shoe.number, shoe.device, strength)

    def _end(self, shoe: Shoe, begin: int = 0) -> None:
        bets, self._bets, self._begin = self._bets, None, begin
        if bets is not None:
            self._accounts.give_back(shoe.device or shoe.table, shoe.at[:10], bets.settled())
        if shoe.known > 1 and (begin or not shoe.is_endless):
            self._past.append(shoe)
            del self._past[:-PAST]


class _Bets:
    def __init__(self, shoe: Shoe, before: Sequence[Shoe], account: Account) -> None:
        self._decks: Final = shoe.decks
        self._stack: Final = shoe.stack
        self._orders: Final = [orders_of(one) for one in before]
        self._makers: Final = () if shoe.is_endless else new_decks(shoe.decks)
        self._account: Final = account
        self._told: Final[dict[WatchKind, int]] = {}
        self._restart()

    def _restart(self) -> None:
        unseen = UnseenCards.of_decks(self._decks)
        gamblers = party(self._orders, unseen, self._makers, less_likely=())
        self._bets: ShoeBets = self._account.begin(unseen, gamblers, guesses=False)
        self._runs = RunSearch(order for ways in self._orders for order in ways)
        self._seen: list[int] = []

    def see(self, faces: list[int]) -> Iterator[tuple[WatchKind, int]]:
        if faces[: len(self._seen)] != self._seen:
            self._restart()
        for face in faces[len(self._seen) :]:
            self._bets.see(face)
            if face != RETURNED:
                self._runs.see(face)
            wealth = self._bets.played.wealth
            strength = max(_power(wealth[-1] if wealth else 1.0, SHOE_WEALTH), self._power_of_run())
            yield from self._stronger("kept_order", strength)
            yield from self._stronger("shuffle_weak", _power(self._bets.together, DAY_WEALTH))
        self._seen = faces

    def settled(self) -> Account:
        self._account.end(self._bets)
        return self._account

    def _power_of_run(self) -> int:
        longest = self._runs.longest
        chance = self._runs.chance(longest, self._stack, self._decks) if longest >= RUN else 1.0
        return _power(1 / max(chance, 1 / _MOST), 1 / RUN_CHANCE)

    def _stronger(self, kind: WatchKind, strength: int) -> Iterator[tuple[WatchKind, int]]:
        if strength > self._told.get(kind, 0):
            self._told[kind] = strength
            yield kind, strength


def _faces(shoe: Shoe, begin: int) -> list[int]:
    if not begin:
        return shoe.faces()
    return replace(shoe, rounds=shoe.rounds[begin:]).faces()


def _power(wealth: float, least: float) -> int:
    return math.floor(math.log10(min(wealth, _MOST))) if wealth >= least else 0

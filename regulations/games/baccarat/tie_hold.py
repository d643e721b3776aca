"""Stakes that stood in a tie (55/2004 art. 12.º, reading B12).

They stay held until a round has a result, through void rounds and the end of a shoe game.
"""

import itertools
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Final, cast

from regulations.events.inputs import Wager
from regulations.events.vocabulary import Side
from regulations.games.baccarat.snapshot import BaccaratSnapshot
from regulations.law.stakes import stake_of

SIDES: Final[tuple[Side, ...]] = ("player", "banker")
OTHER: Final[Mapping[Side, Side]] = {"player": "banker", "banker": "player"}
Bettor = tuple[int, int]
Stakes = Mapping[Side, int]
"""Minor units on each side."""


class TieHold:
    """The stakes of the last round with a result, if it was a tie; else empty."""

    def __init__(self, lasting: BaccaratSnapshot) -> None:
        self._lasting: Final = lasting

    @property
    def binds(self) -> bool:
        return bool(self._lasting.held)

    def begin(self, wagers: Iterable[Wager]) -> None:
        self._lasting.held = [wager for wager in wagers if wager.bet in SIDES]

    def end(self) -> None:
        self._lasting.held = []

    def holds(self, bettor: Bettor) -> bool:
        """True if a stake of this bettor is held."""
        return bettor in _by_bettor(self._lasting.held)

    def let_go(self, bettor: Bettor) -> list[Wager]:
        held = self._lasting.held
        self._lasting.held = [wager for wager in held if (wager.seat, wager.id) != bettor]
        return [wager for wager in held if (wager.seat, wager.id) == bettor]

    def new_money(self, wagers: Sequence[Wager]) -> list[tuple[Wager, int]]:
        """Held stakes cover the same side first, then the other; at seat 0 all is new."""
        covered = [0] * len(wagers)
        for bettor, held in _by_bettor(self._lasting.held).items():
            left = dict(held)
            own = [at for at, one in enumerate(wagers) if one.bet in SIDES and (one.seat, one.id) == bettor]
            for sides in ({side: side for side in SIDES}, OTHER):
                for at in own:
                    side = sides[cast("Side", wagers[at].bet)]
                    part = min(stake_of(wagers[at]) - covered[at], left.get(side, 0))
                    covered[at] += part
                    left[side] = left.get(side, 0) - part
        return [(one, stake_of(one) - part) for one, part in zip(wagers, covered, strict=True)]

    def held_wagers(self) -> list[Wager]:
        return list(self._lasting.held)

    def fault(
        self, seats: Container[int], wagers: Sequence[Wager], ways: Collection[str], *, is_tracked: bool
    ) -> str | None:
        """Find a wager that changes a held stake in a way that the table does not allow."""
        asked, told = _by_bettor(wagers), {wager.seat for wager in wagers}
        for (seat, bettor), stakes in _by_bettor(self._lasting.held).items():
            is_silent = seat in seats and seat not in told
            alter = not is_tracked or "alter" in ways
            if not is_silent and not _follows(stakes, asked.get((seat, bettor), {}), ways, alter=alter):
                stood = " and ".join(f"{side} {stake}" if is_tracked else side for side, stake in stakes.items())
                who = f"seat {seat}" if bettor == 1 else f"seat {seat}, id {bettor}"
                return f"{who}: {stood} stood in the tie, this table lets {' or '.join(_allowed(ways))} it"
        return None


def _by_bettor(wagers: Iterable[Wager]) -> dict[Bettor, dict[Side, int]]:
    found: dict[Bettor, dict[Side, int]] = {}
    for wager in wagers:
        for side in SIDES:
            if wager.bet == side and wager.seat:
                found.setdefault((wager.seat, wager.id), {})[side] = stake_of(wager)
    return found


def _allowed(ways: Collection[str]) -> list[str]:
    return [way for way in ("withdraw", "keep", "alter", "switch") if way == "keep" or way in ways]


def _follows(held: Stakes, asked: Stakes, ways: Collection[str], *, alter: bool) -> bool:
    fates = [
        [side, *([OTHER[side]] if "switch" in ways else []), *([None] if "withdraw" in ways else [])] for side in held
    ]
    return any(_adds_up(held, asked, ends, alter=alter) for ends in itertools.product(*fates))


def _adds_up(held: Stakes, asked: Stakes, ends: Sequence[Side | None], *, alter: bool) -> bool:
    came: dict[Side, int] = {}
    for stake, end in zip(held.values(), ends, strict=True):
        if end is not None:
            came[end] = came.get(end, 0) + stake
    if None in ends and asked.keys() - came.keys():
        # Money of a bettor who withdraws is that stake again: changed in its amount, on another side, or both.
        return False
    return all(side in asked and (alter or asked[side] == stake) for side, stake in came.items())

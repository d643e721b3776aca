"""What may become of the stakes that stood in a tie (55/2004 art. 12.º, reading B12)."""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from regulations.events.inputs import Wager
from regulations.events.vocabulary import Side

SIDES: Final[tuple[Side, ...]] = ("player", "banker")
OTHER: Final[Mapping[Side, Side]] = {"player": "banker", "banker": "player"}
Bettor = tuple[int, int]
"""Seat and id."""
Stakes = Mapping[Side, int]
"""Minor units on each side."""


class TieHold:
    """The stakes on player and banker that stood in the last round, a tie; empty after any other."""

    def __init__(self) -> None:
        self._held: dict[Bettor, dict[Side, int]] = {}

    def begin(self, wagers: Iterable[Wager]) -> None:
        """Holds what stood in a tied round, in place of what was held."""
        self._held = _by_bettor(wagers)

    def end(self) -> None:
        """Nothing is held: the next round had another end, was void, or never came."""
        self._held = {}

    def holds(self, bettor: Bettor) -> bool:
        """Whether a stake of this bettor is held."""
        return bettor in self._held

    def let_go(self, bettor: Bettor) -> None:
        """The bettor has left."""
        del self._held[bettor]

    def kept(self) -> list[Wager]:
        """The held stakes as wagers, unchanged."""
        return [
            Wager(seat=seat, bet=side, stake=stake, id=bettor)
            for (seat, bettor), stakes in self._held.items()
            for side, stake in stakes.items()
        ]

    def fault(self, wagers: Sequence[Wager], ways: Collection[str]) -> str | None:
        """What of these wagers does to a held stake what the table does not allow.

        Args:
            wagers: what is to lie on the table.
            ways: the option `tie_wagers`.
        """
        asked = _by_bettor(wagers)
        for (seat, bettor), stakes in self._held.items():
            if not _follows(stakes, asked.get((seat, bettor), {}), ways):
                stood = " and ".join(f"{side} {stake}" for side, stake in stakes.items())
                who = f"seat {seat}" if bettor == 1 else f"seat {seat}, id {bettor}"
                return f"{who}: {stood} stood in the tie, this table lets {' or '.join(_allowed(ways))} it"
        return None


def _by_bettor(wagers: Iterable[Wager]) -> dict[Bettor, dict[Side, int]]:
    found: dict[Bettor, dict[Side, int]] = {}
    for wager in wagers:
        for side in SIDES:
            if wager.bet == side:
                found.setdefault((wager.seat, wager.id), {})[side] = wager.stake
    return found


def _allowed(ways: Collection[str]) -> list[str]:
    return [way for way in ("withdraw", "keep", "alter", "switch") if way == "keep" or way in ways]


def _follows(held: Stakes, asked: Stakes, ways: Collection[str]) -> bool:
    """Whether the asked stakes can come of the held ones by allowed ways: each stays, changes sides, or vanishes."""
    fates = [
        [side, *([OTHER[side]] if "switch" in ways else []), *([None] if "withdraw" in ways else [])] for side in held
    ]
    return any(_adds_up(held, asked, ends, alter="alter" in ways) for ends in itertools.product(*fates))


def _adds_up(held: Stakes, asked: Stakes, ends: Sequence[Side | None], *, alter: bool) -> bool:
    came: dict[Side, int] = {}
    for stake, end in zip(held.values(), ends, strict=True):
        if end is not None:
            came[end] = came.get(end, 0) + stake
    if None in ends and asked.keys() - came.keys():
        # Money of a bettor who withdraws is that stake again: changed in its amount, on another side, or both.
        return False
    return all(side in asked and (alter or asked[side] == stake) for side, stake in came.items())

"""The tables of a demonstrated floor."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from cardshoe.table.uplink.settings import UplinkSettings
from regulations.games.registry import SHEETS
from sim.shuffling import IDEAL


class Kind(NamedTuple):
    game: str
    source: str | None
    linked: bool


def _kinds() -> Iterator[Kind]:
    for turn in range(2):
        for number, (game, sheet) in enumerate(SHEETS.items()):
            sources = [*sheet.law.equipment]
            source = sources[turn % len(sources)]
            linked = source != "box" and (turn + number) % 2 == 1
            yield Kind(game, source if turn or linked else None, linked)


KINDS: Final = tuple(_kinds())
TROUBLED: Final = 4
AWKWARD: Final = 10.0


class Seating(Struct, frozen=True, kw_only=True):
    """One table of the floor.

    Attributes:
        mistakes: per act where one is possible, 0 to 1.
        shuffle: without effect on a shuffler-dealer.
    """

    kind: Kind
    seed: int
    mistakes: float
    is_troubled: bool
    rounds: int | None
    shuffle: str = IDEAL
    uplink: UplinkSettings


def names(tables: int) -> Iterator[str]:
    return (f"T-{number:03}" for number in range(1, tables + 1))

"""Which tables stand on the floor that is shown: all games, on equipment with and without electronics."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from cardshoe.table.uplink.settings import UplinkSettings
from regulations.games.registry import SHEETS


class Kind(NamedTuple):
    """The game and equipment of a table.

    Attributes:
        game: that is dealt.
        source: what from; ``None``: the usual equipment.
        linked: whether that is a machine that reports its cards itself.
    """

    game: str
    source: str | None
    linked: bool


def _kinds() -> Iterator[Kind]:
    """All games on their first equipment, then on their second; every other table has a machine if there is one."""
    for turn in range(2):
        for number, (game, sheet) in enumerate(SHEETS.items()):
            sources = [*sheet.law.equipment]
            source = sources[turn % len(sources)]
            linked = source != "box" and (turn + number) % 2 == 1
            yield Kind(game, source if turn or linked else None, linked)


KINDS: Final = tuple(_kinds())
TROUBLED: Final = 4
"""One table of so many has an awkward croupier, disputes, voids, and a device that fails now and then."""
AWKWARD: Final = 10.0
"""How much more often that croupier errs."""


class Seating(Struct, frozen=True, kw_only=True):
    """One table of the floor.

    Attributes:
        kind: what stands there.
        seed: of cards, wagers and mistakes.
        mistakes: of its croupier, per act where one is possible, 0 to 1.
        is_troubled: whether something happens to it now and then.
        rounds: after which it closes; ``None``: it goes on.
        uplink: its id, the folder of its journals, and where it sends them.
    """

    kind: Kind
    seed: int
    mistakes: float
    is_troubled: bool
    rounds: int | None
    uplink: UplinkSettings


def names(tables: int) -> Iterator[str]:
    """The ids of so many tables."""
    return (f"T-{number:03}" for number in range(1, tables + 1))

"""Which tables stand on the floor that is shown: all games, on equipment with and without electronics."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from cardshoe.table.uplink.settings import UplinkSettings


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


KINDS: Final = (
    Kind("baccarat", None, linked=False),
    Kind("blackjack", "shoe", linked=True),
    Kind("casino_war", "shoe", linked=False),
    Kind("three_card_baccarat", "box", linked=False),
    Kind("q_poker", "shuffler", linked=True),
    Kind("baccarat", "shoe", linked=True),
    Kind("blackjack", "box", linked=False),
    Kind("casino_war", "shoe", linked=True),
    Kind("three_card_baccarat", "shoe", linked=False),
    Kind("q_poker", "shoe", linked=False),
)
"""In turn, so that five tables have all five games."""
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

"""The house's orders to its croupier."""

from dataclasses import dataclass
from typing import Final

from regulations.events.vocabulary import Cutter, PickUp, Shuffler

PATIENCE_S: Final = 10.0
"""Real seconds to wait for the table's answer."""
REPLUG_PATIENCE_S: Final = 120.0
"""Real seconds to wait for a lost device before the shoe game ends."""
PICK_UP: Final[PickUp] = "player_first"
SETTLE_S: Final = 1.0
"""Real seconds to wait for the effect of a button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseInstructions:
    """The casino's instructions; ``games``, ``rounds`` ``None``: no limit.

    Attributes:
        mend_patience_s: real seconds.
        types_hits: it enters a hit before the card (56/2004, reading J30).
    """

    games: int | None = 1
    rounds: int | None = None
    shuffled_by: Shuffler = "croupier"
    cut_by: Cutter = "player"
    cut_card_behind: int | None = None
    demonstrations: int = 0
    pick_up: PickUp = PICK_UP
    counts_stack: bool = True
    persons: tuple[int | str, int | str] = ("croupier", "supervisor")
    mend_patience_s: float = PATIENCE_S
    replug_patience_s: float = REPLUG_PATIENCE_S
    types_hits: bool = False
    hands_only: bool = False

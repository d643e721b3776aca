"""The house's orders to its croupier."""

from dataclasses import dataclass
from typing import Final

from regulations.events.vocabulary import Cutter, PickUp, Shuffler

PATIENCE_S: Final = 10.0
"""Real seconds to wait for the table's answer."""
REPLUG_PATIENCE_S: Final = 120.0
"""Real seconds to wait for a lost device before the shoe game ends."""
PICK_UP: Final[PickUp] = "player_first"
"""How most croupiers pick up the cards of a round."""
SETTLE_S: Final = 1.0
"""Real seconds to wait for the effect of a button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseInstructions:
    """The casino's instructions.

    Attributes:
        games: shoe games after which it closes the table; ``None``: no limit.
        rounds: rounds after which it ends the shoe game and closes the table; ``None``: no limit.
        cut_card_behind: cards behind the cut card; ``None``: the number in the table's option.
        persons: itself and the second person for dual approval.
        mend_patience_s: real seconds that it waits for the end of a device's fault before another resolution.
        types_hits: whether it enters a hit before it deals the card; else the card is the hit if the table allows it
            (56/2004, reading J30).
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

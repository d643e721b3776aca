"""How a simulated shoe is set up."""

from dataclasses import dataclass
from typing import Final, Literal

COPIES: Final = 3
"""Times that each telegram is sent (docs/protocols/angel-eye.md, section 3)."""
COPY_GAP_S: Final = 0.05
"""Seconds between copies, and from the last copy to the next telegram."""
DRAW_TIMEOUT_S: Final = 5.0
"""Seconds until a half-pulled card is error 7; a guess."""
LAST_BURN_INDEX: Final = 10
"""Highest index of a burned card on the wire; a guess for 11 and 12 decks."""

InitialBurn = Literal["none", "per_deck", "first_card_value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeSettings:
    """The settings in the shoe's menu.

    Attributes:
        error_before_card: an unread card is "E", then "D", or reversed (docs/protocols/angel-eye.md, Q4).
    """

    initial_burn: InitialBurn = "per_deck"
    burn_cards: int = 8
    round_burn: bool = False
    error_before_card: bool = False

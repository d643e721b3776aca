"""How a simulated shoe is set up, and its constants."""

from dataclasses import dataclass
from typing import Final, Literal

COPIES: Final = 3
"""Times that each telegram is sent (docs/protocols/angel-eye.md, section 3)."""
COPY_GAP_S: Final = 0.05
"""Seconds from one copy to the next, and from the last copy to the next telegram."""
DRAW_TIMEOUT_S: Final = 5.0
"""Seconds until a half-pulled card is error 7; a guess."""
LAST_BURN_INDEX: Final = 10
"""Highest index of a burned card on the wire; a guess for 11 and 12 decks."""

InitialBurn = Literal["none", "per_deck", "first_card_value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeSettings:
    """The settings in the shoe's menu; they should agree with the table's profile.

    Attributes:
        initial_burn: cards burned from a new shoe: none, ``burn_cards``, or the first card and as many as its value
            (ace 1; ten and figures 10).
        burn_cards: cards burned by ``per_deck``, 0 or more; by the regulation one for each deck.
        error_before_card: whether an unread card is reported as "E" and then "D", or reversed; the order is unknown
            (docs/protocols/angel-eye.md, Q4).
    """

    initial_burn: InitialBurn = "per_deck"
    burn_cards: int = 8
    round_burn: bool = False
    error_before_card: bool = False

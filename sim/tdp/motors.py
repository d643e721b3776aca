"""How long the motors take: guesses, as no maker's figures are known."""

from typing import Final

FEED_CARD_S: Final = 0.12
"""Seconds to feed a card: 416 cards in 50 s."""

EJECT_SHELF_S: Final = 0.35

DISPENSE_CARD_S: Final = 0.15
"""Slow enough for its image."""

SHUTTER_S: Final = 0.05

EJECT_STACK_S: Final = 3.0
"""The lift goes from one end to the other."""

LIFT_S: Final = 0.05
"""By the thickness of a card."""

RECIRCULATE_S: Final = 1.5
"""The lift's cards go below the entry's."""

HOMING_S: Final = 1.0

RETURN_SETTLE_S: Final = 1.0
"""Then the croupier has put in all cards."""

COOLING_S: Final = 120.0

ROOM_WAIT_S: Final = 0.25

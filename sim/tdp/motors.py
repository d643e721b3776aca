"""How long the motors of a simulated machine take. Guesses: no maker's figures are known."""

from typing import Final

FEED_CARD_S: Final = 0.12
"""Seconds to feed a card to a shelf: 416 cards in 50 s."""

EJECT_SHELF_S: Final = 0.35
"""Seconds to eject a shelf: two turns and the pusher."""

DISPENSE_CARD_S: Final = 0.15
"""A card past the eye to the exit: slow enough for its image."""

SHUTTER_S: Final = 0.05
"""The shutter of the exit opens: a magnet."""

EJECT_STACK_S: Final = 3.0
"""The whole stack to the exit: the lift goes from one end to the other."""

LIFT_S: Final = 0.05
"""The lift rises by the thickness of a card."""

RECIRCULATE_S: Final = 1.5
"""Seconds to move the lift's cards below the entry's."""

HOMING_S: Final = 1.0
"""A carousel or lift finds its zero after the power came: a turn."""

RETURN_SETTLE_S: Final = 1.0
"""The entry has been empty for so long that the croupier has put in all cards."""

COOLING_S: Final = 120.0
"""A motor that was too hot has cooled down."""

ROOM_WAIT_S: Final = 0.25
"""Between two looks whether there is room for an event."""

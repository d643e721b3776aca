"""The faults of a Bee-Tek shoe (docs/protocols/bee-tek.md): alarms have any text; damage alone has a code of ours."""

from collections.abc import Mapping
from typing import Final

from firmware_bridge.bee_tek.session import DAMAGED
from firmware_bridge.faults import Code, FaultWords

FAULTS: Final[Mapping[Code, FaultWords]] = {
    DAMAGED: FaultWords(
        "a damaged line, which may have been a card",
        "Compare the cards on the felt with the screen; continue, then type the card that is missing, if one is.",
    ),
}
"""By code."""

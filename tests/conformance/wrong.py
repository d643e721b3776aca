"""All wrong devices that speak TDP, by the checks that catch them."""

from typing import Final

from tests.conformance.defects import Defect
from tests.conformance.wrong_commands import COMMANDS
from tests.conformance.wrong_frames import FRAMES
from tests.conformance.wrong_links import LINKS
from tests.conformance.wrong_mechanisms import MECHANISMS
from tests.conformance.wrong_memories import MEMORIES
from tests.conformance.wrong_messages import MESSAGES
from tests.conformance.wrong_roots import ROOTS
from tests.conformance.wrong_security import SECURED, WRONG_SECURED
from tests.conformance.wrong_shoes import TDP_SHOES
from tests.conformance.wrong_streams import STREAMS

DEFECTS: Final[list[Defect]] = [*FRAMES, *LINKS, *STREAMS, *MESSAGES, *COMMANDS, *MEMORIES, *ROOTS, *MECHANISMS]
UNTRIED: Final = {
    "power.cards-drawn-while-unplugged",  # the second device locks as soon as it sees the line go
}
"""Checks that no wrong device fails, and why."""


def wrong_devices() -> dict[str, list[str]]:
    """The faults of the devices that each check catches."""
    found: dict[str, list[str]] = {}
    told = [
        *((defect.what, defect.caught_by) for defect in (*DEFECTS, *SECURED)),
        *((wrong.what.value, wrong.caught_by) for wrong in WRONG_SECURED),
        *((shoe.what, shoe.caught_by) for shoe in TDP_SHOES),
    ]
    for what, checks in told:
        for check in checks:
            found.setdefault(check, []).append(what)
    return found

"""Who may look at a shown floor: one of each role that has something to look for there."""

from pathlib import Path
from typing import Final

from cardshoe.cli.demo.persons import made
from cardshoe.floor.persons.staff_list import Roll
from cardshoe.persons.signed_list import Entry
from regulations.events.vocabulary import Role

ROLES: Final[tuple[Role, ...]] = ("supervisor", "surveillance", "technician", "regulator")
VALID_DAYS: Final = 1


def everybody(state: Path) -> dict[Role, str]:
    """Puts them on the floor's list, at no table.

    Args:
        state: the folder of the floor.

    Returns:
        Their PINs; who they are is what they are.
    """
    persons, pins = made(ROLES)

    def add(known: dict[str, Entry]) -> str:
        known.update({one.id: Entry(id=one.id, role=one.role, pin=one.pin, tables=[]) for one in persons})
        return "added who looks on"

    Roll(state, VALID_DAYS).change("the demonstration", add)
    return pins

"""Persons of a house on a floor's list, with PINs that are cheap to look at."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

from cardshoe.floor.persons.staff_list import Roll
from cardshoe.persons.signed_list import ListEntry
from tests.cardshoe.persons.lists import hashed
from tests.cardshoe.persons.support import DAMAGED, PINS, ROLES

__all__ = ["BY", "PINS", "ROLES", "damage", "disable", "entry", "everybody", "roll_in"]
BY: Final = "manager 12"


def entry(person: str, tables: Collection[str] | None = None) -> ListEntry:
    """A person as the list has them."""
    return ListEntry(
        id=person, role=ROLES[person], pin=hashed(person), tables=None if tables is None else sorted(tables)
    )


def roll_in(state: Path, valid_days: int = 14) -> Roll:
    """The list of a floor, as another process has it."""
    return Roll(state, valid_days)


def everybody(roll: Roll) -> None:
    """Adds everybody of `ROLES`, at all tables."""

    def change(known: dict[str, ListEntry]) -> str:
        known.update({one: entry(one) for one in ROLES})
        return "added everybody"

    roll.change(BY, change)


def damage(roll: Roll, person: str) -> None:
    """Has the list hold what is no hash of this person's PIN."""

    def change(known: dict[str, ListEntry]) -> str:
        known[person] = ListEntry(id=person, role=known[person].role, pin=DAMAGED, tables=known[person].tables)
        return f"{person}: another PIN"

    roll.change(BY, change)


def disable(roll: Roll, person: str) -> None:
    """Disables a person."""

    def change(known: dict[str, ListEntry]) -> str:
        known[person] = ListEntry(id=person, role=known[person].role, disabled=True, tables=known[person].tables)
        return f"{person}: disabled"

    roll.change(BY, change)

"""Staff of a demonstration: one person per role, with a printed PIN."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from cardshoe.persons.pins import Pins, fault_of_pin
from cardshoe.persons.registry import Person, StaffRegistry
from regulations.events.vocabulary import Role

DIGITS: Final = 6


def everybody(folder: Path) -> tuple[StaffRegistry, dict[Role, str]]:
    """A registry in ``folder`` with one person per role, named by it, and their PINs."""
    persons, pins = made(get_args(Role))
    registry = StaffRegistry(folder / "persons.toml")
    registry.change(lambda _: persons)
    return registry, pins


def made(roles: Sequence[Role]) -> tuple[list[Person], dict[Role, str]]:
    pin = _pin()
    kept = Pins().hashed(pin)
    return [Person(id=role, role=role, pin=kept) for role in roles], dict.fromkeys(roles, pin)


def _pin() -> str:
    while fault_of_pin(pin := f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}") is not None:
        continue  # one that is tried first
    return pin

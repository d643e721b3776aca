"""Persons of a table in tests: one of each role and more, with PINs that are cheap to look at, and a clock by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from argon2.low_level import Type

from cardshoe.persons.pins import Pins
from cardshoe.persons.registry import Person, Registry
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient
from cardshoe.table.staff_service import Persons
from regulations.events.inputs import AnyInput, Table
from regulations.events.vocabulary import Role
from tests.cardshoe.table.live.support import TABLE, ServedTable

CHEAP: Final = Pins(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1, hash_len=16, type=Type.ID))
"""The least that argon2id takes: what is tried here is who may do what, not how long a PIN takes."""
ROLES: Final[dict[str, Role]] = {
    "cara": "croupier",
    "carl": "croupier",
    "sara": "supervisor",
    "sven": "supervisor",
    "vera": "surveillance",
    "theo": "technician",
    "rosa": "regulator",
}
PINS: Final = {person: f"83{number}5917" for number, person in enumerate(ROLES)}
WRONG: Final = "4096731"
DAMAGED: Final = "$argon2id$v=19$m=8,t=0,p=1$c29tZXNhbHQ$R6ZzSjBLPLuXH0e3dCPuXQ"
"""A hash that the library cannot compute, as where memory is short: it asks for less than one pass."""


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.s = 1000.0

    def __call__(self) -> float:
        return self.s


def registry_in(folder: Path) -> Registry:
    """A registry with everybody of `ROLES`."""
    registry = Registry(folder / "persons.toml")
    persons = [Person(id=one, role=role, pin=CHEAP.hashed(PINS[one])) for one, role in ROLES.items()]
    registry.change(lambda _: persons)
    return registry


def disable(registry: Registry, person: str) -> None:
    """Has another process, as it were, disable a person."""
    other = Registry(registry.path)
    other.change(
        lambda known: [
            Person(id=one.id, role=one.role, pin=one.pin, disabled=one.disabled or one.id == person)
            for one in known.values()
        ]
    )


def damage(registry: Registry, person: str) -> None:
    """Has the file hold what is no hash of this person's PIN."""
    Registry(registry.path).change(
        lambda known: [
            Person(id=one.id, role=one.role, pin=DAMAGED if one.id == person else one.pin) for one in known.values()
        ]
    )


def table_with_persons(folder: Path, clock: Clock | None = None, table: Table = TABLE) -> ServedTable:
    """A table that knows everybody of `ROLES`."""
    registry = registry_in(folder)

    def persons(note: Callable[[AnyInput], None]) -> Persons:
        return Persons(registry, note, CHEAP, clock or Clock())

    return ServedTable(folder, table, persons=persons)


def signed_in(client: LiveClient, person: str) -> str:
    """The token of a person who signs in here."""
    came = client.ask(says.SignIn(id="in", person=person, pin=PINS[person]))
    assert isinstance(came, says.SignedIn), came
    return came.session


def code_of(came: object) -> str | None:
    """Why something was not taken; ``None``: it was."""
    return came.code if isinstance(came, says.NotTaken) else None

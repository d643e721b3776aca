"""Persons of a table in tests: one of each role and more, with PINs that are cheap to look at, and a clock by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from argon2 import PasswordHasher
from argon2.low_level import Type

from cardshoe.journal import read_only
from cardshoe.persons.pins import Pins
from cardshoe.persons.registry import Person, StaffRegistry
from cardshoe.process.clock import wall_time
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient
from cardshoe.table.live.equipment import EquipmentStatus
from cardshoe.table.staff_service import Persons
from regulations.events.inputs import AnyInput, Table
from regulations.events.vocabulary import Role
from tests.cardshoe.table.live.support import READY, TABLE, ServedTable

SHUFFLED = msgspec.Raw(b'{"event":"shuffled","by":"croupier"}')

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


def registry_in(folder: Path) -> StaffRegistry:
    """A registry with everybody of `ROLES`."""
    registry = StaffRegistry(folder / "persons.toml")
    persons = [Person(id=one, role=role, pin=CHEAP.hashed(PINS[one])) for one, role in ROLES.items()]
    registry.change(lambda _: persons)
    return registry


def disable(registry: StaffRegistry, person: str) -> None:
    """Has another process, as it were, disable a person."""
    other = StaffRegistry(registry.path)
    other.change(
        lambda known: [
            Person(id=one.id, role=one.role, pin=one.pin, disabled=one.disabled or one.id == person)
            for one in known.values()
        ]
    )


def damage(registry: StaffRegistry, person: str) -> None:
    """Has the file hold what is no hash of this person's PIN."""
    StaffRegistry(registry.path).change(
        lambda known: [
            Person(id=one.id, role=one.role, pin=DAMAGED if one.id == person else one.pin) for one in known.values()
        ]
    )


def table_with_persons(
    folder: Path,
    clock: Clock | None = None,
    table: Table = TABLE,
    opening: Callable[[], str | None] | None = None,
    now: Callable[[], str] = wall_time,
    equipment: Callable[[], EquipmentStatus] = EquipmentStatus,
) -> ServedTable:
    """A table that knows everybody of `ROLES`."""
    registry = registry_in(folder)

    def persons(note: Callable[[AnyInput], None]) -> Persons:
        return Persons(registry, note, CHEAP, clock or Clock())

    return ServedTable(folder, table, persons=persons, opening=opening, now=now, equipment=equipment)


def signed_in(client: LiveClient, person: str) -> str:
    """The token of a person who signs in here."""
    came = client.ask(says.SignIn(id="in", person=person, pin=PINS[person]))
    assert isinstance(came, says.SessionBegun), came
    return came.session


def code_of(came: object) -> str | None:
    """Why something was not taken; ``None``: it was."""
    return came.code if isinstance(came, says.RequestDeclined) else None


def say(client: LiveClient, token: str | None, line: msgspec.Raw = SHUFFLED, key: str | None = None) -> Any:  # noqa: ANN401  any answer
    return client.ask(says.SubmitInput(id="1", line=line, session=token, key=key))


def propose(client: LiveClient, token: str | None, *by: str, key: str | None = None, reason: str = "x") -> Any:  # noqa: ANN401  any answer
    line = {"event": "void", "ground": "misdeal", "reason": reason, "by": by}
    return client.ask(says.Propose(id="2", line=msgspec.Raw(json.dumps(line).encode()), session=token, key=key))


def approve(client: LiveClient, proposal: str, person: str, pin: str | None = None) -> Any:  # noqa: ANN401  any answer
    return client.ask(says.Approve(id="3", proposal=proposal, person=person, pin=pin or PINS[person]))


def events(table: ServedTable, *names: str) -> list[Any]:
    """These events in the log, without the fields of every line."""
    path = table.place.newest_journal
    assert path is not None
    with read_only(path) as evidence:
        lines = [json.loads(entry.lines[0]) for entry in evidence.entries()]
    return [line for line in lines if line["event"] in names]


def open_round(table: ServedTable) -> None:
    """A round with one card out, so that it can be void."""
    bets = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 100}]}
    table.tell(*READY)
    while table.log.last.prompt.do == "burn":
        table.tell({"event": "card", "card": "9H"})
    table.tell(bets, {"event": "card", "card": "9H"})

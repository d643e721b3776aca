"""``cardshoe persons``: the registry of a table's staff."""

import sys
from pathlib import Path
from typing import Final, get_args

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.group import Subgroup
from cardshoe.persons.pins import Pins, fault_of_pin
from cardshoe.persons.registry import ID, Person, StaffRegistry
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain
from cardshoe.table.setup.secrets_at_start import must_be_kept
from regulations.events.vocabulary import Role

FILE: Final = click.Path(dir_okay=False, path_type=Path)
DEFAULT: Final = Path("persons.toml")
file_option = click.option(
    "--file", "file", type=FILE, default=DEFAULT, show_default=True, help="The file that [persons] of the table names."
)
pin_option = click.option("--pin-file", type=FILE, help="The PIN, in a file of mode 0600; asked for without it.")
PERSON = click.argument("person", metavar="ID")


@click.group("persons", cls=Subgroup)
def persons_group() -> None:
    """Staff of a table and their roles; a running table applies each change at once."""


@persons_group.command("add", short_help="Add a person")
@PERSON
@click.option("--role", type=click.Choice(get_args(Role)), required=True, help="The role.")
@pin_option
@file_option
@JSON
def add_command(person: str, role: Role, pin_file: Path | None, file: Path, *, as_json: bool) -> None:
    """Add a person by the ID that stands in `by`, with a PIN of 6 to 12 digits, which is asked for twice."""
    check_id(person)
    registry = StaffRegistry(file)
    if person in registry.persons():
        raise _taken(person, file)
    added = Person(id=person, role=role, pin=Pins().hashed(new_pin(person, pin_file)))

    def change(known: dict[str, Person]) -> list[Person]:
        if person in known:
            raise _taken(person, file)
        return [*known.values(), added]

    registry.change(change)
    _tell(file, added, "added", as_json=as_json)


@persons_group.command("list", short_help="List the persons of a table")
@file_option
@JSON
def list_command(file: Path, *, as_json: bool) -> None:
    """List who is known; PINs are never printed."""
    persons = StaffRegistry(file).persons().values()
    lines = [f"{one.id}  {one.role}{'  disabled' if one.disabled else ''}" for one in persons]
    answer(
        lines or [f"{file}: no staff registered"],
        {"file": str(file), "persons": [_shown(one) for one in persons]},
        as_json=as_json,
    )


@persons_group.command("pin", short_help="Give a person another PIN")
@PERSON
@pin_option
@file_option
@JSON
def pin_command(person: str, pin_file: Path | None, file: Path, *, as_json: bool) -> None:
    """Give the person ID another PIN; who is signed in with the one before is signed out."""
    registry = StaffRegistry(file)
    _known(registry.persons(), person, file)
    kept = Pins().hashed(new_pin(person, pin_file))
    _change(registry, person, {"pin": kept})
    _tell(file, registry.persons()[person], "has another PIN", as_json=as_json)


@persons_group.command("disable", short_help="Disable a person")
@PERSON
@file_option
@JSON
def disable_command(person: str, file: Path, *, as_json: bool) -> None:
    """Let the person ID do nothing any more; the id stays taken, for journals name it."""
    registry = StaffRegistry(file)
    _change(registry, person, {"disabled": True})
    _tell(file, registry.persons()[person], "disabled", as_json=as_json)


def check_id(person: str) -> None:
    if ID.fullmatch(person) is None:
        raise Stop(
            f"{person!r} is not a valid id",
            "An id has 1 to 64 letters, digits, `.`, `_` or `-`, and begins with a letter or digit.",
            Exit.USAGE,
        )


def _change(registry: StaffRegistry, person: str, values: dict[str, object]) -> None:
    import msgspec

    def change(known: dict[str, Person]) -> list[Person]:
        _known(known, person, registry.path)
        known[person] = msgspec.structs.replace(known[person], **values)
        return list(known.values())

    registry.change(change)


def _known(known: object, person: str, file: Path) -> None:
    if not isinstance(known, dict) or person not in known:
        raise Stop(f"{file}: there is no person {person}", "`cardshoe persons list` says who there is.", Exit.USAGE)


def _taken(person: str, file: Path) -> Stop:
    remedy = f"`cardshoe persons pin {person}` gives another PIN; an id is never given to somebody else."
    return Stop(f"{file}: there is a person {person} already", remedy, Exit.USAGE)


def new_pin(person: str, file: Path | None) -> str:
    """A valid PIN, from a file of mode 0600 or typed twice."""
    if file is not None:
        pin = pin_in(file)
    elif sys.stdin.isatty():
        pin = str(click.prompt(f"PIN for {person}", hide_input=True, confirmation_prompt=True, err=True))
    else:
        remedy = "Name a file of mode 0600 with --pin-file, or run this at a terminal."
        raise Stop(f"the PIN of {person}: there is no terminal to ask at", remedy, Exit.USAGE)
    if (fault := fault_of_pin(pin)) is not None:
        raise Stop(fault, "Take another PIN. Nothing was changed.", Exit.USAGE)
    return pin


def pin_in(file: Path) -> str:
    must_be_kept(file)
    try:
        return read_plain(file).decode(errors="replace").strip()
    except OSError as error:
        what = f"{file}: {error.strerror or error}"
        raise Stop(what, "Name a file of mode 0600 that holds the PIN.", Exit.USAGE) from error


def _shown(person: Person) -> dict[str, object]:
    return {"id": person.id, "role": person.role, "disabled": person.disabled}


def _tell(file: Path, person: Person, what: str, *, as_json: bool) -> None:
    answer([f"{person.id}: {person.role}, {what}"], {"file": str(file), **_shown(person)}, as_json=as_json)

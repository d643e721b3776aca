"""``cardshoe floor persons``: the casino's list of staff for its tables."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
import msgspec

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.group import Subgroup
from cardshoe.cli.persons import PERSON, check_id, new_pin, pin_option
from cardshoe.persons.signed_list import VERSION_MAX
from cardshoe.process.exits import Exit, Stop
from regulations.events.vocabulary import Role

if TYPE_CHECKING:
    from cardshoe.floor.persons.staff_list import Roll
    from cardshoe.persons.signed_list import ListEntry

CONFIG = click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
by_option = click.option("--by", required=True, metavar="WHO", help="The person who makes the change, for the record.")
after_option = click.option(
    "--after",
    type=click.IntRange(min=0, max=VERSION_MAX - 1),
    help="The newest version that any table has; without it the database must know that this floor has it.",
)
at_option = click.option(
    "--at",
    "at",
    multiple=True,
    metavar="TABLE",
    help="A table at which the person may sign in, more than once; or `all`; or `none`: the floor's interface alone.",
)


@click.group("persons", cls=Subgroup)
def persons_group() -> None:
    """Staff and their roles, at all tables and at the floor's interface.

    Each change is another version of the list, signed at once; tables on line have it within a minute.
    """


@persons_group.command("add", short_help="Add a person")
@CONFIG
@PERSON
@click.option("--role", type=click.Choice(get_args(Role)), required=True, help="The role.")
@at_option
@pin_option
@by_option
@after_option
@JSON
def add_command(
    config: Path,
    person: str,
    role: Role,
    at: tuple[str, ...],
    pin_file: Path | None,
    by: str,
    *,
    after: int | None,
    as_json: bool,
) -> None:
    """Add a person by the ID that stands in `by`, with a PIN of 6 to 12 digits, which is asked for twice.

    Without --at the person may sign in at every table.
    """
    from cardshoe.persons.pins import Pins
    from cardshoe.persons.signed_list import ListEntry

    check_id(person)
    roll, tables = _roll(config), _tables(at)
    if person in roll.persons():
        raise _taken(person)
    added = ListEntry(id=person, role=role, pin=Pins().hashed(new_pin(person, pin_file)), tables=tables)

    def change(known: "dict[str, ListEntry]") -> str:
        if person in known:
            raise _taken(person)
        known[person] = added
        return f"added {person}: {role}, {_where(tables)}"

    _changed(config, roll, by, change, after=after, as_json=as_json)


@persons_group.command("list", short_help="List the persons of the house")
@CONFIG
@JSON
def list_command(config: Path, *, as_json: bool) -> None:
    """List who is known, and which version of the list that is; PINs are never printed."""
    roll = _roll(config)
    issued = roll.issued()
    if issued is None:
        answer(["no staff registered"], {"key": roll.key, "version": 0, "persons": []}, as_json=as_json)
        return
    lines = [f"list {issued.version} of {issued.issued}, until {issued.until}"]
    lines += [
        f"{one.id}  {one.role}  {_where(one.tables)}{'  disabled' if one.disabled else ''}" for one in issued.entries
    ]
    persons = [
        {"id": one.id, "role": one.role, "tables": one.tables, "disabled": one.disabled} for one in issued.entries
    ]
    said = {"key": roll.key, "version": issued.version, "issued": issued.issued, "until": issued.until}
    answer(lines, {**said, "persons": persons}, as_json=as_json)


@persons_group.command("pin", short_help="Give a person another PIN, or enable them again")
@CONFIG
@PERSON
@pin_option
@by_option
@after_option
@JSON
def pin_command(config: Path, person: str, pin_file: Path | None, by: str, *, after: int | None, as_json: bool) -> None:
    """Give the person ID another PIN; who is signed in with the one before is signed out.

    A disabled person may sign in again.
    """
    from cardshoe.persons.pins import Pins

    _known(_roll(config).persons(), person)
    values = {"pin": Pins().hashed(new_pin(person, pin_file)), "disabled": False}
    _replaced(config, person, values, "another PIN", by, after=after, as_json=as_json)


@persons_group.command("change", short_help="Give a person another role, or other tables")
@CONFIG
@PERSON
@click.option("--role", type=click.Choice(get_args(Role)), help="The new role.")
@at_option
@by_option
@after_option
@JSON
def change_command(
    config: Path, person: str, role: Role | None, at: tuple[str, ...], by: str, *, after: int | None, as_json: bool
) -> None:
    """Give the person ID another role, or other tables; who is signed in is signed out."""
    values: dict[str, object] = {}
    if role is not None:
        values["role"] = role
    if at:
        values["tables"] = _tables(at)
    if not values:
        raise click.UsageError("Say what is to change: --role or --at.")
    did = ", ".join(str(role) if name == "role" else _where(_tables(at)) for name in values)
    _replaced(config, person, values, did, by, after=after, as_json=as_json)


@persons_group.command("disable", short_help="Disable a person")
@CONFIG
@PERSON
@by_option
@after_option
@JSON
def disable_command(config: Path, person: str, by: str, *, after: int | None, as_json: bool) -> None:
    """Let the person ID do nothing any more, at no table and not here.

    The id stays taken, for journals name it. `pin` lets the person in again.
    """
    _replaced(config, person, {"disabled": True, "pin": ""}, "disabled", by, after=after, as_json=as_json)


@persons_group.command("publish", short_help="Sign the list again, as a new version")
@CONFIG
@by_option
@after_option
@JSON
def publish_command(config: Path, by: str, *, after: int | None, as_json: bool) -> None:
    """Sign the unchanged list again, as a new version.

    A running floor renews the list by itself. This is for after an older `state` was restored: tables take no older
    version than they have, and the alarm `older_list` says which that is.
    """

    def change(known: "dict[str, ListEntry]") -> str:
        if not known:
            raise _nobody(config)
        return f"published after {after}" if after else "published"

    _changed(config, _roll(config), by, change, after=after, as_json=as_json)


@persons_group.command("key", short_help="Print the key that each table.toml names")
@CONFIG
@JSON
def key_command(config: Path, *, as_json: bool) -> None:
    """Print the key for `floor` in [persons] of each table.toml."""
    key = _roll(config).key
    answer([key], {"key": key}, as_json=as_json)


@persons_group.command("history", short_help="List who made which version")
@CONFIG
@JSON
def history_command(config: Path, *, as_json: bool) -> None:
    """List every version of the list: when it was made, by whom, and what it changed."""
    found = _roll(config).changes()
    lines = [f"{one.version}  {one.at}  {one.by}: {one.did}" for one in found]
    answer(lines or ["no version was made"], [msgspec.to_builtins(one) for one in found], as_json=as_json)


def _roll(config: Path) -> "Roll":
    from cardshoe.floor.config import load
    from cardshoe.floor.persons.staff_list import Roll, check_account

    found = load(config)
    state = Path(found.floor.state)
    check_account(state)
    return Roll(state, found.persons.valid_days)


def _replaced(
    config: Path, person: str, values: dict[str, Any], did: str, by: str, *, after: int | None, as_json: bool
) -> None:
    def change(known: "dict[str, ListEntry]") -> str:
        _known(known, person)
        before = known[person]
        known[person] = msgspec.structs.replace(before, **values)
        if known[person] == before:
            raise Stop(
                f"{person}: nothing would change",
                "`cardshoe floor persons list` shows the present state.",
                Exit.USAGE,
            )
        return f"{person}: {did}"

    _changed(config, _roll(config), by, change, after=after, as_json=as_json)


def _changed(
    config: Path,
    roll: "Roll",
    by: str,
    change: "Callable[[dict[str, ListEntry]], str]",
    *,
    after: int | None,
    as_json: bool,
) -> None:
    from cardshoe.floor.config import load
    from cardshoe.floor.persons.newest import check_newest

    told = []

    def noted(known: "dict[str, ListEntry]") -> str:
        told.append(change(known))
        if after is None:
            check_newest(load(config).floor.database, roll)
        return told[0]

    issued = roll.change(by, noted, after=after or 0)
    did = told[0]
    answer([f"{did} (list {issued.version})"], {"version": issued.version, "did": did}, as_json=as_json)


def _tables(at: tuple[str, ...]) -> list[str] | None:
    if len(at) > 1 and {"all", "none"} & set(at):
        raise click.UsageError("Use `all` or `none` alone.")
    return {(): None, ("all",): None, ("none",): []}.get(at, sorted(set(at)))


def _where(tables: list[str] | None) -> str:
    if tables is None:
        return "all tables"
    return f"tables {', '.join(tables)}" if tables else "no table"


def _known(known: object, person: str) -> None:
    if not isinstance(known, dict) or person not in known:
        raise Stop(f"there is no person {person}", "`cardshoe floor persons list` says who there is.", Exit.USAGE)


def _taken(person: str) -> Stop:
    remedy = "`cardshoe floor persons pin` gives another PIN; an id is never given to somebody else."
    return Stop(f"there is a person {person} already", remedy, Exit.USAGE)


def _nobody(config: Path) -> Stop:
    return Stop(
        "no staff registered", f"Add the first: `cardshoe floor persons add {config} ID --role supervisor`.", Exit.USAGE
    )

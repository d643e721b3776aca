"""``cardshoe key``: the key file that seals face-down cards in the log."""

from pathlib import Path

import click

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.group import Subgroup
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.sealing_keys import SealingKeys, change_key, make_keys, read_keys

FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group("key", cls=Subgroup)
def key_group() -> None:
    """The keys with which cards that lie face down are sealed in the log."""


@key_group.command("new", short_help="Make a file with one fresh sealing key")
@FILE
@JSON
def new_command(file: Path, *, as_json: bool) -> None:
    """Make a FILE with one fresh key, which only this user may read."""
    _tell(file, make_keys(file), as_json=as_json)


@key_group.command("change", short_help="Put a fresh key into a file of sealing keys")
@FILE
@JSON
def change_command(file: Path, *, as_json: bool) -> None:
    """Put a fresh key into FILE: it seals from the next start on, the old ones still open what they sealed."""
    _tell(file, change_key(file), as_json=as_json)


@key_group.command("list", short_help="List the ids of the keys in a file")
@FILE
@JSON
def list_command(file: Path, *, as_json: bool) -> None:
    """List the ids of the keys in FILE; the keys themselves are never printed."""
    keys = read_keys(file)
    if not keys.ids:
        raise Stop(f"{file}: there is no key", f"Make one: cardshoe key new {file}", Exit.USAGE)
    _tell(file, keys, as_json=as_json)


def _tell(file: Path, keys: SealingKeys, *, as_json: bool) -> None:
    found = [{"id": one, "seals": one == keys.first} for one in keys.ids]
    lines = [f"{one}  {'seals and opens' if one == keys.first else 'opens'}  {file}" for one in keys.ids]
    answer(lines, {"file": str(file), "keys": found}, as_json=as_json)

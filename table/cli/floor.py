"""``cardshoe floor``: the collector of all tables' logs."""

import logging
import sys
from pathlib import Path

import click

from table.cli.answer import JSON, answer
from table.cli.floor_persons import persons_group
from table.cli.group import Subgroup
from table.exits import Exit, Stop
from table.setup.secrets_at_start import must_be_kept

CONFIG = click.argument("config", type=click.Path(dir_okay=False, path_type=Path))


@click.group("floor", cls=Subgroup)
def floor_group() -> None:
    """Collect the logs of all tables, on a machine of the back office (docs/floor.md)."""


floor_group.add_command(persons_group)


@floor_group.command("run")
@CONFIG
@JSON
def run_command(config: Path, *, as_json: bool) -> None:
    """Run the collector that CONFIG (floor.toml) describes.

    Ctrl-C or SIGTERM ends it. It prints where it listens, the key with which it signs its marks, and that of its
    witness. A database that is away is waited for; what tables send meanwhile, they send again.
    """
    from floor.config import load
    from floor.server import Floor

    logging.basicConfig(level=logging.WARNING, format="cardshoe floor: %(message)s", stream=sys.stderr)
    found = load(config)
    state = Path(found.floor.state)
    secrets = ("mark-key", "witness/witness-key", "persons/key", "persons/list")
    for secret in (*(state / name for name in secrets), Path(found.floor.tls.key)):
        must_be_kept(secret)
    floor = Floor(found)
    said = {"tables": floor.tables, "read": floor.read, "marks": floor.marks, "witness": floor.witness}
    said["persons"] = floor.persons
    lines = [f"tables send to https://{floor.tables}", f"marks {floor.marks}", f"witness {floor.witness}"]
    lines.append(f"persons {floor.persons}")
    if floor.read is not None:
        lines.append(f"whoever looks asks {'http' if _is_open(found.read) else 'https'}://{floor.read}/api/v1/tables")
        if floor.knows_nobody:
            lines.append(f"nobody can sign in yet: cardshoe floor persons add {config} ID --role supervisor --by WHO")
    answer(lines, said, as_json=as_json)
    sys.stdout.flush()
    floor.run()


def _is_open(read: object) -> bool:
    return getattr(read, "tls", None) is None


@floor_group.command("alarms")
@CONFIG
@JSON
def alarms_command(config: Path, *, as_json: bool) -> None:
    """List the alarms that are open."""
    from floor.alarms import open_alarms
    from floor.config import load
    from floor.database import Database, Unavailable

    with Database(load(config).floor.database, 1) as database:
        try:
            found = open_alarms(database)
        except Unavailable as error:
            raise _away(error) from error
    lines = [
        f"{one['id']}  {one['first_at']}  {one['table']} {one['log']}  {one['kind']}: {one['detail']}" for one in found
    ]
    answer(lines or ["no alarm is open"], found, as_json=as_json)


@floor_group.command("close")
@CONFIG
@click.argument("number", type=click.IntRange(min=1))
@click.option("--by", required=True, metavar="WHO", help="Who has looked at it.")
@click.option("--go-on", is_flag=True, help="Take more of the log that it has stopped, from the floor's mark on.")
@JSON
def close_command(config: Path, number: int, by: str, *, go_on: bool, as_json: bool) -> None:
    """Close the alarm NUMBER, once it was looked at.

    Its log stays stopped, unless --go-on: what made the alarm is then judged anew, so a fork stays one.
    """
    from floor.alarms import close_alarm
    from floor.config import load
    from floor.database import Database, Unavailable

    with Database(load(config).floor.database, 1) as database:
        try:
            closed = close_alarm(database, number, by, go_on=go_on)
        except Unavailable as error:
            raise _away(error) from error
    if not closed:
        raise Stop(f"no alarm {number} is open", f"`cardshoe floor alarms {config}` lists them.", Exit.USAGE)
    answer([f"alarm {number}: closed"], {"closed": number, "by": by, "goes_on": go_on}, as_json=as_json)


def _away(error: Exception) -> Stop:
    return Stop(str(error), "See that PostgreSQL runs, and what [floor] database says.", Exit.FAILURE)

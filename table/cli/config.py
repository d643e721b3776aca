"""``cardshoe config``: a sample configuration, and the check of one."""

from pathlib import Path

import click
import msgspec

from table.cli.completing import games
from table.cli.group import Subgroup
from table.clock import wall_time
from table.exits import Stop
from table.setup.config import BadConfig, example_hint, load, told, warnings
from table.setup.games import game_by_name
from table.setup.sample import BY_HAND, sample


@click.group("config", cls=Subgroup)
def config_group() -> None:
    """The configuration of a table."""


@config_group.command("example", short_help="Print a sample table.toml with every key explained")
@click.argument("game", default=BY_HAND, shell_complete=games)
def example_command(game: str) -> None:
    """Print a sample table.toml for a GAME (baccarat if none is named) with every key explained."""
    click.echo(sample(game_by_name(game)), nl=False)


@config_group.command("check", short_help="Check a table.toml as `cardshoe run` would")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check_command(config: Path, *, as_json: bool) -> None:
    """Check CONFIG as `cardshoe run` would, without running anything; all that is wrong is said at once."""
    try:
        table = load(config, wall_time())
    except BadConfig as bad:
        if as_json:
            click.echo(
                msgspec.json.encode({"config": str(config), "good": False, "faults": bad.faults, "warnings": []})
            )
            click.get_current_context().exit(bad.code)
        if len(bad.faults) == 1:
            raise
        said = "".join(f"\n  {told(config, fault)}" for fault in bad.faults)
        raise Stop(f"{config}: {len(bad.faults)} faults{said}", example_hint(bad.game), bad.code) from bad
    doubts = warnings(table)
    if as_json:
        click.echo(msgspec.json.encode({"config": str(config), "good": True, "faults": [], "warnings": doubts}))
        return
    for warning in doubts:
        click.echo(f"warning: {warning}")
    devices = ", ".join(f"{device.name} ({device.family} at {device.port})" for device in table.devices) or "none"
    click.echo(f"{config}: good. Table {table.table.table_id}, journals in {table.journal_dir}, devices: {devices}")

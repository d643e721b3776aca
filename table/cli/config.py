"""``cardshoe config``: a sample configuration, and the check of one."""

from pathlib import Path

import click

from table.cli.group import Subgroup
from table.clock import wall_time
from table.setup.config import load, warnings
from table.setup.games import game_by_name
from table.setup.sample import BY_HAND, sample


@click.group("config", cls=Subgroup)
def config_group() -> None:
    """The configuration of a table."""


@config_group.command("example", short_help="Print a sample table.toml with every key explained")
@click.argument("game", default=BY_HAND)
def example_command(game: str) -> None:
    """Print a sample table.toml for a GAME (baccarat if none is named) with every key explained."""
    click.echo(sample(game_by_name(game)), nl=False)


@config_group.command("check", short_help="Check a table.toml as `cardshoe run` would")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
def check_command(config: Path) -> None:
    """Check CONFIG as `cardshoe run` would, without running anything."""
    table = load(config, wall_time())
    for warning in warnings(table):
        click.echo(f"warning: {warning}")
    devices = ", ".join(f"{device.name} ({device.family} at {device.port})" for device in table.devices) or "none"
    click.echo(f"{config}: good. Table {table.table.table_id}, journals in {table.journal_dir}, devices: {devices}")

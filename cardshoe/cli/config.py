"""``cardshoe config``: write a sample configuration, or check one."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from cardshoe.cli.completing import games
from cardshoe.cli.echo import echo
from cardshoe.cli.group import Subgroup
from cardshoe.journal.witness.places import is_address
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Stop
from cardshoe.table.rules.in_force import TableInForce, in_words, table_in_force
from cardshoe.table.setup.config import BadConfig, TableConfig, example_hint, load, told, warnings
from cardshoe.table.setup.games import game_by_name
from cardshoe.table.setup.sample import BY_HAND, sample
from regulations.games.registry import GAMES


@click.group("config", cls=Subgroup)
def config_group() -> None:
    """The configuration of a table."""


@config_group.command("example", short_help="Print a sample table.toml with every key explained")
@click.argument("game", default=BY_HAND, shell_complete=games)
def example_command(game: str) -> None:
    """Print a sample table.toml for a GAME (baccarat if none is named) with every key explained."""
    echo(*sample(game_by_name(game)).split("\n"), nl=False)


@config_group.command("check", short_help="Check a table.toml as `cardshoe run` would")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check_command(config: Path, *, as_json: bool) -> None:
    """Check CONFIG as `cardshoe run` would, without running anything; all that is wrong is said at once."""
    try:
        table = load(config, wall_time())
    except BadConfig as bad:
        if as_json:
            echo(msgspec.json.encode({"config": str(config), "good": False, "faults": bad.faults, "warnings": []}))
            click.get_current_context().exit(bad.code)
        if len(bad.faults) == 1:
            raise
        said = "".join(f"\n  {told(config, fault)}" for fault in bad.faults)
        raise Stop(f"{config}: {len(bad.faults)} faults{said}", example_hint(bad.game), bad.code) from bad
    doubts = warnings(table)
    if as_json:
        echo(msgspec.json.encode({"config": str(config), "good": True, "faults": [], "warnings": doubts}))
        return
    for warning in doubts:
        echo(f"warning: {warning}")
    devices = ", ".join(f"{device.name} ({device.family} at {device.port})" for device in table.devices) or "none"
    echo(f"{config}: good. Table {table.table.table_id}, journals in {table.journal_dir}, devices: {devices}")


class ConfigSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration's content.

    Attributes:
        sealing_key: ``None``: the default place.
        trust: site folder; ``None``: devices are not verified.
    """

    table: TableInForce
    journals: str
    witnesses: list[str]
    metrics: str | None
    sealing_key: str | None
    trust: str | None
    devices: list[dict[str, str]]
    warnings: list[str]


@config_group.command("show", short_help="Show what a table.toml has on, with articles")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show_command(config: Path, *, as_json: bool) -> None:
    """Show what CONFIG has on: the options in force with their articles and meaning, journals, devices."""
    shown = _shown(load(config, wall_time()))
    echo(*([msgspec.json.encode(shown)] if as_json else _lines(shown)))


def _shown(config: TableConfig) -> ConfigSummary:
    return ConfigSummary(
        table=table_in_force(config.table, GAMES[config.table.game]),
        journals=str(config.journal_dir),
        witnesses=[one if is_address(one) else str(config.path.parent / one) for one in config.witnesses],
        metrics=None if config.metrics is None else str(config.metrics),
        sealing_key=None if config.sealing_key is None else str(config.sealing_key),
        trust=None if config.trust is None else str(config.trust),
        devices=[{"name": one.name, "family": one.family, "port": one.port} for one in config.devices],
        warnings=warnings(config),
    )


def _lines(shown: ConfigSummary) -> Iterator[str]:
    yield from in_words(shown.table)
    yield ""
    yield "Around it"
    yield f"  journals      {shown.journals}"
    yield from (f"  witness       {one}" for one in shown.witnesses)
    for what, where in (("metrics", shown.metrics), ("sealing key", shown.sealing_key), ("site", shown.trust)):
        if where is not None:
            yield f"  {what:<13} {where}"
    yield from (f"  device        {one['name']}: {one['family']} at {one['port']}" for one in shown.devices)
    if not shown.devices:
        yield "  devices       none: every card is entered by hand"
    yield from (f"warning: {one}" for one in shown.warnings)

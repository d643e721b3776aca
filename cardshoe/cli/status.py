"""``cardshoe status``: how tables stand, asked of them while they run."""

from pathlib import Path

import click
import msgspec

from cardshoe.cli.echo import echo
from cardshoe.cli.live import WHAT_TO_NAME, named_tables, told_plainly
from cardshoe.process.exits import Exit, Stop
from cardshoe.screens.view import TableView
from cardshoe.table.live.client import LiveClient, view_of
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.live.stopped_table import left_at
from cardshoe.table.terminal.status import status_text


class Shown(msgspec.Struct, frozen=True):
    """The ``--json`` output for one table.

    Attributes:
        running: whether it was asked; else its journal was.
        view: how it stands.
    """

    running: bool
    view: TableView


@click.command("status")
@click.argument("sources", metavar="TABLE.toml|FOLDER...", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a table: `running` and `view`.")
def status_command(sources: tuple[Path, ...], *, as_json: bool) -> None:
    """Say how tables stand: round, wagers, cards, what is open, what comes next.

    Each is named by its configuration, or by the folder of its journals. One that does not run is shown as its journal
    leaves it, and the command then ends with 4.
    """
    places = [place for source in sources for place in named_tables(source)]
    idle: list[TablePlace] = []
    for place in places:
        shown = _asked(place)
        if not shown.running:
            idle.append(place)
        if as_json:
            echo(msgspec.json.encode(shown))
        else:
            is_left = "" if shown.running else "NOT RUNNING; its journal leaves "
            echo(*f"{is_left}{status_text(shown.view)}\n".split("\n"))
    if idle:
        names = ", ".join(str(place.newest_journal or place) for place in idle)
        raise Stop(f"{names}: no table runs here", "Start it: cardshoe run TABLE.toml", Exit.JOURNAL)


def _asked(place: TablePlace) -> Shown:
    try:
        with told_plainly(place), LiveClient(place) as client:
            return Shown(running=True, view=view_of(client.snapshot()))
    except NotLive:
        try:
            return Shown(running=False, view=left_at(place))
        except NotLive as error:
            raise Stop(str(error), WHAT_TO_NAME, Exit.USAGE) from error

"""``cardshoe status``: the state of running tables."""

from pathlib import Path

import click
import msgspec

from cardshoe.cli.echo import echo
from cardshoe.cli.live import WHAT_TO_NAME, as_plain_text, named_tables
from cardshoe.journal import Evidence
from cardshoe.journal.reading.backups import copied
from cardshoe.process.exits import Exit, Stop
from cardshoe.screens.view import LineFold, TableView
from cardshoe.table.live.client import LiveClient, view_of
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.log.snapshot import TableSnapshot
from cardshoe.table.terminal.status import status_text


class TableStatus(msgspec.Struct, frozen=True):
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


def _asked(place: TablePlace) -> TableStatus:
    try:
        with as_plain_text(place), LiveClient(place) as client:
            return TableStatus(running=True, view=view_of(client.snapshot()))
    except NotLive:
        try:
            return TableStatus(running=False, view=left_at(place))
        except NotLive as error:
            raise Stop(str(error), WHAT_TO_NAME, Exit.USAGE) from error


def left_at(place: TablePlace) -> TableView:
    """The view after a table's newest journal, without a key."""
    path = place.newest_journal
    if path is None:
        raise NotLive(f"{place.folder}: there is neither a table nor a journal here")
    with copied(path) as evidence:
        view, first = _stored(evidence)
        fold = LineFold(view)
        for entry in evidence.entries(first):
            fold.take(entry.lines)
        return view


def _stored(evidence: Evidence) -> tuple[TableView, int]:
    fresh = TableView(log=evidence.header.fingerprint)
    stood = next(reversed(evidence.snapshots()), None)
    if stood is None:
        return fresh, 1
    try:
        snapshot = msgspec.json.decode(stood.state, type=TableSnapshot)
        if isinstance(snapshot.view, msgspec.Raw):
            return msgspec.json.decode(snapshot.view, type=TableView), stood.last + 1
    except msgspec.ValidationError:
        return fresh, 1  # of another version: all of its lines say the same
    return fresh, 1

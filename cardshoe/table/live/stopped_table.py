"""How a table stood that does not run: what the last lines of its journal leave."""

import msgspec

from cardshoe.journal import Evidence
from cardshoe.journal.reading.backups import copied
from cardshoe.screens.view import LineFold, TableView
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.log.snapshot import TableSnapshot


def left_at(place: TablePlace) -> TableView:
    """The view that a table's newest journal leaves; no key is needed for it.

    Args:
        place: where the table is.

    Raises:
        NotLive: there is no journal.
        JournalError: it cannot be read.
    """
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
    """The view at the last shoe game's beginning, and the number of the first entry after it."""
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

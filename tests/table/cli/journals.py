"""Real journals: written by the scribe and the journal as a table does, and altered as somebody with a tool would."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from regulations.events.codec import decode_input
from regulations.events.inputs import Table
from table.journal import Entry, Header, Journal, read_only
from table.journal.chain import digest_of
from table.scribe import Scribe
from tests.table.cli.support import GAME, Line

STARTED: Final = "2026-01-05T10:00:00.000000Z"


def journal_of(path: Path, lines: Sequence[Line] = GAME, at: str = STARTED) -> Path:
    """A closed journal of a table.

    Args:
        path: the new file.
        lines: the profile and the inputs.
        at: the time of all of them.
    """
    table, *inputs = [decode_input(json.dumps({**line, "at": at})) for line in lines]
    assert isinstance(table, Table)
    scribe = Scribe(table)
    header = Header(
        table_id=table.table_id,
        game=table.game,
        edition=scribe.procedure.edition,
        program="cardshoe 0.1.0",
        created_at=at,
    )
    with Journal.create(path, header) as journal:
        journal.append(scribe.opening.lines)
        for event in inputs:
            journal.append(scribe.take(event).lines)
    return path


def entries_of(path: Path) -> list[Entry]:
    """What a closed journal holds, the header not counted."""
    with read_only(path) as evidence:
        return list(evidence.entries())


def forge(path: Path, seq: int, old: bytes, new: bytes) -> None:
    """Alters one line and computes the chain anew from there, as somebody who knows how it is made."""
    before = entries_of(path)[seq - 2].digest
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT seq, line FROM entries WHERE seq >= ? ORDER BY seq", (seq,)).fetchall()
        kinds = {entry.seq: entry.kind for entry in entries_of(path)}
        for number, line in rows:
            changed = line.replace(old, new) if number == seq else line
            assert number != seq or changed != line
            before = digest_of(before, number, kinds[number], changed)
            database.execute("UPDATE entries SET line = ?, digest = ? WHERE seq = ?", (changed, before, number))
    database.close()

"""Real journals: written by the scribe and the journal as a table does, and altered as somebody with a tool would."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from cardshoe.journal import Entry, Header, Journal, Keyring, read_only
from cardshoe.journal.proof.note import Note, SigningKey
from cardshoe.journal.proof.statements import Checkpoint, origin_of
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from cardshoe.table.log.log_builder import Scribe
from regulations.events.codec import decode_input
from regulations.events.inputs import Table
from regulations.law.edition import RULES_VERSION
from tests.cardshoe.cli.support import GAME, Line
from tests.kit.sealed import verified

STARTED: Final = "2026-01-05T10:00:00.000000Z"


def journal_of(path: Path, lines: Sequence[Line] = GAME, at: str = STARTED, rules: int = RULES_VERSION) -> Path:
    """A closed journal of a table."""
    table, *inputs = [decode_input(json.dumps({"at": at, **line})) for line in lines]
    assert isinstance(table, Table)
    scribe = Scribe(table)
    header = Header(
        table_id=table.table_id,
        game=table.game,
        edition=scribe.procedure.edition,
        program="cardshoe 0.1.0",
        created_at=at,
        rules=rules,
    )
    with Journal.create(path, header, Keyring(path)) as journal:
        journal.append([scribe.opening.entry])
        for event in inputs:
            journal.append([scribe.take(event).entry])
        journal.sign(at)
    return path


def entries_of(path: Path) -> list[Entry]:
    """The entries of a closed journal without its header."""
    with read_only(path) as evidence:
        return list(evidence.entries())


def journal_id(path: Path) -> str:
    """The random name that the journal gave itself."""
    with read_only(path) as evidence:
        return evidence.header.journal_id


def forge(path: Path, entry: int, old: bytes, new: bytes) -> None:
    """Alters one entry, computes the tree anew and signs it anew, as somebody who has the machine and its first key."""
    key = SigningKey(origin_of(journal_id(path)), Keyring(path).load(0))
    edge, roots = Frontier(), {}
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT number, lines FROM entries ORDER BY number").fetchall()
        for number, data in rows:
            changed = data.replace(old, new) if number == entry else data
            assert number != entry or changed != data
            node = edge.add(leaf_hash(changed))
            roots[edge.size] = edge.root()
            database.execute("UPDATE entries SET lines = ?, node = ? WHERE number = ?", (changed, node, number))
        for number, data in database.execute("SELECT number, note FROM checkpoints").fetchall():
            checkpoint = Checkpoint.read(Note(data))
            note = msgspec.structs.replace(checkpoint, root=roots[checkpoint.size]).signed(key)
            database.execute("UPDATE checkpoints SET note = ? WHERE number = ?", (note, number))
    database.close()


def log_of(folder: Path) -> list[Line]:
    (journal,) = folder.glob("*.journal")
    verified(journal)
    with read_only(journal) as evidence:
        return [json.loads(line) for entry in evidence.entries() for line in entry.lines]

"""Ways to shorten a journal's past with its file alone, without any key. Tools of SQLite are enough."""

import sqlite3
import struct
from pathlib import Path

from cardshoe.journal.file.retirement import Attested
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import HASH_BYTES, edge_rows

SEGMENT = (
    "CREATE TABLE segment (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, size INTEGER NOT NULL, "
    "edge BLOB NOT NULL, archived INTEGER NOT NULL) STRICT"
)
RETIRED = (
    "CREATE TABLE retired (id INTEGER PRIMARY KEY, line BLOB NOT NULL, path BLOB NOT NULL, notes BLOB NOT NULL) STRICT"
)
PART = 4
SHOES, ENTRIES = 5, 180
"""Shoe games of 36 entries each; before the first key changed there is only the header."""
PAGE = 4096


def takeovers_of(database: sqlite3.Connection) -> list[Takeover]:
    """The statements of the keys."""
    notes = database.execute("SELECT note FROM keys ORDER BY epoch").fetchall()
    return [Takeover.read(Note(note)) for (note,) in notes]


def shorten(path: Path, epoch: int, attested: Attested | None = None) -> int:
    """Delete what lies before a shoe game, and call what is left a rest.

    Args:
        path: the journal, whole or a rest.
        epoch: the first shoe game that is to stay.
        attested: what the part is to carry about its retirement; ``None``: it keeps what it has, or carries nothing.

    Returns:
        The first entry that is left.
    """
    with sqlite3.connect(path) as database:
        size = takeovers_of(database)[epoch].size
        before = _edge(database)
        edge = b"".join(before.get(row) or _node(database, row) for row in edge_rows(size))
        database.execute("DELETE FROM entries WHERE seq > 0 AND seq < ?", (size,))
        _drop_checkpoints_before(database, epoch)
        if _has(database, "standings"):
            database.execute("DELETE FROM standings WHERE epoch < ?", (epoch,))
        if not _has(database, "segment"):
            database.execute(SEGMENT)
        database.execute("INSERT OR REPLACE INTO segment VALUES (1, ?, ?, ?, 0)", (epoch, size, edge))
        _carry(database, attested)
    database.close()
    return size


def call_archive(path: Path, last: int, attested: Attested | None = None) -> int:
    """Cut off everything from where a key took over, and call what is left an archive.

    The statements of keys that are cut off go to what it carries: they are public, and prove the entry.

    Args:
        path: the journal, whole or a part.
        last: the epoch of that key.
        attested: as for `shorten`.

    Returns:
        The last entry that is left.
    """
    with sqlite3.connect(path) as database:
        size = takeovers_of(database)[last].size
        database.execute("DELETE FROM entries WHERE seq >= ?", (size,))
        cut = database.execute("SELECT note FROM keys WHERE epoch > ? ORDER BY epoch", (last,)).fetchall()
        database.execute("DELETE FROM keys WHERE epoch > ?", (last,))
        if _has(database, "retired"):
            keys = b"".join(note + b"\n" for (note,) in cut)
            database.execute("UPDATE retired SET notes = CAST(? || notes AS BLOB)", (keys,))
        for number, note in database.execute("SELECT number, note FROM checkpoints").fetchall():
            if Checkpoint.read(Note(note)).epoch >= last:
                database.execute("DELETE FROM checkpoints WHERE number = ?", (number,))
        if _has(database, "standings"):
            database.execute("DELETE FROM standings WHERE epoch > ?", (last,))
        if not _has(database, "segment"):
            database.execute(SEGMENT)
            header = _node(database, 0)
            database.execute("INSERT INTO segment VALUES (1, 0, 1, ?, 1)", (header,))
        database.execute("UPDATE segment SET archived = 1")
        database.execute("UPDATE mark SET seq = ?, node = ?", (size - 1, _node(database, size - 1)))
        _carry(database, attested)
    database.close()
    return size - 1


def attested_in(path: Path) -> Attested:
    """A part's evidence of its retirement."""
    with sqlite3.connect(path) as database:
        ((line, audit, notes),) = database.execute("SELECT line, path, notes FROM retired").fetchall()
    database.close()
    return Attested(line=line, path=audit, notes=notes)


def rollback_journal(before: bytes) -> bytes:
    """A rollback journal that gives a database its earlier content back, as the file format of SQLite describes it.

    Args:
        before: the earlier content.
    """
    pages = [before[at : at + PAGE] for at in range(0, len(before), PAGE)]
    nonce, sector = 7, 512
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", len(pages), nonce, len(pages), sector, PAGE)
    records = (
        struct.pack(">I", number) + page + struct.pack(">I", _checksum(nonce, page))
        for number, page in enumerate(pages, start=1)
    )
    return header.ljust(sector, b"\0") + b"".join(records)


def _checksum(nonce: int, page: bytes) -> int:
    return (nonce + sum(page[at] for at in range(PAGE - 200, 0, -200))) & 0xFFFFFFFF


def _edge(database: sqlite3.Connection) -> dict[int, bytes]:
    """A part's piece of the tree before it, by the numbers of the rows."""
    if not _has(database, "segment"):
        return {}
    ((size, edge),) = database.execute("SELECT size, edge FROM segment").fetchall()
    return {
        row: edge[at : at + HASH_BYTES]
        for row, at in zip(edge_rows(size), range(0, len(edge), HASH_BYTES), strict=True)
    }


def _node(database: sqlite3.Connection, seq: int) -> bytes:
    (node,) = database.execute("SELECT node FROM entries WHERE seq = ?", (seq,)).fetchone()
    assert isinstance(node, bytes)
    return node


def _drop_checkpoints_before(database: sqlite3.Connection, epoch: int) -> None:
    """All but the last of them, which a part keeps."""
    rows = database.execute("SELECT number, note FROM checkpoints ORDER BY number").fetchall()
    old = [number for number, note in rows if Checkpoint.read(Note(note)).epoch < epoch]
    database.executemany("DELETE FROM checkpoints WHERE number = ?", [(number,) for number in old[:-1]])


def _carry(database: sqlite3.Connection, attested: Attested | None) -> None:
    if not _has(database, "retired"):
        database.execute(RETIRED)
    if attested is not None:
        row = (attested.line, attested.path, attested.notes)
        database.execute("INSERT OR REPLACE INTO retired VALUES (1, ?, ?, ?)", row)
    database.execute(f"PRAGMA user_version = {PART}")


def _has(database: sqlite3.Connection, table: str) -> bool:
    return database.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone() is not None

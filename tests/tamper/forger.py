"""Somebody who has every key of a journal: all forged entries are signed correctly, and only their form can show it.

The file is made with Python's own SQLite, as docs/journal-file.md describes it, and not by the program.
"""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal.file.retirement import Retirement
from cardshoe.journal.proof.note import SigningKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover, origin_of
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from tests.cardshoe.journal.samples import written
from tests.tamper.specimen import at, group

INPUT, OUTPUT, RETIRED = 1, 2, 3
ENTRIES = "seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, line BLOB NOT NULL, node BLOB NOT NULL"
TABLES = (
    f"CREATE TABLE entries ({ENTRIES}) STRICT",
    "CREATE TABLE mark (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, node BLOB NOT NULL) STRICT",
    "CREATE TABLE keys (epoch INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
    "CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
)


@dataclass
class Unsigned:
    """A note that is about to be signed.

    Attributes:
        table: where it is stored.
        number: with which number.
        text: what it says.
        by: the keys that sign.
    """

    table: str
    number: int
    text: bytes
    by: list[SigningKey]

    def signed(self) -> bytes:
        """The note."""
        return self.text + b"\n" + "".join(key.line(self.text) for key in self.by).encode()


class Forger:
    """A journal that has yet to be written and signed.

    Args:
        chance: decides keys and contents.
        shoes: shoe games.
        rounds: in each, of one group of entries, with a checkpoint after each.

    Attributes:
        rows: kind and line of the entries from 1 on.
        said: what the header says.
        keys: by epoch.
        begins: the size at which each key takes over.
        signed: size and epoch of each checkpoint.
    """

    def __init__(self, chance: random.Random, shoes: int = 2, rounds: int = 2) -> None:
        journal_id = chance.randbytes(16).hex()
        self.origin = origin_of(journal_id)
        self.keys = [
            SigningKey(self.origin, Ed25519PrivateKey.from_private_bytes(chance.randbytes(32)))
            for _ in range(shoes + 1)
        ]
        self.said: dict[str, object] = {
            "event": "journal",
            "table_id": "B-101",
            "game": "baccarat",
            "edition": "55/2004",
            "program": "cardshoe 0.1.0",
            "created_at": at(0),
            "options": {"initial_burn": "first_card_value"},
            "journal_id": journal_id,
            "key": str(self.keys[0].public),
            "rules": 1,
        }
        self.rows: list[tuple[int, bytes]] = []
        self.begins, self.signed = [1], list[tuple[int, int]]()
        for epoch in range(1, shoes + 1):
            self.begins.append(len(self.rows) + 1)
            for _ in range(rounds):
                lines = group(len(self.rows) + 1, chance)
                self.rows += [(INPUT if kind == "input" else OUTPUT, line) for kind, line in lines]
                self.signed.append((len(self.rows) + 1, epoch))
        self.header = self.written_header()

    def relined(self, seq: int, change: Callable[[bytes], bytes]) -> None:
        """Write an entry otherwise; 0 is the header."""
        if seq == 0:
            self.header = change(self.header)
        else:
            kind, line = self.rows[seq - 1]
            self.rows[seq - 1] = kind, change(line)

    def announce(self) -> int:
        """Retire the first shoe game in a last entry, signed, which nobody carries out; its number."""
        seq, size, edge = len(self.rows) + 1, self.begins[2], Frontier()
        for line in (self.header, *(line for _, line in self.rows[: size - 1])):
            edge.add(leaf_hash(line))
        said = Retirement(seq=seq, at=at(seq), first=1, size=size, root=edge.root(), by="cage 7")
        self.rows.append((RETIRED, said.line()))
        self.signed.append((seq + 1, len(self.keys) - 1))
        return seq

    def written_header(self) -> bytes:
        """The line of entry 0."""
        return written(self.said)

    def write(self, path: Path, change: Callable[[list[Unsigned]], object] = list) -> None:
        """Write the file, whole and closed.

        Args:
            path: the new file.
            change: what is done to the notes before they are signed.
        """
        edge, nodes, roots = Frontier(), list[bytes](), dict[int, bytes]()
        for line in (self.header, *(line for _, line in self.rows)):
            nodes.append(edge.add(leaf_hash(line)))
            roots[edge.size] = edge.root()
        notes = [self._statement(epoch, roots) for epoch in range(len(self.keys))]
        for number, (size, epoch) in enumerate(self.signed, 1):
            one = Checkpoint(
                origin=self.origin, size=size, root=roots[size], number=number, epoch=epoch, at=at(size)
            ).text()
            notes.append(Unsigned("checkpoints", number, one.encode(), [self.keys[epoch]]))
        change(notes)
        mark = self.begins[-1] - 1
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript(
                "PRAGMA page_size = 4096; PRAGMA journal_mode = wal; PRAGMA synchronous = OFF;"
                "PRAGMA application_id = 0x4353484A; PRAGMA user_version = 2; BEGIN;" + ";".join(TABLES)
            )
            rows = [(0, 0, self.header), *((seq, *row) for seq, row in enumerate(self.rows, 1))]
            stored = [(*row, node) for row, node in zip(rows, nodes, strict=True)]
            database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", stored)
            database.execute("INSERT INTO mark VALUES (1, ?, ?)", (mark, nodes[mark]))
            for note in notes:
                database.execute(f"INSERT INTO {note.table} VALUES (?, ?)", (note.number, note.signed()))  # noqa: S608  # names of ours
            database.execute("COMMIT")

    def _statement(self, epoch: int, roots: dict[int, bytes]) -> Unsigned:
        size, key = self.begins[epoch], self.keys[epoch]
        one = Takeover(origin=self.origin, epoch=epoch, size=size, root=roots[size], key=key.public, at=at(size)).text()
        return Unsigned("keys", epoch, one.encode(), [*self.keys[max(0, epoch - 1) : epoch], key])

"""Somebody who has every key of a journal: all forged entries are signed correctly, and only their form can show it."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal.file.chain import data_of, lines_of
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.proof.note import SigningKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover, origin_of
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from tests.cardshoe.journal.samples import written
from tests.tamper.specimen import at, entry

TABLES = (
    "CREATE TABLE entries (number INTEGER PRIMARY KEY, lines BLOB NOT NULL, node BLOB NOT NULL) STRICT",
    "CREATE TABLE keys (epoch INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
    "CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
    "CREATE TABLE snapshots (epoch INTEGER PRIMARY KEY, state BLOB NOT NULL) STRICT",
)


@dataclass
class Unsigned:
    """A note that is about to be signed."""

    table: str
    number: int
    text: bytes
    by: list[SigningKey]

    def signed(self) -> bytes:
        """The note."""
        return self.text + b"\n" + "".join(key.line(self.text) for key in self.by).encode()


class Forger:
    """A journal that has yet to be written and signed.

    Attributes:
        rows: the bytes of the entries, the header first.
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
        self.rows: list[bytes] = [data_of([self.written_header()])]
        self.seq = 0
        self.begins, self.signed = [1], list[tuple[int, int]]()
        for epoch in range(1, shoes + 1):
            self.begins.append(len(self.rows))
            for _ in range(rounds):
                for _ in range(3):
                    self._add(entry(self.seq + 1, chance))
                self.signed.append((len(self.rows), epoch))

    def _add(self, data: bytes) -> None:
        self.rows.append(data)
        self.seq += len(lines_of(data))

    def relined(self, number: int, at: int, change: Callable[[bytes], bytes]) -> None:
        """Write a line of an entry otherwise; entry 0 is the header."""
        lines = lines_of(self.rows[number])
        lines[at % len(lines)] = change(lines[at % len(lines)])
        self.rows[number] = data_of(lines)

    def pass_over(self) -> int:
        """Pass over the last entry in another one, signed, as two people could; its number."""
        number = len(self.rows)
        leaf = leaf_hash(self.rows[-1])
        said = PassedOver(seq=self.seq + 1, at=at(self.seq), entry=number - 1, hash=leaf, by=("7", "cage 8"))
        self._add(data_of([said.line()]))
        self.signed.append((number + 1, len(self.keys) - 1))
        return number

    def written_header(self) -> bytes:
        """The line of entry 0."""
        return written(self.said)

    def write(self, path: Path, change: Callable[[list[Unsigned]], object] = list) -> None:
        """Write the file, whole and closed."""
        edge, nodes, roots = Frontier(), list[bytes](), dict[int, bytes]()
        for data in self.rows:
            nodes.append(edge.add(leaf_hash(data)))
            roots[edge.size] = edge.root()
        notes = [self._statement(epoch, roots) for epoch in range(len(self.keys))]
        for number, (size, epoch) in enumerate(self.signed, 1):
            one = Checkpoint(
                origin=self.origin, size=size, root=roots[size], number=number, epoch=epoch, at=at(size)
            ).text()
            notes.append(Unsigned("checkpoints", number, one.encode(), [self.keys[epoch]]))
        change(notes)
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript(
                "PRAGMA page_size = 4096; PRAGMA journal_mode = wal; PRAGMA synchronous = OFF;"
                "PRAGMA application_id = 0x4353484A; PRAGMA user_version = 5; BEGIN;" + ";".join(TABLES)
            )
            stored = [(number, *row) for number, row in enumerate(zip(self.rows, nodes, strict=True))]
            database.executemany("INSERT INTO entries VALUES (?, ?, ?)", stored)
            for note in notes:
                database.execute(f"INSERT INTO {note.table} VALUES (?, ?)", (note.number, note.signed()))  # noqa: S608  # names of ours
            database.execute("COMMIT")

    def _statement(self, epoch: int, roots: dict[int, bytes]) -> Unsigned:
        size, key = self.begins[epoch], self.keys[epoch]
        one = Takeover(origin=self.origin, epoch=epoch, size=size, root=roots[size], key=key.public, at=at(size)).text()
        return Unsigned("keys", epoch, one.encode(), [*self.keys[max(0, epoch - 1) : epoch], key])

"""Acts on a journal by somebody who has the file, and perhaps the machine with its newest key."""

import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal import Journal, Keyring, WitnessFile
from cardshoe.journal.file.chain import data_of, lines_of
from cardshoe.journal.proof.note import SigningKey, sign
from cardshoe.journal.proof.statements import Takeover
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from tests.attacks.rollback import rollback_journal
from tests.cardshoe.journal.samples import written
from tests.cardshoe.journal.sealed import regrown
from tests.tamper.specimen import Specimen, at, play, statements


@dataclass(frozen=True)
class Done:
    """A mutation.

    Attributes:
        first: the first entry that is not what it was; ``None`` if only what was signed about them is.
        exact: whether nothing was computed anew, so that exactly this entry must be named.
    """

    kind: str
    first: int | None
    exact: bool


class Tamperer:
    """Does one thing to a copy of a journal."""

    def __init__(self, journal: Path, witness: Path, of: Specimen, chance: random.Random) -> None:
        self.journal = journal
        self.witness = witness
        self.of = of
        self.chance = chance
        self.exact = True

    def any(self) -> Done:
        """One mutation of a random kind; all that it touches was witnessed."""
        kind = self.chance.choice(list(KINDS))
        self.exact = True
        first = KINDS[kind](self)
        return Done(kind, first, self.exact)

    def place(self, first: int = 1) -> int:
        """A witnessed entry."""
        return self.chance.randint(first, self.of.witnessed)

    def edit(self, change: Callable[[sqlite3.Connection], None], *, regrow: bool) -> None:
        """Change the file with ordinary tools, and perhaps compute anew all that needs no key."""
        self.exact = self.exact and not regrow
        database = sqlite3.connect(self.journal)
        database.execute("PRAGMA synchronous = OFF")
        change(database)
        if regrow:
            regrown(database)
        database.commit()
        database.close()

    def rewrite(self, change: Callable[[list[bytes]], None], *, fit: bool) -> None:
        """Change the list of all rows; with ``fit`` the lines are numbered anew, and the nodes computed anew."""

        def edit(database: sqlite3.Connection) -> None:
            stored = database.execute("SELECT lines, node FROM entries ORDER BY number").fetchall()
            rows, nodes = [data for data, _ in stored], [node for _, node in stored]
            change(rows)
            database.execute("DELETE FROM entries")
            seq = 1
            for number, data in enumerate(rows):
                text = numbered(data, seq) if fit and number else data
                seq += len(lines_of(data)) if number else 0
                node = nodes[min(number, len(nodes) - 1)]
                database.execute("INSERT INTO entries VALUES (?, ?, ?)", (number, text, node))

        self.edit(edit, regrow=fit)

    def fit(self) -> bool:
        """True if this time everything that needs no key is made to fit."""
        return self.chance.random() < 0.7


def numbered(data: bytes, seq: int) -> bytes:
    """The entry with other numbers in its lines, from ``seq`` on."""
    return data_of(written({**json.loads(line), "seq": n}) for n, line in enumerate(lines_of(data), start=seq))


def stored(database: sqlite3.Connection, number: int) -> bytes:
    """The bytes of an entry."""
    (data,) = database.execute("SELECT lines FROM entries WHERE number = ?", (number,)).fetchone()
    assert isinstance(data, bytes)
    return data


def store(database: sqlite3.Connection, number: int, data: bytes) -> None:
    """Put other bytes in their place."""
    database.execute("UPDATE entries SET lines = ? WHERE number = ?", (data, number))


def flip(by: Tamperer) -> int:
    """One bit of an entry."""
    number = by.place(0)

    def change(database: sqlite3.Connection) -> None:
        data = bytearray(stored(database, number))
        data[by.chance.randrange(len(data))] ^= 1 << by.chance.randrange(8)
        store(database, number, bytes(data))

    by.edit(change, regrow=by.fit())
    return number


def word(by: Tamperer) -> int:
    """A line that reads as well as before; its own node, or all of them, are made to fit."""
    number = by.place()
    alone = by.chance.random() < 0.3
    by.exact = False

    def change(database: sqlite3.Connection) -> None:
        lines = lines_of(stored(database, number))
        at = by.chance.randrange(len(lines))
        lines[at] = written({**json.loads(lines[at]), "raw": by.chance.randbytes(5).hex()})
        store(database, number, data_of(lines))
        if alone:
            edge = Frontier()
            rows = database.execute("SELECT lines FROM entries WHERE number <= ? ORDER BY number", (number,)).fetchall()
            nodes = [edge.add(leaf_hash(one)) for (one,) in rows]
            database.execute("UPDATE entries SET node = ? WHERE number = ?", (nodes[-1], number))

    by.edit(change, regrow=not alone)
    return number


def clock(by: Tamperer) -> int:
    """The time of an entry."""
    number = by.place()

    def change(database: sqlite3.Connection) -> None:
        hour = b"2026-01-05T1" + str(by.chance.randint(1, 9)).encode()
        store(database, number, stored(database, number).replace(b"2026-01-05T10", hour))

    by.edit(change, regrow=by.fit())
    return number


def node(by: Tamperer) -> int:
    """One bit of what an entry holds of the tree."""
    number = by.place(0)

    def change(database: sqlite3.Connection) -> None:
        data = bytearray(database.execute("SELECT node FROM entries WHERE number = ?", (number,)).fetchone()[0])
        data[by.chance.randrange(32)] ^= 1 << by.chance.randrange(8)
        database.execute("UPDATE entries SET node = ? WHERE number = ?", (bytes(data), number))

    by.edit(change, regrow=False)
    return number


def delete(by: Tamperer) -> int:
    """A few entries are taken out."""
    number = by.place()
    count = by.chance.randint(1, 5)
    by.rewrite(lambda rows: rows.__delitem__(slice(number, number + count)), fit=by.fit())
    return number


def duplicate(by: Tamperer) -> int:
    """An entry is there twice: the second in place of one that was witnessed."""
    number = by.place()
    by.rewrite(lambda rows: rows.insert(number, rows[number - 1]), fit=by.fit())
    return number


def insert(by: Tamperer) -> int:
    """An input with its output that never was."""
    number = by.place()
    lines = [written({"event": event, "seq": 0, "at": at(number), "raw": "never"}) for event in ("card", "next")]
    by.rewrite(lambda rows: rows.insert(number, numbered(data_of(lines), 3 * number)), fit=by.fit())
    return number


def swap(by: Tamperer) -> int:
    """Two entries change places."""
    first, second = sorted(by.chance.sample(range(1, by.of.witnessed + 1), 2))

    def change(rows: list[bytes]) -> None:
        rows[first], rows[second] = rows[second], rows[first]

    by.rewrite(change, fit=by.fit())
    return first


def regroup(by: Tamperer) -> int:
    """A line moves from the end of an entry to the beginning of the next, or an entry and the next become one."""
    number = by.chance.randint(1, by.of.witnessed - 1)
    apart = by.chance.random() < 0.5

    def change(rows: list[bytes]) -> None:
        *lines, last = lines_of(rows[number])
        if apart:
            rows[number : number + 2] = [data_of(lines), data_of([last]) + rows[number + 1]]
        else:
            rows[number : number + 2] = [rows[number] + rows[number + 1]]

    by.rewrite(change, fit=by.fit())
    return number


def truncate(by: Tamperer) -> int:
    """The end is cut off, with all that was signed of it."""
    number = by.place(0)

    def change(database: sqlite3.Connection) -> None:
        keys, checkpoints = statements(database)
        database.execute("DELETE FROM entries WHERE number >= ?", (number,))
        for epoch in (epoch for epoch, one in keys.items() if one.size > number):
            database.execute("DELETE FROM keys WHERE epoch = ?", (epoch,))
        for checkpoint in (one for one, said in checkpoints.items() if said.size > number):
            database.execute("DELETE FROM checkpoints WHERE number = ?", (checkpoint,))

    by.edit(change, regrow=number > 0)
    return number


def old_image(by: Tamperer) -> int:
    """An old copy is put in its place."""
    data, last = by.of.old
    by.exact = False
    by.journal.write_bytes(data)
    return last + 1


def truncate_and_resume(by: Tamperer) -> int:
    """The end of the open shoe is cut off with what was signed of it, and the table goes on, its witness too."""
    cut: list[int] = []
    by.exact = False

    def change(database: sqlite3.Connection) -> None:
        keys, checkpoints = statements(database)
        begins = keys[by.of.epoch].size
        sizes = sorted({begins, *(one.size for one in checkpoints.values() if begins <= one.size <= by.of.witnessed)})
        cut.append(by.chance.choice(sizes))
        database.execute("DELETE FROM entries WHERE number >= ?", (cut[0],))
        for number in (number for number, one in checkpoints.items() if one.size > cut[0]):
            database.execute("DELETE FROM checkpoints WHERE number = ?", (number,))

    by.edit(change, regrow=False)
    with Journal.open(by.journal, Keyring(by.journal)) as journal:
        journal.listen(lambda note: WitnessFile(by.witness).append([note]))
        play(journal, by.chance, by.chance.randint(1, 3))
        if by.chance.random() < 0.3:
            journal.begin_shoe(at(journal.last_seq))
            play(journal, by.chance, 1)
    return cut[0]


def reseal(by: Tamperer) -> int:
    """A line of an earlier shoe game is altered, and whoever has the newest key signs anew what lies after it."""
    seqs: list[int] = []

    def change(database: sqlite3.Connection) -> None:
        keys, checkpoints = statements(database)
        signer = SigningKey(keys[0].origin, Keyring(by.journal).load(by.of.epoch))
        seq = by.chance.randint(1, min(by.of.witnessed, keys[by.of.epoch].size - 1))
        seqs.append(seq)
        asked, *answers = lines_of(stored(database, seq))
        store(database, seq, data_of([written({**json.loads(asked), "raw": "resealed"}), *answers]))
        roots = regrown_roots(database)
        epochs = by.chance.random() < 0.5
        for number, one in checkpoints.items():
            if one.size > seq:
                epoch = by.of.epoch if epochs else one.epoch
                note = msgspec.structs.replace(one, root=roots[one.size], epoch=epoch).signed(signer)
                database.execute("UPDATE checkpoints SET note = ? WHERE number = ?", (note, number))
        for epoch, takeover in keys.items():
            if takeover.size > seq:
                note = sign(msgspec.structs.replace(takeover, root=roots[takeover.size]).text(), signer)
                database.execute("UPDATE keys SET note = ? WHERE epoch = ?", (note, epoch))

    by.edit(change, regrow=True)
    return seqs[0]


def regrown_roots(database: sqlite3.Connection) -> dict[int, bytes]:
    """The roots over the lines as they are now, by size."""
    edge, roots = Frontier(), {}
    for (data,) in database.execute("SELECT lines FROM entries ORDER BY number").fetchall():
        edge.add(leaf_hash(data))
        roots[edge.size] = edge.root()
    return roots


def key_swap(by: Tamperer) -> None:
    """A key of one's own takes the place of one of the journal's, and signs what that signed."""

    def change(database: sqlite3.Connection) -> None:
        keys, checkpoints = statements(database)
        epoch = by.chance.choice([one for one, said in keys.items() if said.size <= by.of.witnessed])
        mine = SigningKey(keys[0].origin, Ed25519PrivateKey.generate())
        said = msgspec.structs.replace(keys[epoch], key=mine.public)
        database.execute("UPDATE keys SET note = ? WHERE epoch = ?", (sign(Takeover.text(said), mine), epoch))
        for number, one in checkpoints.items():
            if one.epoch == epoch:
                database.execute("UPDATE checkpoints SET note = ? WHERE number = ?", (one.signed(mine), number))

    by.edit(change, regrow=False)


def note_flip(by: Tamperer) -> None:
    """One bit of a note, its clock among what can be hit."""

    def change(database: sqlite3.Connection) -> None:
        table, column, number = _note(by, database)
        row = database.execute(f"SELECT note FROM {table} WHERE {column} = ?", (number,)).fetchone()  # noqa: S608  # names of ours
        data = bytearray(row[0])
        data[by.chance.randrange(len(data))] ^= 1 << by.chance.randrange(8)
        database.execute(f"UPDATE {table} SET note = ? WHERE {column} = ?", (bytes(data), number))  # noqa: S608  # as above

    by.edit(change, regrow=False)


def note_delete(by: Tamperer) -> None:
    """A note is taken out."""

    def change(database: sqlite3.Connection) -> None:
        table, column, number = _note(by, database)
        database.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))  # noqa: S608  # names of ours

    by.edit(change, regrow=False)


def note_swap(by: Tamperer) -> None:
    """Two notes change places."""

    def change(database: sqlite3.Connection) -> None:
        _, checkpoints = statements(database)
        numbers = [number for number, one in checkpoints.items() if one.size <= by.of.witnessed]
        first, second = by.chance.sample(numbers, 2) if len(numbers) > 1 else (numbers[0], len(checkpoints))
        for old, new in ((first, -1), (second, first), (-1, second)):
            database.execute("UPDATE checkpoints SET number = ? WHERE number = ?", (new, old))

    by.edit(change, regrow=False)


def rollback_beside(by: Tamperer) -> None:
    """A rollback journal beside it, which would bring back an old copy; or something of that name."""
    data = rollback_journal(by.of.old[0]) if by.chance.random() < 0.7 else by.chance.randbytes(by.chance.randint(0, 99))
    by.journal.with_name(f"{by.journal.name}-journal").write_bytes(data)


def _note(by: Tamperer, database: sqlite3.Connection) -> tuple[str, str, int]:
    keys, checkpoints = statements(database)
    held = [("keys", "epoch", epoch) for epoch, one in keys.items() if one.size <= by.of.witnessed + 1]
    held += [
        ("checkpoints", "number", number) for number, one in checkpoints.items() if one.size <= by.of.witnessed + 1
    ]
    return by.chance.choice(held)


KINDS: Final[dict[str, Callable[[Tamperer], int | None]]] = {
    one.__name__: one
    for one in (
        flip, word, clock, node, delete, duplicate, insert, swap, regroup, truncate, old_image, truncate_and_resume,
        reseal, key_swap, note_flip, note_delete, note_swap, rollback_beside,
    )
}  # fmt: skip

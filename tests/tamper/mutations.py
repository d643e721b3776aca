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
from cardshoe.journal.file.retirement import Attested, Retirement
from cardshoe.journal.proof.note import SigningKey, sign
from cardshoe.journal.proof.statements import Takeover
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from tests.attacks.shortening import call_archive, rollback_journal, shorten
from tests.cardshoe.journal.samples import written
from tests.cardshoe.journal.sealed import regrown
from tests.tamper.specimen import Specimen, at, play, statements

Row = tuple[int, int, bytes]


@dataclass(frozen=True)
class Done:
    """A mutation.

    Attributes:
        kind: the kind of mutation.
        first: the first entry that is not what it was; ``None`` if only what was signed about them is.
        exact: whether nothing was computed anew, so that exactly this entry must be named.
    """

    kind: str
    first: int | None
    exact: bool


class Tamperer:
    """Does one thing to a copy of a journal.

    Args:
        journal: the copy; its key and its witness lie beside it.
        witness: the file of the witness.
        of: what it is a copy of.
        chance: decides what and where.
    """

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

    def rewrite(self, change: Callable[[list[Row]], None], *, fit: bool) -> None:
        """Change the list of all rows; with ``fit`` the lines are numbered anew, and the nodes computed anew."""

        def edit(database: sqlite3.Connection) -> None:
            rows = database.execute("SELECT seq, kind, line FROM entries ORDER BY seq").fetchall()
            nodes = [node for (node,) in database.execute("SELECT node FROM entries ORDER BY seq").fetchall()]
            change(rows)
            database.execute("DELETE FROM entries")
            for seq, (_, kind, line) in enumerate(rows):
                text = numbered(line, seq) if fit and seq else line
                node = nodes[min(seq, len(nodes) - 1)]
                database.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (seq, kind, text, node))

        self.edit(edit, regrow=fit)

    def fit(self) -> bool:
        """True if this time everything that needs no key is made to fit."""
        return self.chance.random() < 0.7


def numbered(line: bytes, seq: int) -> bytes:
    """The line with another number in it."""
    return written({**json.loads(line), "seq": seq})


def flip(by: Tamperer) -> int:
    """One bit of a line."""
    seq = by.place(0)

    def change(database: sqlite3.Connection) -> None:
        line = bytearray(database.execute("SELECT line FROM entries WHERE seq = ?", (seq,)).fetchone()[0])
        line[by.chance.randrange(len(line))] ^= 1 << by.chance.randrange(8)
        database.execute("UPDATE entries SET line = ? WHERE seq = ?", (bytes(line), seq))

    by.edit(change, regrow=by.fit())
    return seq


def word(by: Tamperer) -> int:
    """A line that reads as well as before; its own node, or all of them, are made to fit."""
    seq = by.place()
    alone = by.chance.random() < 0.3
    by.exact = False

    def change(database: sqlite3.Connection) -> None:
        (line,) = database.execute("SELECT line FROM entries WHERE seq = ?", (seq,)).fetchone()
        line = written({**json.loads(line), "raw": by.chance.randbytes(5).hex()})
        database.execute("UPDATE entries SET line = ? WHERE seq = ?", (line, seq))
        if alone:
            edge = Frontier()
            rows = database.execute("SELECT line FROM entries WHERE seq <= ? ORDER BY seq", (seq,)).fetchall()
            nodes = [edge.add(leaf_hash(one)) for (one,) in rows]
            database.execute("UPDATE entries SET node = ? WHERE seq = ?", (nodes[-1], seq))

    by.edit(change, regrow=not alone)
    return seq


def clock(by: Tamperer) -> int:
    """The time of an entry."""
    seq = by.place()

    def change(database: sqlite3.Connection) -> None:
        (line,) = database.execute("SELECT line FROM entries WHERE seq = ?", (seq,)).fetchone()
        line = line.replace(b"2026-01-05T10", b"2026-01-05T1" + str(by.chance.randint(1, 9)).encode())
        database.execute("UPDATE entries SET line = ? WHERE seq = ?", (line, seq))

    by.edit(change, regrow=by.fit())
    return seq


def node(by: Tamperer) -> int:
    """One bit of what an entry holds of the tree."""
    seq = by.place(0)

    def change(database: sqlite3.Connection) -> None:
        data = bytearray(database.execute("SELECT node FROM entries WHERE seq = ?", (seq,)).fetchone()[0])
        data[by.chance.randrange(32)] ^= 1 << by.chance.randrange(8)
        database.execute("UPDATE entries SET node = ? WHERE seq = ?", (bytes(data), seq))

    by.edit(change, regrow=False)
    return seq


def delete(by: Tamperer) -> int:
    """A few entries are taken out."""
    seq = by.place()
    count = by.chance.randint(1, 5)
    by.rewrite(lambda rows: rows.__delitem__(slice(seq, seq + count)), fit=by.fit())
    return seq


def duplicate(by: Tamperer) -> int:
    """An entry is there twice."""
    seq = by.place()
    by.rewrite(lambda rows: rows.insert(seq, rows[seq]), fit=by.fit())
    return seq + 1


def insert(by: Tamperer) -> int:
    """An input with its output that never was."""
    seq = by.place()
    line = written({"event": "card", "seq": seq, "at": at(seq), "raw": "never"})
    answer = written({"event": "next", "seq": seq + 1, "at": at(seq), "raw": "never"})
    by.rewrite(lambda rows: rows.__setitem__(slice(seq, seq), [(seq, 1, line), (seq + 1, 2, answer)]), fit=by.fit())
    return seq


def swap(by: Tamperer) -> int:
    """Two entries change places."""
    first, second = sorted(by.chance.sample(range(1, by.of.witnessed + 1), 2))

    def change(rows: list[Row]) -> None:
        rows[first], rows[second] = rows[second], rows[first]

    by.rewrite(change, fit=by.fit())
    return first


def kind(by: Tamperer) -> int:
    """An input becomes an output, or the other way round."""
    seq = by.place()

    def change(database: sqlite3.Connection) -> None:
        database.execute("UPDATE entries SET kind = 3 - kind WHERE seq = ?", (seq,))

    by.edit(change, regrow=by.fit())
    return seq


def truncate(by: Tamperer) -> int:
    """The end is cut off, with all that was signed of it."""
    seq = by.place(0)

    def change(database: sqlite3.Connection) -> None:
        keys, checkpoints = statements(database)
        database.execute("DELETE FROM entries WHERE seq > ?", (seq - 1,))
        for epoch in (epoch for epoch, one in keys.items() if one.size > seq):
            database.execute("DELETE FROM keys WHERE epoch = ?", (epoch,))
        for number in (number for number, one in checkpoints.items() if one.size > seq):
            database.execute("DELETE FROM checkpoints WHERE number = ?", (number,))

    by.edit(change, regrow=seq > 0)
    return seq


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
        database.execute("DELETE FROM entries WHERE seq >= ?", (cut[0],))
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
        (line,) = database.execute("SELECT line FROM entries WHERE seq = ?", (seq,)).fetchone()
        line = written({**json.loads(line), "raw": "resealed"})
        database.execute("UPDATE entries SET line = ? WHERE seq = ?", (line, seq))
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
    for (line,) in database.execute("SELECT line FROM entries ORDER BY seq").fetchall():
        edge.add(leaf_hash(line))
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


def shortened(by: Tamperer) -> None:
    """The first shoe games are taken out, and what is left is called a rest; perhaps with an entry of one's own."""
    with sqlite3.connect(by.journal) as database:
        keys, checkpoints = statements(database)
        (note,) = database.execute("SELECT note FROM checkpoints WHERE number = ?", (max(checkpoints),)).fetchone()
    database.close()
    epoch = by.chance.choice([one for one, said in keys.items() if said.size > 1])
    forged = None
    if by.chance.random() < 0.7:
        seq, kept = checkpoints[max(checkpoints)].size - 1, keys[epoch]
        entry = Retirement(seq=seq, at=at(seq), first=1, size=kept.size, root=kept.root, by="x")
        forged = Attested(line=entry.line(), path=by.chance.randbytes(32 * by.chance.randint(0, 6)), notes=note + b"\n")
    shorten(by.journal, epoch, forged)


def called_archive(by: Tamperer) -> None:
    """The end is cut off where a key took over, and what is left is called an archive."""
    with sqlite3.connect(by.journal) as database:
        keys, _ = statements(database)
    database.close()
    call_archive(by.journal, by.chance.choice([one for one, said in keys.items() if said.size > 1]))


def rollback_beside(by: Tamperer) -> None:
    """A rollback journal beside it, which would bring back an old copy; or something of that name."""
    data = rollback_journal(by.of.old[0]) if by.chance.random() < 0.7 else by.chance.randbytes(by.chance.randint(0, 99))
    by.journal.with_name(f"{by.journal.name}-journal").write_bytes(data)


def _note(by: Tamperer, database: sqlite3.Connection) -> tuple[str, str, int]:
    """A note that the witness holds."""
    keys, checkpoints = statements(database)
    held = [("keys", "epoch", epoch) for epoch, one in keys.items() if one.size <= by.of.witnessed + 1]
    held += [
        ("checkpoints", "number", number) for number, one in checkpoints.items() if one.size <= by.of.witnessed + 1
    ]
    return by.chance.choice(held)


KINDS: Final[dict[str, Callable[[Tamperer], int | None]]] = {
    one.__name__: one
    for one in (
        flip, word, clock, node, delete, duplicate, insert, swap, kind, truncate, old_image, truncate_and_resume,
        reseal, key_swap, note_flip, note_delete, note_swap, shortened, called_archive, rollback_beside,
    )
}  # fmt: skip

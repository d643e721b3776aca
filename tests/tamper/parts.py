"""Acts on the parts of a journal from which shoe games were retired: the rest, and the archive."""

import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cardshoe.journal import Keyring
from cardshoe.journal.proof.tree import HASH_BYTES, Frontier, leaf_hash
from cardshoe.journal.writing.retire import keep_shoes, retire
from tests.attacks.shortening import call_archive, shorten
from tests.cardshoe.journal.samples import written
from tests.cardshoe.journal.sealed import BY
from tests.tamper.mutations import Done, numbered
from tests.tamper.specimen import Specimen, at, statements

Database = sqlite3.Connection


@dataclass(frozen=True)
class Parts:
    """A journal in two parts.

    Attributes:
        rest: the bytes of what stayed.
        archive: of what was retired.
        of: the whole.
    """

    rest: bytes
    archive: bytes
    of: Specimen


def parts(folder: Path, of: Specimen, chance: random.Random) -> Parts:
    """Retire some of a journal's shoe games.

    Args:
        folder: for passing files.
        of: the journal.
        chance: decides how many.
    """
    path, archive = folder / "parts.journal", folder / "parts.archive"
    path.write_bytes(of.database)
    Keyring(path).path(of.epoch).write_bytes(of.key)
    retire(path, archive, keep_shoes(chance.randint(1, of.epoch - 1)), by=BY, at=at(of.last))
    return Parts(path.read_bytes(), archive.read_bytes(), of)


class Butcher:
    """Does one thing to a part.

    Args:
        file: the part.
        of: what it is a part of.
        chance: decides what and where.
    """

    def __init__(self, file: Path, of: Specimen, chance: random.Random) -> None:
        self.file = file
        self.chance = chance
        self.database = sqlite3.connect(file)
        self.database.execute("PRAGMA synchronous = OFF")
        ((self.epoch, self.size, self.edge),) = self.rows("SELECT epoch, size, edge FROM segment")
        ((self.end,),) = self.rows("SELECT max(seq) FROM entries")
        self.last = min(of.witnessed, self.end)
        self.exact = False

    def any(self) -> Done:
        """One mutation of a random kind that this part admits; all that it touches was witnessed."""
        while True:
            kind = self.chance.choice(list(KINDS))
            first = KINDS[kind](self)
            if first is not REFUSED:
                break
        self.database.commit()
        self.database.close()
        assert first is None or isinstance(first, int)
        return Done(kind, first, self.exact)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self.database.execute(sql, values).fetchall()
        return found

    def regrow(self) -> None:
        """Compute every node and the mark anew, from the edge that the file names."""
        nodes = [self.edge[i : i + HASH_BYTES] for i in range(0, len(self.edge), HASH_BYTES)]
        edge = Frontier(self.size, nodes)
        for seq, line in self.database.execute("SELECT seq, line FROM entries WHERE seq > 0 ORDER BY seq").fetchall():
            self.database.execute("UPDATE entries SET node = ? WHERE seq = ?", (edge.add(leaf_hash(line)), seq))
        self.database.execute(
            "UPDATE mark SET node = (SELECT node FROM entries WHERE entries.seq = mark.seq) WHERE seq >= ?",
            (self.size,),
        )

    def place(self) -> int:
        """A witnessed entry."""
        return self.chance.randint(self.size, self.last)


REFUSED: Final = object()


def edge_bit(by: Butcher) -> object:
    """One bit of the edge; perhaps with all nodes computed anew upon it."""
    edge = bytearray(by.edge)
    edge[by.chance.randrange(len(edge))] ^= 1 << by.chance.randrange(8)
    by.edge = bytes(edge)
    by.database.execute("UPDATE segment SET edge = ?", (by.edge,))
    if by.chance.random() < 0.7:
        by.regrow()
    return None


def edge_cut(by: Butcher) -> object:
    """A node of the edge is missing, or is there twice."""
    edge = by.edge[HASH_BYTES:] if by.chance.random() < 0.5 else by.edge + by.edge[-HASH_BYTES:]
    by.database.execute("UPDATE segment SET edge = ?", (edge,))
    return None


def begins_elsewhere(by: Butcher) -> object:
    """The segment says that it begins with another key, or at another size."""
    if by.chance.random() < 0.5:
        epoch = by.epoch + by.chance.choice([-1, 1, 2, 5])
        keys, _ = statements(by.database)
        if epoch in keys and keys[epoch].size == by.size:
            return REFUSED  # both took over there: it begins where it began
        by.database.execute("UPDATE segment SET epoch = ?", (epoch,))
    else:
        by.database.execute("UPDATE segment SET size = ?", (by.size + by.chance.choice([-1, 1, 2, 8]),))
    return None


def other_kind(by: Butcher) -> object:
    """An archive is called a journal that goes on, or the other way round."""
    by.database.execute("UPDATE segment SET archived = 1 - archived")
    return None


def segment_gone(by: Butcher) -> object:
    """The segment's row is missing, or there is another one."""
    if by.chance.random() < 0.5:
        by.database.execute("DELETE FROM segment")
    else:
        by.database.execute("INSERT INTO segment SELECT 2, epoch, size, edge, archived FROM segment")
    return None


def called_whole(by: Butcher) -> object:
    """A part is called a whole journal."""
    if by.size == 1:
        return REFUSED  # it holds all from the first entry on
    by.database.executescript("DROP TABLE segment; DROP TABLE retired; PRAGMA user_version = 2")
    return 1


def first_gone(by: Butcher) -> object:
    """The first entries are taken out, and perhaps the edge moved over them."""
    count = by.chance.randint(1, 3)
    if by.size + count > by.last:
        return REFUSED
    lines = by.rows("SELECT line FROM entries WHERE seq >= ? AND seq < ? ORDER BY seq", by.size, by.size + count)
    by.database.execute("DELETE FROM entries WHERE seq >= ? AND seq < ?", (by.size, by.size + count))
    if by.chance.random() < 0.5:
        nodes = [by.edge[i : i + HASH_BYTES] for i in range(0, len(by.edge), HASH_BYTES)]
        edge = Frontier(by.size, nodes)
        for (line,) in lines:
            edge.add(leaf_hash(line))
        by.database.execute("UPDATE segment SET size = ?, edge = ?", (edge.size, b"".join(edge.nodes)))
    return by.size


def stray(by: Butcher) -> object:
    """An entry from before the segment."""
    if by.size == 1:
        return REFUSED
    seq = by.chance.randint(1, by.size - 1)
    line = written({"event": "card", "seq": seq, "at": at(seq)})
    by.database.execute("INSERT INTO entries VALUES (?, 1, ?, ?)", (seq, line, leaf_hash(line)))
    return by.size


def word(by: Butcher) -> object:
    """A line that reads as well as before, with all that needs no key computed anew."""
    seq = by.place()
    ((line,),) = by.rows("SELECT line FROM entries WHERE seq = ?", seq)
    line = written({**json.loads(line), "raw": by.chance.randbytes(5).hex()})
    by.database.execute("UPDATE entries SET line = ? WHERE seq = ?", (line, seq))
    by.regrow()
    return seq


def swap(by: Butcher) -> object:
    """Two lines change places, numbered anew, with all that needs no key computed anew."""
    if by.size >= by.last:
        return REFUSED
    first, second = sorted(by.chance.sample(range(by.size, by.last + 1), 2))
    lines = dict(by.rows("SELECT seq, line FROM entries WHERE seq IN (?, ?)", first, second))
    for seq, other in ((first, second), (second, first)):
        line = lines[other]
        by.database.execute("UPDATE entries SET line = ? WHERE seq = ?", (numbered(line, seq), seq))
    by.regrow()
    return first


def header(by: Butcher) -> object:
    """Another table's header, with its node."""
    ((line,),) = by.rows("SELECT line FROM entries WHERE seq = 0")
    line = line.replace(b"B-101", b"B-102")
    by.database.execute("UPDATE entries SET line = ?, node = ? WHERE seq = 0", (line, leaf_hash(line)))
    return 0


def checkpoints_gone(by: Butcher) -> object:
    """The first checkpoints are taken out, so that it seems that they were retired."""
    _, stored = statements(by.database)
    mine = sorted(number for number, one in stored.items() if one.epoch >= by.epoch and one.size <= by.last + 1)
    if len(mine) < 2:
        return REFUSED
    upto = by.chance.choice(mine[:-1])
    by.database.execute("DELETE FROM checkpoints WHERE number <= ?", (upto,))
    return None


def key_gone(by: Butcher) -> object:
    """The statement of a key is taken out."""
    keys, _ = statements(by.database)
    by.database.execute("DELETE FROM keys WHERE epoch = ?", (by.chance.choice(list(keys)),))
    return None


def shortened(by: Butcher) -> object:
    """More shoe games are taken out than the entry says that it carries."""
    keys, _ = statements(by.database)
    later = [epoch for epoch, one in keys.items() if by.size < one.size <= by.end]
    if not later:
        return REFUSED
    ((archived,),) = by.rows("SELECT archived FROM segment")
    by.database.commit()
    shorten(by.file, by.chance.choice(later))
    by.database.execute("UPDATE segment SET archived = ?", (archived,))
    return None


def called_archive(by: Butcher) -> object:
    """The end is cut off where a key took over, and what is left is called an archive, with its own entry."""
    keys, _ = statements(by.database)
    earlier = [epoch for epoch, one in keys.items() if by.size < one.size <= by.end]
    if not earlier:
        return REFUSED
    by.database.commit()
    call_archive(by.file, by.chance.choice(earlier))
    return None


def carried(by: Butcher) -> object:
    """One bit of what it carries about its retirement."""
    column = by.chance.choice(["line", "path", "notes"])
    ((data,),) = by.rows(f"SELECT {column} FROM retired")  # noqa: S608  # names of ours
    altered = bytearray(data)
    altered[by.chance.randrange(len(altered))] ^= 1 << by.chance.randrange(8)
    by.database.execute(f"UPDATE retired SET {column} = ?", (bytes(altered),))  # noqa: S608  # as above
    return None


KINDS: Final[dict[str, Callable[[Butcher], object]]] = {
    one.__name__: one
    for one in (
        edge_bit, edge_cut, begins_elsewhere, other_kind, segment_gone, called_whole, first_gone, stray, word, swap,
        header, checkpoints_gone, key_gone, shortened, called_archive, carried,
    )
}  # fmt: skip

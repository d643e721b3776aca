"""The rows of a journal: storing entries durably, reading them, the mark, checkpoints."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from table.journal.chain import Entry, Kind
from table.journal.database import STANDINGS, Setting, apply_settings, connect, make, read_setting, translated
from table.journal.errors import JournalBroken, JournalFailed
from table.journal.holders import claim, file_id, release
from table.journal.proof.seals import Numbered
from table.journal.proof.tree import StoredTree, leaf_hash

KINDS: Final[tuple[Kind, ...]] = ("header", "input", "output")
"""The numbers of the column ``kind``."""

_NUMBER_OF: Final = {kind: number for number, kind in enumerate(KINDS)}
_BATCH: Final = 2000  # entries read at once: no read stays open, or a checkpoint could not finish


class Store:
    """An open database file with the journal's tables.

    Use `build` once to make the file, then `Store(path)`.

    Args:
        path: the file.
        shown_as: the name in messages, if the file is a copy.

    Raises:
        JournalMissing, JournalBusy, NotAJournal, JournalBroken, SettingRefused, JournalFailed: see there.
    """

    def __init__(self, path: Path, shown_as: Path | None = None) -> None:
        self.path = path
        self.shown_as = shown_as or path
        self._id = file_id(path)
        self._connection = connect(path, self.shown_as)
        claim(self._id)

    @staticmethod
    def build(path: Path, header: Entry, shown_as: Path, key: Numbered | None = None) -> None:
        """Make the tables, entry 0 and the statement of the first key in an empty file, on the disk when this returns.

        Raises:
            JournalFailed, SettingRefused: see there; the file is then unfinished.
        """

        def fill(connection: apsw.Connection) -> None:
            connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", _row(header))
            connection.execute("INSERT INTO mark VALUES (1, 0, ?)", (header.node,))
            if key is not None:
                connection.execute("INSERT INTO keys VALUES (?, ?)", key)

        make(path, shown_as, fill)

    def insert(self, entries: Sequence[Entry], checkpoint: Numbered | None = None) -> None:
        """Store entries, and a checkpoint over them, in one durable transaction.

        Raises:
            JournalFailed, JournalFull: nothing is known about these entries; the ones before are safe.
        """
        rows = [_row(entry) for entry in entries]
        execute = self._connection.execute
        with translated(self.shown_as):
            execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
            if checkpoint is not None:
                execute("INSERT INTO checkpoints VALUES (?, ?)", checkpoint)
            execute("COMMIT")

    def entries(self, from_seq: int) -> Iterator[Entry]:
        """The stored entries from a number on, in order; gaps are not looked for here.

        Raises:
            JournalBroken: a row cannot be read.
            JournalFailed: the disk cannot.
        """
        sql = "SELECT seq, kind, line, node FROM entries WHERE seq >= ? ORDER BY seq LIMIT ?"
        while True:
            rows = self._fetch(sql, (from_seq, _BATCH))
            yield from (self._entry(*row) for row in rows)
            if len(rows) < _BATCH:
                return
            from_seq = rows[-1][0] + 1

    def nodes(self, rows: Sequence[int]) -> list[bytes]:
        """What the entries of these numbers hold of the tree.

        Raises:
            JournalBroken: one of them is missing.
        """
        return [self.entry(row).node for row in rows]

    def entry(self, seq: int) -> Entry:
        """One entry.

        Raises:
            JournalBroken: it is missing or cannot be read.
        """
        rows = self._fetch("SELECT seq, kind, line, node FROM entries WHERE seq = ?", (seq,))
        if not rows:
            raise JournalBroken(self.shown_as, seq, "missing")
        return self._entry(*rows[0])

    def key_notes(self) -> list[Numbered]:
        """The statements of the keys, by epoch.

        Raises:
            JournalBroken: a row cannot be read.
        """
        return [self._note("key", *row) for row in self._fetch("SELECT epoch, note FROM keys ORDER BY epoch")]

    def checkpoints(self) -> Iterator[Numbered]:
        """The checkpoints, in order.

        Raises:
            JournalBroken: a row cannot be read.
        """
        sql = "SELECT number, note FROM checkpoints WHERE number >= ? ORDER BY number LIMIT ?"
        number = 0
        while rows := self._fetch(sql, (number, _BATCH)):
            yield from (self._note("checkpoint", *row) for row in rows)
            number = rows[-1][0] + 1

    def checkpoints_backwards(self) -> Iterator[Numbered]:
        """The checkpoints, the last one first.

        Raises:
            JournalBroken: a row cannot be read.
        """
        sql = "SELECT number, note FROM checkpoints WHERE number < ? ORDER BY number DESC LIMIT ?"
        number = 1 << 62
        while rows := self._fetch(sql, (number, _BATCH)):
            yield from (self._note("checkpoint", *row) for row in rows)
            number = rows[-1][0]

    def checkpoint_note(self, number: int) -> bytes | None:
        """One checkpoint, if there is such a one.

        Raises:
            JournalBroken: the row cannot be read.
        """
        rows = self._fetch("SELECT number, note FROM checkpoints WHERE number = ?", (number,))
        return self._note("checkpoint", *rows[0])[1] if rows else None

    def last_checkpoint(self) -> Numbered | None:
        """The last checkpoint, if there is one.

        Raises:
            JournalBroken: the row cannot be read.
        """
        rows = self._fetch("SELECT number, note FROM checkpoints ORDER BY number DESC LIMIT 1")
        return self._note("checkpoint", *rows[0]) if rows else None

    def extent(self) -> tuple[int, int, int]:
        """Number of entries, the header included, and the lowest and highest ``seq``; zeros if there is none."""
        sql = "SELECT count(*), ifnull(min(seq), 0), ifnull(max(seq), 0) FROM entries"
        count, first, last = self._fetch(sql)[0]
        return count, first, last

    def mark(self) -> tuple[int, bytes]:
        """The mark: the last entry before the open shoe, and its node.

        Raises:
            JournalBroken: there is none, or it is no mark.
        """
        rows = self._fetch("SELECT seq, node FROM mark WHERE id = 1")
        if len(rows) != 1 or not isinstance(rows[0][0], int) or not isinstance(rows[0][1], bytes):
            raise JournalBroken(self.shown_as, None, "the mark of the open shoe is missing")
        return rows[0][0], rows[0][1]

    def standings(self) -> dict[int, bytes]:
        """Where the table stood as keys took over, by epoch.

        Raises:
            JournalBroken: a row cannot be read.
        """
        if not self._fetch("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'standings'"):
            return {}
        return dict(self._note("standing", *row) for row in self._fetch("SELECT epoch, state FROM standings"))

    def set_mark(self, seq: int, node: bytes, key: Numbered | None = None, state: bytes | None = None) -> None:
        """Move the mark; store the statement of the key that takes over there, and where the table stands.

        It is one durable transaction. A standing without a key is not stored: nothing would show that it is ours.
        """
        execute = self._connection.execute
        with translated(self.shown_as):
            execute("BEGIN IMMEDIATE")
            execute("UPDATE mark SET seq = ?, node = ? WHERE id = 1", (seq, node))
            if key is not None:
                execute("INSERT INTO keys VALUES (?, ?)", key)
                if state is not None:
                    execute(STANDINGS)
                    execute("INSERT INTO standings VALUES (?, ?)", (key[0], state))
            execute("COMMIT")

    def quick_check(self) -> None:
        """Let the database look at the structure of every page.

        Raises:
            JournalBroken: a page is damaged.
        """
        rows = self._fetch("PRAGMA quick_check(1)")
        if rows != [("ok",)]:
            raise JournalBroken(self.shown_as, None, f"damaged pages: {rows[0][0] if rows else 'no answer'}")

    def setting(self, name: str) -> object:
        """What a pragma reads back as; ``None`` if there is no such pragma."""
        with translated(self.shown_as):
            return read_setting(self._connection, name)

    def demand(self, settings: Sequence[Setting]) -> None:
        """Set pragmas and read them back.

        Raises:
            SettingRefused: one of them is not in force afterwards.
        """
        with translated(self.shown_as):
            apply_settings(self._connection, self.shown_as, settings)

    def checkpoint(self) -> None:
        """Copy what the write-ahead log holds into the database, durably, and use the log again from its start."""
        with translated(self.shown_as):
            in_log, copied = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        if in_log != copied:
            raise JournalFailed(
                self.shown_as, f"only {copied} of {in_log} pages of the write-ahead log could be copied"
            )

    def close(self) -> None:
        """Copy everything into the one file, remove the write-ahead log, close."""
        try:
            with translated(self.shown_as):
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close without writing anything: the files stay as they are.

        Raises:
            JournalFailed: the system refused something while closing; what is stored is safe.
        """
        release(self._id)
        with translated(self.shown_as):
            self._connection.close(force=True)

    def _fetch(self, sql: str, bindings: tuple[int, ...] = ()) -> list[tuple[Any, ...]]:
        with translated(self.shown_as):
            return self._connection.execute(sql, bindings).fetchall()

    def _note(self, what: str, number: object, note: object) -> Numbered:
        if not isinstance(number, int) or not isinstance(note, bytes):
            raise JournalBroken(self.shown_as, None, f"{what} {number}: no bytes")
        return number, note

    def _entry(self, seq: object, kind: object, line: object, node: object) -> Entry:
        if not isinstance(seq, int):
            raise JournalBroken(self.shown_as, None, "an entry without a number")
        if not isinstance(line, bytes) or not isinstance(node, bytes):
            raise JournalBroken(self.shown_as, seq, "its line or node are no bytes")
        if not isinstance(kind, int) or not 0 <= kind < len(KINDS):
            raise JournalBroken(self.shown_as, seq, f"unknown kind {kind!r}")
        return Entry(seq, KINDS[kind], line, node)


def stored_tree(store: Store) -> StoredTree:
    """The tree as the rows of a journal hold it, for proofs."""
    return StoredTree(lambda seq: store.nodes([seq])[0], lambda seq: leaf_hash(store.entry(seq).line))


def _row(entry: Entry) -> tuple[int, int, bytes, bytes]:
    return entry.seq, _NUMBER_OF[entry.kind], entry.line, entry.node

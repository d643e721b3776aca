"""The rows of a journal: entries, keys, checkpoints, snapshots."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from cardshoe.journal.file.chain import Entry
from cardshoe.journal.file.database import (
    Setting,
    apply_settings,
    connect,
    connect_in_place,
    make,
    read_setting,
    translated,
)
from cardshoe.journal.file.errors import JournalBroken, JournalBusy, JournalFailed
from cardshoe.journal.file.file_holders import check_one_name, claim, file_id, release
from cardshoe.journal.proof.signatures import Numbered
from cardshoe.journal.proof.tree import StoredTree, leaf_hash

_LEAST: Final = -(1 << 63)
"""Includes row numbers below 0, which an altered file may have."""
_READ_AGAIN: Final = 16
_BATCH: Final = 2000  # entries read at once: no read stays open, or a checkpoint could not finish


class Store:
    """An open journal database; `build` creates it.

    Raises:
        JournalError: missing, busy, damaged, not a journal, or cannot be read.
    """

    def __init__(self, path: Path, shown_as: Path | None = None, *, in_place: bool = False) -> None:
        self.path = path
        self.shown_as = shown_as or path
        check_one_name(path)
        self._id = file_id(path)
        self._connection = (connect_in_place if in_place else connect)(path, self.shown_as)
        self._writer = self._connection.cursor()
        self._left = _READ_AGAIN * path.stat().st_size if in_place else None
        if not in_place:
            claim(self._id)
        try:
            self._check_name()
        except BaseException:
            self.abandon()
            raise

    @staticmethod
    def build(path: Path, header: Entry, shown_as: Path, key: Numbered | None = None) -> None:
        """Create tables, entry 0 and the first key's statement, durably."""

        def fill(connection: apsw.Connection) -> None:
            connection.execute("INSERT INTO entries VALUES (?, ?, ?)", _row(header))
            if key is not None:
                connection.execute("INSERT INTO keys VALUES (?, ?)", key)

        make(path, shown_as, fill)

    def insert(self, entries: Sequence[Entry], checkpoint: Numbered | None = None) -> None:
        """Store entries and a checkpoint in one durable transaction.

        Raises:
            JournalFailed, JournalFull: whether these are stored is unknown; earlier ones are safe.
        """
        rows = [_row(entry) for entry in entries]
        execute = self._writer.execute
        with translated(self.shown_as):
            execute("BEGIN IMMEDIATE")
            self._writer.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
            if checkpoint is not None:
                execute("INSERT INTO checkpoints VALUES (?, ?)", checkpoint)
            execute("COMMIT")

    def entries(self, first: int = _LEAST) -> Iterator[Entry]:
        """Stored entries from a number on; gaps are not detected."""
        sql = "SELECT number, lines, node FROM entries WHERE number >= ? ORDER BY number LIMIT ?"
        while True:
            rows = self._fetch(sql, (first, _BATCH))
            yield from (self._entry(*row) for row in rows)
            if len(rows) < _BATCH:
                return
            first = rows[-1][0] + 1

    def nodes(self, rows: Sequence[int]) -> list[bytes]:
        """Tree nodes of these entries."""
        return [self.entry(row).node for row in rows]

    def entry(self, number: int) -> Entry:
        """One entry."""
        rows = self._fetch("SELECT number, lines, node FROM entries WHERE number = ?", (number,))
        if not rows:
            raise JournalBroken(self.shown_as, number, "missing")
        return self._entry(*rows[0])

    def key_notes(self) -> list[Numbered]:
        found: list[Numbered] = []
        with translated(self.shown_as):
            for row in self._connection.execute("SELECT epoch, note FROM keys ORDER BY epoch"):
                found.append(self._numbered("key", *row))
                if row[0] != len(found) - 1:  # forged pages may give rows without end; no succession has a gap
                    break
        return found

    def checkpoints(self) -> Iterator[Numbered]:
        """Checkpoints, in order."""
        sql = "SELECT number, note FROM checkpoints WHERE number >= ? ORDER BY number LIMIT ?"
        number = _LEAST
        while rows := self._fetch(sql, (number, _BATCH)):
            yield from (self._numbered("checkpoint", *row) for row in rows)
            number = rows[-1][0] + 1

    def checkpoints_backwards(self) -> Iterator[Numbered]:
        sql = "SELECT number, note FROM checkpoints WHERE number < ? ORDER BY number DESC LIMIT ?"
        number = 1 << 62
        while rows := self._fetch(sql, (number, _BATCH)):
            yield from (self._numbered("checkpoint", *row) for row in rows)
            number = rows[-1][0]

    def checkpoint_note(self, number: int) -> bytes | None:
        rows = self._fetch("SELECT number, note FROM checkpoints WHERE number = ?", (number,))
        return self._numbered("checkpoint", *rows[0])[1] if rows else None

    def last_checkpoint(self) -> Numbered | None:
        rows = self._fetch("SELECT number, note FROM checkpoints ORDER BY number DESC LIMIT 1")
        return self._numbered("checkpoint", *rows[0]) if rows else None

    def last(self) -> int:
        """Number of the last entry."""
        ((last,),) = self._fetch("SELECT ifnull(max(number), 0) FROM entries")
        return int(last)

    def missing(self) -> int:
        """Count of missing numbers, header included; negative: too many."""
        ((count,),) = self._fetch("SELECT count(*) FROM entries")
        return self.last() + 1 - int(count)

    def snapshots(self) -> dict[int, bytes]:
        """The table's state at each key change, by epoch."""
        return dict(self._numbered("snapshot", *row) for row in self._fetch("SELECT epoch, state FROM snapshots"))

    def store_takeover(self, key: Numbered, state: bytes | None) -> None:
        """Store a key's statement and its signed snapshot in one durable transaction."""
        execute = self._connection.execute
        with translated(self.shown_as):
            execute("BEGIN IMMEDIATE")
            execute("INSERT INTO keys VALUES (?, ?)", key)
            if state is not None:
                execute("INSERT INTO snapshots VALUES (?, ?)", (key[0], state))
            execute("COMMIT")

    def quick_check(self) -> None:
        """Check the structure of every page."""
        rows = self._fetch("PRAGMA quick_check(1)")
        if rows != [("ok",)]:
            raise JournalBroken(self.shown_as, None, f"damaged pages: {rows[0][0] if rows else 'no answer'}")

    def setting(self, name: str) -> object:
        """A pragma's value; ``None``: no such pragma."""
        with translated(self.shown_as):
            return read_setting(self._connection, name)

    def demand(self, settings: Sequence[Setting]) -> None:
        """Set pragmas and read them back."""
        with translated(self.shown_as):
            apply_settings(self._connection, self.shown_as, settings)

    def flush_wal(self) -> None:
        with translated(self.shown_as):
            in_log, copied = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        if in_log != copied:
            raise JournalFailed(
                self.shown_as, f"only {copied} of {in_log} pages of the write-ahead log could be copied"
            )

    def empty_log(self) -> None:
        """Copy everything into the database, durably, and empty the write-ahead log; the lock stays."""
        with translated(self.shown_as):
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def close(self) -> None:
        """Copy everything into the one file, remove the write-ahead log, close."""
        try:
            self.empty_log()
            with translated(self.shown_as):
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close without writing."""
        release(self._id)
        with translated(self.shown_as):
            self._connection.close(force=True)

    def _check_name(self) -> None:
        if file_id(self.path) != self._id:
            raise JournalBusy(self.shown_as, None)

    def _fetch(self, sql: str, bindings: tuple[int, ...] = ()) -> list[tuple[Any, ...]]:
        with translated(self.shown_as):
            return self._connection.execute(sql, bindings).fetchall()

    def _numbered(self, what: str, number: object, note: object) -> Numbered:
        if not isinstance(number, int) or not isinstance(note, bytes):
            raise JournalBroken(self.shown_as, None, f"{what} {number}: no bytes")
        self._count(note)
        return number, note

    def _count(self, data: bytes) -> None:
        if self._left is None:
            return
        self._left -= len(data)
        if self._left < 0:
            raise JournalBroken(
                self.shown_as, None, "its rows have more bytes than its pages; `cardshoe verify` reads all"
            )

    def _entry(self, number: object, data: object, node: object) -> Entry:
        if not isinstance(number, int):
            raise JournalBroken(self.shown_as, None, "an entry without a number")
        if not isinstance(data, bytes) or not isinstance(node, bytes):
            raise JournalBroken(self.shown_as, number, "its lines or node are no bytes")
        self._count(data)
        return Entry(number, data, node)


def stored_tree(store: Store) -> StoredTree:
    return StoredTree(lambda number: store.entry(number).node, lambda number: leaf_hash(store.entry(number).data))


def _row(entry: Entry) -> tuple[int, bytes, bytes]:
    return entry.number, entry.data, entry.node

"""The rows of a journal: storing entries durably, reading them, the mark, checkpoints."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from table.journal.chain import Entry, Kind
from table.journal.database import Setting, apply_settings, connect, make, read_setting, translated
from table.journal.errors import JournalBroken, JournalFailed
from table.journal.holders import claim, file_id, release

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
    def build(path: Path, header: Entry, shown_as: Path) -> None:
        """Make the tables and entry 0 in an empty file, on the disk when this returns.

        Raises:
            JournalFailed, SettingRefused: see there; the file is then unfinished.
        """

        def fill(connection: apsw.Connection) -> None:
            connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", _row(header))
            connection.execute("INSERT INTO mark VALUES (1, 0, ?)", (header.digest,))

        make(path, shown_as, fill)

    def insert(self, entries: Sequence[Entry]) -> None:
        """Store entries in one durable transaction.

        Raises:
            JournalFailed, JournalFull: nothing is known about these entries; the ones before are safe.
        """
        rows = [_row(entry) for entry in entries]
        execute = self._connection.execute
        with translated(self.shown_as):
            execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
            execute("COMMIT")

    def entries(self, from_seq: int) -> Iterator[Entry]:
        """The stored entries from a number on, in order; gaps are not looked for here.

        Raises:
            JournalBroken: a row cannot be read.
            JournalFailed: the disk cannot.
        """
        sql = "SELECT seq, kind, line, digest FROM entries WHERE seq >= ? ORDER BY seq LIMIT ?"
        while True:
            rows = self._fetch(sql, (from_seq, _BATCH))
            yield from (self._entry(*row) for row in rows)
            if len(rows) < _BATCH:
                return
            from_seq = rows[-1][0] + 1

    def extent(self) -> tuple[int, int, int]:
        """Number of entries, the header included, and the lowest and highest ``seq``; zeros if there is none."""
        sql = "SELECT count(*), ifnull(min(seq), 0), ifnull(max(seq), 0) FROM entries"
        count, first, last = self._fetch(sql)[0]
        return count, first, last

    def mark(self) -> tuple[int, bytes]:
        """The mark: the last entry before the open shoe, and its digest.

        Raises:
            JournalBroken: there is none, or it is no mark.
        """
        rows = self._fetch("SELECT seq, digest FROM mark WHERE id = 1")
        if len(rows) != 1 or not isinstance(rows[0][0], int) or not isinstance(rows[0][1], bytes):
            raise JournalBroken(self.shown_as, None, "the mark of the open shoe is missing")
        return rows[0][0], rows[0][1]

    def set_mark(self, seq: int, digest: bytes) -> None:
        """Move the mark, durably."""
        with translated(self.shown_as):
            self._connection.execute("UPDATE mark SET seq = ?, digest = ? WHERE id = 1", (seq, digest))

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

    def _entry(self, seq: object, kind: object, line: object, digest: object) -> Entry:
        if not isinstance(seq, int):
            raise JournalBroken(self.shown_as, None, "an entry without a number")
        if not isinstance(line, bytes) or not isinstance(digest, bytes):
            raise JournalBroken(self.shown_as, seq, "its line or digest are no bytes")
        if not isinstance(kind, int) or not 0 <= kind < len(KINDS):
            raise JournalBroken(self.shown_as, seq, f"unknown kind {kind!r}")
        return Entry(seq, KINDS[kind], line, digest)


def _row(entry: Entry) -> tuple[int, int, bytes, bytes]:
    return entry.seq, _NUMBER_OF[entry.kind], entry.line, entry.digest

"""The database under the journal: its settings, its tables, and what its errors mean. The only user of apsw."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from table.journal.chain import Entry, Kind
from table.journal.errors import (
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFailed,
    JournalFull,
    NotAJournal,
    SettingRefused,
)
from table.journal.holders import claim, file_id, holder_of, release

APPLICATION_ID: Final = 0x4353484A
"""``CSHJ`` in the file's header: a cardshoe journal."""

SCHEMA_VERSION: Final = 1
"""``user_version`` of the file. Further tables may be added under the same version; these two stay as they are."""

PAGE_BYTES: Final = 4096
"""A commit of 600 bytes changes 1.45 pages of this size on average; smaller pages are more writes, larger ones more
bytes (measured: docs/journal.md)."""

Setting = tuple[str, str | int]

LOCK_SETTINGS: Final[tuple[Setting, ...]] = (("locking_mode", "exclusive"),)
"""In force before the file is touched: then no shared-memory file is made and no second process gets in."""

SETTINGS: Final[tuple[Setting, ...]] = (
    ("synchronous", 2),  # FULL: each commit is on the disk when it returns
    ("wal_autocheckpoint", 0),  # a checkpoint takes milliseconds: between shoes, not in mid-deal
    ("fullfsync", 1),  # macOS: through the disk's own cache
    ("checkpoint_fullfsync", 1),
    ("mmap_size", 0),  # an I/O error in mapped memory is a signal, not an error
    ("temp_store", 2),  # nothing of the journal in other files
    ("cell_size_check", 1),  # damaged pages are told, not followed
    ("trusted_schema", 0),
)

FILE_SETTINGS: Final[tuple[Setting, ...]] = (
    ("page_size", PAGE_BYTES),
    ("journal_mode", "wal"),
    ("application_id", APPLICATION_ID),
    ("user_version", SCHEMA_VERSION),
)
"""What is fixed in the file when it is created, and only compared afterwards."""

TABLES: Final = {
    "entries": (
        "CREATE TABLE entries (seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, line BLOB NOT NULL, "
        "digest BLOB NOT NULL) STRICT"
    ),
    "mark": "CREATE TABLE mark (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
}

KINDS: Final[tuple[Kind, ...]] = ("header", "input", "output")
"""The numbers of the column ``kind``."""

_NUMBER_OF: Final = {kind: number for number, kind in enumerate(KINDS)}
_BATCH: Final = 2000  # entries read at once: no read stays open, or a checkpoint could not finish

# What these say about a file that is being read: it is not what we wrote.
_DAMAGE: Final = (
    apsw.CorruptError,
    apsw.SQLError,
    apsw.SchemaChangeError,
    apsw.ConstraintError,
    apsw.MismatchError,
    apsw.TooBigError,
    apsw.RangeError,
    apsw.EmptyError,
    apsw.FormatError,
    UnicodeDecodeError,
)

def meaning(error: Exception, path: Path) -> JournalError:
    """What an error of the database library means for the journal at ``path``."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return JournalBusy(path, holder_of(path))
    if isinstance(error, apsw.FullError):
        return JournalFull(path)
    if isinstance(error, apsw.NotADBError):
        return NotAJournal(path, "not a database, or its first page is damaged")
    if isinstance(error, _DAMAGE):
        return JournalBroken(path, None, f"the database cannot be read: {error}")
    return JournalFailed(path, f"the disk or the database failed: {error}")


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Errors of the database library leave the block as ours."""
    try:
        yield
    except (apsw.Error, UnicodeDecodeError, MemoryError) as error:
        raise meaning(error, path) from error


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
        with translated(self.shown_as):
            self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            with translated(self.shown_as):
                self._settle()
        except BaseException:
            self._connection.close(force=True)
            raise
        claim(self._id)

    @staticmethod
    def build(path: Path, header: Entry) -> None:
        """Make the tables and entry 0 in an empty file, on the disk when this returns.

        Raises:
            JournalFailed, SettingRefused: see there; the file is then unfinished.
        """
        with translated(path):
            connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                _apply(connection, path, (*LOCK_SETTINGS, *FILE_SETTINGS, *SETTINGS))
                with connection:
                    for sql in TABLES.values():
                        connection.execute(sql)
                    connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", _row(header))
                    connection.execute("INSERT INTO mark VALUES (1, 0, ?)", (header.digest,))
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            finally:
                connection.close(force=True)

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
            return _read(self._connection, name)

    def demand(self, settings: Sequence[Setting]) -> None:
        """Set pragmas and read them back.

        Raises:
            SettingRefused: one of them is not in force afterwards.
        """
        with translated(self.shown_as):
            _apply(self._connection, self.shown_as, settings)

    def checkpoint(self) -> None:
        """Copy what the write-ahead log holds into the database, durably, and use the log again from its start."""
        with translated(self.shown_as):
            in_log, copied = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        if in_log != copied:
            raise JournalFailed(self.shown_as, f"only {copied} of {in_log} pages of the write-ahead log could be copied")

    def close(self) -> None:
        """Copy everything into the one file, remove the write-ahead log, close."""
        try:
            with translated(self.shown_as):
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close without writing anything: the files stay as they are."""
        release(self._id)
        self._connection.close(force=True)

    def _settle(self) -> None:
        """Bring the connection under our settings and see that the file is ours."""
        path, connection = self.shown_as, self._connection
        self._check_writable()
        # The files of a journal that turns out broken are evidence: closing must not tidy them.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        _apply(connection, path, LOCK_SETTINGS)
        found = _read(connection, "application_id")
        if found != APPLICATION_ID:
            raise NotAJournal(path, f"a database of another program (application id {found:#x})")
        found = _read(connection, "user_version")
        if found != SCHEMA_VERSION:
            raise NotAJournal(
                path,
                f"a journal of version {found}; this program reads version {SCHEMA_VERSION}",
                "Use the version of cardshoe that wrote it.",
            )
        for name, wanted in FILE_SETTINGS:
            if _read(connection, name) != wanted:
                raise JournalBroken(path, None, f"the file's {name} is {_read(connection, name)}, not {wanted}")
        self._check_writable()
        _apply(connection, path, SETTINGS)
        self._check_tables()

    def _check_tables(self) -> None:
        """See that the tables are ours and that nothing hangs on them. Tables of later issues may stand beside them."""
        rows = self._connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        ours = sorted(row for row in rows if row[0] != "table" or row[1] in TABLES or row[2] in TABLES)
        if ours != [("table", name, name, sql) for name, sql in TABLES.items()]:
            raise JournalBroken(self.shown_as, None, "its tables are not those that were made")

    def _check_writable(self) -> None:
        # Without the right to write the library opens for reading only, and says so later, at the first write.
        if self._connection.readonly("main"):
            if os.access(self.path, os.W_OK):
                raise JournalBroken(self.shown_as, None, "the file says that it must not be written")
            raise JournalFailed(self.shown_as, "this user may not write to it")

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


def _read(connection: apsw.Connection, name: str) -> object:
    rows = connection.execute(f"PRAGMA {name}").fetchall()
    return rows[0][0] if rows else None


def _apply(connection: apsw.Connection, path: Path, settings: Sequence[Setting]) -> None:
    for name, wanted in settings:
        # Fetched to the end: a cursor that is not drained stops at its first row, and nothing may have been set.
        connection.execute(f"PRAGMA {name} = {wanted}").fetchall()
        found = _read(connection, name)
        if found != wanted:
            raise SettingRefused(path, name, wanted, found)

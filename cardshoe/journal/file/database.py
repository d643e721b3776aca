"""The journal's demands on its database."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

import apsw

from cardshoe.journal.file.errors import (
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFailed,
    JournalFull,
    NotAJournal,
    SettingRefused,
)
from cardshoe.journal.file.file_holders import holder_of
from cardshoe.journal.file.wal import refuse_rollback

APPLICATION_ID: Final = 0x4353484A

SCHEMA_VERSION: Final = 5

PAGE_BYTES: Final = 4096
"""A commit of 640 bytes writes 1.6 such pages (docs/journal.md)."""

Setting = tuple[str, str | int]

LOCK_SETTINGS: Final[tuple[Setting, ...]] = (("locking_mode", "exclusive"),)

UNTRUSTING: Final[tuple[Setting, ...]] = (
    ("mmap_size", 0),  # an I/O error in mapped memory is a signal, not an error
    ("cell_size_check", 1),  # damaged pages are told, not followed
    ("trusted_schema", 0),
)

SETTINGS: Final[tuple[Setting, ...]] = (
    ("synchronous", 2),  # FULL: each commit is on the disk when it returns
    ("wal_autocheckpoint", 0),  # a checkpoint takes milliseconds: between shoes, not in mid-deal
    ("fullfsync", 1),  # macOS: through the disk's own cache
    ("checkpoint_fullfsync", 1),
    ("temp_store", 2),  # nothing of the journal in other files
    *UNTRUSTING,
)

FILE_SETTINGS: Final[tuple[Setting, ...]] = (
    ("page_size", PAGE_BYTES),
    ("journal_mode", "wal"),
    ("application_id", APPLICATION_ID),
    ("user_version", SCHEMA_VERSION),
)

TABLES: Final = {
    "entries": "CREATE TABLE entries (number INTEGER PRIMARY KEY, lines BLOB NOT NULL, node BLOB NOT NULL) STRICT",
    "keys": "CREATE TABLE keys (epoch INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
    "checkpoints": "CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
    "snapshots": "CREATE TABLE snapshots (epoch INTEGER PRIMARY KEY, state BLOB NOT NULL) STRICT",
}

_FIXED: Final = {
    0: b"SQLite format 3\0" + PAGE_BYTES.to_bytes(2, "big") + b"\2\2\0\x40\x20\x20",  # 2: a write-ahead log
    44: bytes([0, 0, 0, 4, *[0] * 8, 0, 0, 0, 1]),  # schema format 4, no default cache, no vacuuming, UTF-8
    64: bytes(4) + APPLICATION_ID.to_bytes(4, "big") + bytes(20),  # no vacuuming; what SQLite reserves
}

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
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return JournalBusy(path, holder_of(path))
    if isinstance(error, apsw.FullError):
        return JournalFull(path)
    if isinstance(error, apsw.NotADBError):
        return NotAJournal(path, "not a database, or its first page is damaged")
    if isinstance(error, _DAMAGE):
        return JournalBroken(path, None, f"the database cannot be read: {error}")
    return JournalFailed(path, f"the disk or the database failed: {error}")


class translated:  # noqa: N801  # read as the verb that it is: `with translated(path)`
    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, apsw.Error | UnicodeDecodeError | MemoryError):
            raise meaning(error, self._path) from error


def connect(path: Path, shown_as: Path) -> apsw.Connection:
    """Open and lock a journal's database under our settings.

    Raises:
        JournalError: it is busy, damaged, not a journal, or cannot be read.
    """
    refuse_rollback(path, shown_as)
    with translated(shown_as):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            _settle(connection, path, shown_as)
        except BaseException:
            connection.close(force=True)
            raise
    return connection


def connect_in_place(path: Path, shown_as: Path) -> apsw.Connection:
    """Open a closed journal's database for reading, without a lock.

    Its write-ahead log is not read, and the caller must keep writers out.
    """
    refuse_rollback(path, shown_as)
    with translated(shown_as):
        read_only = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(f"{path.resolve().as_uri()}?immutable=1", flags=read_only)
        try:
            _distrust(connection)
            apply_settings(connection, shown_as, UNTRUSTING)
            _check_file(connection, shown_as, [one for one in FILE_SETTINGS if one[0] != "journal_mode"])
            _check_bytes(connection, path, shown_as)
            _check_tables(connection, shown_as)
        except BaseException:
            connection.close(force=True)
            raise
    return connection


def make(path: Path, shown_as: Path, fill: Callable[[apsw.Connection], None]) -> None:
    """Turn an empty file into a journal's database, durably.

    Raises:
        JournalFailed, SettingRefused: the file is unfinished.
    """
    with translated(shown_as):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            apply_settings(connection, shown_as, (*LOCK_SETTINGS, *FILE_SETTINGS, *SETTINGS))
            with connection:
                for sql in TABLES.values():
                    connection.execute(sql)
                fill(connection)
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            connection.close(force=True)


def read_setting(connection: apsw.Connection, name: str) -> object:
    rows = connection.execute(f"PRAGMA {name}").fetchall()
    return rows[0][0] if rows else None


def apply_settings(connection: apsw.Connection, path: Path, settings: Sequence[Setting]) -> None:
    for name, wanted in settings:
        # Fetched to the end: a cursor that is not drained stops at its first row, and nothing may have been set.
        connection.execute(f"PRAGMA {name} = {wanted}").fetchall()
        found = read_setting(connection, name)
        if found != wanted:
            raise SettingRefused(path, name, wanted, found)


def _settle(connection: apsw.Connection, file: Path, path: Path) -> None:
    # The files of a journal that turns out broken are evidence: closing must not tidy them.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    _distrust(connection)
    # Without the right to write the library opens for reading only, and would say so at the first write.
    if connection.readonly("main"):
        raise JournalFailed(path, "this user may not write to it")
    apply_settings(connection, path, (*LOCK_SETTINGS, *UNTRUSTING))
    _check_file(connection, path, FILE_SETTINGS)
    _check_bytes(connection, file, path)
    if connection.readonly("main"):
        raise JournalBroken(path, None, "the first page says that the file must not be written")
    apply_settings(connection, path, SETTINGS)
    _check_tables(connection, path)


def _distrust(connection: apsw.Connection) -> None:
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)


def _check_file(connection: apsw.Connection, path: Path, settings: Sequence[Setting]) -> None:
    application_id = read_setting(connection, "application_id")
    if application_id != APPLICATION_ID:
        raise NotAJournal(path, f"a database of another program (application id {application_id})")
    version = read_setting(connection, "user_version")
    if version != SCHEMA_VERSION:
        raise NotAJournal(
            path,
            f"a journal of version {version}; this program reads version {SCHEMA_VERSION}",
            "Read it with the version of cardshoe that wrote it. If its table is open, close it with that version. "
            "Then move the file out of the folder, and this one begins a new journal.",
        )
    for name, wanted in settings:
        found = read_setting(connection, name)
        if found != wanted:
            raise JournalBroken(path, None, f"the file's {name} is {found}, not {wanted}")


def _check_bytes(connection: apsw.Connection, file: Path, path: Path) -> None:
    _, start = connection.read("main", 0, 0, 100)  # through the library: to close a file of our own would lose the lock
    for place, wanted in _FIXED.items():
        if start[place : place + len(wanted)] != wanted:
            raise JournalBroken(path, None, f"its first page is not that of a journal (from byte {place} on)")
    pages = read_setting(connection, "page_count")
    too_many = file.stat().st_size - PAGE_BYTES * (pages if isinstance(pages, int) else 0)
    if too_many > 0:
        raise JournalBroken(path, None, f"{too_many} bytes follow its last page")


def _check_tables(connection: apsw.Connection, path: Path) -> None:
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    if sorted(rows, key=str) != sorted((("table", name, name, sql) for name, sql in TABLES.items()), key=str):
        raise JournalBroken(path, None, "its tables are not those that were made")

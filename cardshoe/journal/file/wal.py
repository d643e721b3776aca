"""The file of the write-ahead log."""

import os
from pathlib import Path
from typing import Final

from cardshoe.journal.file.errors import JournalBroken
from cardshoe.process.plain_file import open_plain

WAL_BYTES: Final = 8 * 1024 * 1024
"""Room for a shoe of eight decks: 900 commits of 6.5 KiB."""

_BLOCK: Final = bytes(1024 * 1024)


HEADER_BYTES: Final = 32
"""Bytes of the log's header (SQLite file format, section 4.1)."""


def read_log_header(path: Path) -> bytes:
    """Header of a write-ahead log; empty: missing or empty log.

    It changes only when the log is reused from its start.

    Raises:
        OSError: the log cannot be read.
    """
    try:
        with open_plain(wal_of(path)) as log:
            header = log.read(HEADER_BYTES)
    except FileNotFoundError:
        return b""
    return header.rstrip(b"\0") and header


def wal_of(path: Path) -> Path:
    """The write-ahead log of a database: beside the real file, also if ``path`` is a link to it."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def refuse_rollback(path: Path, shown_as: Path | None = None) -> None:
    """Check that no rollback journal exists: the library would play it back.

    A database with a write-ahead log never has one: it was planted.

    Raises:
        JournalBroken: there is one.
    """
    real = path.resolve()
    planted = real.with_name(f"{real.name}-journal")
    if os.path.lexists(planted):
        raise JournalBroken(
            shown_as or path,
            None,
            f"beside it lies {planted.name}, which the database would play back over what is recorded",
            finding="",
            remedy="No table leaves such a file. Do not delete it: move it out of the folder as evidence, tell the "
            "supervisor, then verify the journal before its table starts again.",
        )


def sync(path: Path) -> None:
    """Make durable what a file holds, or the names in a folder.

    Raises:
        OSError: the disk failed.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def enlarge(wal: Path) -> None:
    """Fill the log with zeros up to `WAL_BYTES`, durably.

    A commit inside the file needs one disk write; one that extends it also writes the file system's journal (1.1
    against 1.9 times a plain append, docs/journal.md). Zeros are written, not reserved, because the first write to a
    reserved block updates the file system too; recovery stops before them. After an error the log is intact, only
    shorter.

    Raises:
        OSError: the disk failed or is full.
    """
    descriptor = os.open(wal, os.O_WRONLY | os.O_CLOEXEC)
    try:
        size = os.fstat(descriptor).st_size
        while size < WAL_BYTES:
            size += os.pwrite(descriptor, _BLOCK[: WAL_BYTES - size], size)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

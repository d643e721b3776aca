"""The file of the write-ahead log."""

import os
from pathlib import Path
from typing import Final

from cardshoe.journal.file.errors import JournalBroken
from cardshoe.process.plain_file import open_plain

WAL_BYTES: Final = 8 * 1024 * 1024
"""A shoe of eight decks: 900 commits of 6.5 KiB."""

_BLOCK: Final = bytes(1024 * 1024)


HEADER_BYTES: Final = 32


def read_log_header(path: Path) -> bytes:
    """Header of a write-ahead log, which changes when it is reused; empty: none."""
    try:
        with open_plain(wal_of(path)) as log:
            header = log.read(HEADER_BYTES)
    except FileNotFoundError:
        return b""
    return header.rstrip(b"\0") and header


def wal_of(path: Path) -> Path:
    """Beside the real file, even if ``path`` is a link."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def refuse_rollback(path: Path, shown_as: Path | None = None) -> None:
    """Check that no rollback journal exists: it was planted, and would be applied."""
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
    """Make a file's content, or a folder's names, durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def enlarge(wal: Path) -> None:
    """Fill the log with zeros up to `WAL_BYTES`, durably: commits then need one disk write.

    Zeros, because reserved blocks update the file system on first write (docs/journal.md).
    """
    descriptor = os.open(wal, os.O_WRONLY | os.O_CLOEXEC)
    try:
        size = os.fstat(descriptor).st_size
        while size < WAL_BYTES:
            size += os.pwrite(descriptor, _BLOCK[: WAL_BYTES - size], size)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

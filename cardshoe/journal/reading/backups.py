"""A copy of a journal while its table runs, without the table's help.

The table holds the database library's exclusive lock, so its files are read as plain files. What makes that sound is
how the write-ahead log works (SQLite file format, section 4), and that a table copies the log into the database only
between shoes:

1. A commit only appends frames. Each has the header's salts and a checksum over all before it, so recovery takes whole
   commits up to the first torn or older frame.
2. The database changes only while the log is copied into it. All those pages are in the log too, which repairs a
   database copied meanwhile.
3. The log is reused only by a commit that first writes a header with other salts. While the header is unchanged, 1 and
   2 hold for both files.

So: note the header, copy the database, then the log; if the header changed, repeat. A log without a header holds
nothing; the database is then whole if its times show that it did not change meanwhile.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cardshoe.journal.file.atomic_files import check_free, copy_pair, passing_folder, place
from cardshoe.journal.file.errors import JournalBusy, JournalFailed
from cardshoe.journal.file.file_holders import file_id, is_own, readers_lock
from cardshoe.journal.file.store import Store
from cardshoe.journal.file.wal import read_log_header
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.reading.read_only import Evidence
from cardshoe.journal.reading.reader import Checked, verify_store

ATTEMPTS: Final = 100
"""Attempts of a copy: the log is reused once a shoe, a copy takes a second."""

REMEDY: Final = "Name a file in a folder with enough room."


def backup(path: Path, target: Path, attempts: int = ATTEMPTS, watch: Watch = unwatched) -> Checked:
    """Copy a journal into one verified file.

    The journal may be open in a running table, closed, or left by a killed one. The backup has no private key: it can
    be read and verified, not continued.

    Args:
        attempts: how often it is tried, from 1.

    Raises:
        JournalBusy: this very process has it open, which would lose its lock if the file were read.
        JournalFailed: a file cannot be read or written, or the journal never stood still for long enough.
        JournalExists: the target exists.
        JournalError: it is missing, damaged, or not a journal.
    """
    check_free(target)
    if is_own(path):
        raise JournalBusy(path, os.getpid())
    with passing_folder(target, "copying") as folder:
        copy = folder / "copy.journal"
        _copy(path, copy, attempts)
        store = Store(copy, shown_as=path)
        try:
            checked = verify_store(store, watch=watch)
        except BaseException:
            store.abandon()
            raise
        store.close()
        place(copy, target)
    return checked


@contextlib.contextmanager
def copied(path: Path, attempts: int = ATTEMPTS, *, unlocked: bool = False) -> Iterator[Evidence]:
    """A journal for reading, also while a table has it open; its files are not changed.

    The newest entries may not be durable yet: only the table knows. The copy is in ``TMPDIR`` until the end of the
    block.

    Args:
        attempts: how often it is tried, from 1.
        unlocked: whether no lock is taken, so that a table which starts meanwhile is never kept from its journal.

    Raises:
        JournalError: it cannot be opened or read, is damaged, or changes too fast.
    """
    if is_own(path):
        raise JournalBusy(path, os.getpid())
    with tempfile.TemporaryDirectory(prefix="cardshoe-") as folder:
        copy = Path(folder) / "copy.journal"
        _copy(path, copy, attempts, unlocked=unlocked)
        store = Store(copy, shown_as=path)
        try:
            store.quick_check()
            yield Evidence(store)
        finally:
            store.abandon()


def _copy(path: Path, copy: Path, attempts: int, *, unlocked: bool = False) -> None:
    for _ in range(attempts):
        if not unlocked:
            with contextlib.suppress(JournalBusy), readers_lock(path):
                copy_pair(path, copy, REMEDY)
                return
        before = _state(path)
        copy_pair(path, copy, REMEDY)
        if _state(path) == before:
            return
    raise JournalFailed(
        path, f"its write-ahead log restarted during each of {attempts} copies", "Try again in a minute."
    )


def _state(path: Path) -> tuple[object, ...]:
    try:
        header = read_log_header(path)
        found = path.stat()
    except OSError as error:
        raise JournalFailed(path, f"cannot be read: {error.strerror or error}") from error
    still = () if header else (found.st_mtime_ns, found.st_size)
    return (file_id(path), header, *still)

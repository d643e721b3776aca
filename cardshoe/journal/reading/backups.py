"""Copy a journal while its table runs, without the table's help.

The files are copied under a running writer: header, database, then log, again if the header changed. Sound
because commits only append checksummed frames (SQLite file format, section 4).
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cardshoe.journal.file.atomic_files import check_free, copy_pair, passing_folder, place, temporary_folder
from cardshoe.journal.file.errors import JournalBusy, JournalFailed
from cardshoe.journal.file.file_holders import file_id, is_own, readers_lock
from cardshoe.journal.file.store import Store
from cardshoe.journal.file.wal import read_log_header
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.reading.read_only import Evidence
from cardshoe.journal.reading.reader import Checked, verify_store

ATTEMPTS: Final = 100
"""The log is reused once per shoe; a copy takes a second."""

REMEDY: Final = "Name a file in a folder with enough room."


def backup(path: Path, target: Path, attempts: int = ATTEMPTS, watch: Watch = unwatched) -> Checked:
    """Copy a journal, open or not, into one verified file without private key.

    Raises:
        JournalBusy: this process has it open and would lose its lock.
        JournalFailed: a file fails, or the journal changes too fast.
        JournalExists: the target exists.
        JournalError: missing, damaged, or not a journal.
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
    """A journal for reading, even while a table runs; its files are not changed.

    Args:
        unlocked: take no lock, so that no starting table is kept out.

    Raises:
        JournalError: unreadable, damaged, or changing too fast.
    """
    if is_own(path):
        raise JournalBusy(path, os.getpid())
    with temporary_folder(path) as folder:
        copy = folder / "copy.journal"
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

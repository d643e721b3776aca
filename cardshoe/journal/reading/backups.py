"""A copy of a journal while its table runs, without the table's help.

The table holds the database library's exclusive lock, so its files are read as plain files. What makes that sound is
how the write-ahead log works (SQLite file format, section 4), and that a table copies the log into the database only
between shoes:

1. A commit only appends frames to the log. Each frame carries the salts of the log's header, and a checksum over all
   before it; so recovery takes whole commits up to the first frame that is torn, or of an earlier use of the log. Any
   copy of the log, taken at any moment, is a valid state with every commit that was whole before the copy began.
2. The database changes only while the log is copied into it. Every page that this writes stands in the log as well,
   and a reader takes it from there. So a database copied in the midst of it is mended by the whole log.
3. The log is used again from its start only by the first commit after that, which first writes a new header with other
   salts, and only then frames. While the header is the same, 1 and 2 hold for database and log together.

Hence: note the header, copy the database, then the log, and see that the header is the same; else once more. A log
without a header holds nothing, and the database is then whole as it stands; that it stood still, its times must tell.
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
"""A table uses its log again once in a shoe, some 30 minutes, and a copy takes a second at most: the second attempt is
rare. So many are for a journal that is being written as fast as the disk allows."""

REMEDY: Final = "Name a file in a folder with enough room."


def backup(path: Path, target: Path, attempts: int = ATTEMPTS, watch: Watch = unwatched) -> Checked:
    """Make a backup of a journal: one file with everything that was durable when this was called, and verified.

    The journal may be open in a running table, closed, or left by one that was killed; its files are not changed. Its
    private key is not in the backup: that can be read and verified, and not go on.

    Args:
        path: the journal.
        target: the backup's file, new.
        attempts: how often it is tried, from 1.
        watch: looks on while the copy is verified.

    Returns:
        Its content.

    Raises:
        JournalExists: there is something of the new name.
        JournalBusy: this very process has it open, which would lose its lock if the file were read.
        JournalMissing, NotAJournal, JournalBroken: see there.
        JournalFailed: a file cannot be read or written, or the journal never stood still for long enough.
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

    What was written last may not be durable yet: only the table knows. The copy lies in the system's folder for passing
    files (``TMPDIR``) and is deleted at the end of the block.

    Args:
        path: the journal.
        attempts: how often it is tried, from 1.
        unlocked: whether no lock is taken, so that a table which starts meanwhile is never kept from its journal.

    Raises:
        JournalBusy, JournalMissing, NotAJournal, JournalBroken, JournalFailed: as `backup`.
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
        path, f"its write-ahead log was begun anew during each of {attempts} copies", "Try again in a minute."
    )


def _state(path: Path) -> tuple[object, ...]:
    """The file state that stays the same while a sound copy is made."""
    try:
        header = read_log_header(path)
        found = path.stat()
    except OSError as error:
        raise JournalFailed(path, f"cannot be read: {error.strerror or error}") from error
    still = () if header else (found.st_mtime_ns, found.st_size)
    return (file_id(path), header, *still)

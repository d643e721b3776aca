"""Create a file under a temporary name and rename it when durable."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cardshoe.journal.file.errors import JournalExists, JournalFailed
from cardshoe.journal.file.file_holders import check_one_name
from cardshoe.journal.file.keyring import Keyring
from cardshoe.journal.file.wal import refuse_rollback, sync, wal_of

ROOM: Final = "Name a folder with enough room in the variable TMPDIR."


def check_free(path: Path) -> None:
    """Check that a new journal may have this name.

    Raises:
        JournalExists: a journal, or an earlier one's write-ahead log, has it.
        JournalBroken: a rollback journal exists, which the database would apply.
    """
    refuse_rollback(path)
    if os.path.lexists(path):
        raise JournalExists(path, "there is already something of this name")
    if wal_of(path).exists():
        raise JournalExists(
            path,
            f"there is {path.name}-wal, the write-ahead log of a journal that is gone",
            "Bring the journal back beside it, or move the log away as evidence and try again.",
        )


@contextlib.contextmanager
def passing_folder(target: Path, what: str) -> Iterator[Path]:
    """A private temporary folder beside a new file, deleted after the block."""
    parent = target.resolve().parent
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=f".{what}", dir=parent))
    except FileNotFoundError as error:
        raise JournalFailed(target, "the folder does not exist", "Make it first.") from error
    except OSError as error:
        raise JournalFailed(target, f"cannot be made: {error.strerror or error}") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def temporary_folder(journal: Path) -> Iterator[Path]:
    """A private folder for a copy of a journal, deleted after the block."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="cardshoe-"))
    except OSError as error:
        raise JournalFailed(journal, f"cannot be copied: {error.strerror or error}", ROOM) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def copy_pair(journal: Path, target: Path, remedy: str) -> None:
    """Copy a journal and its write-ahead log, in this order."""
    check_one_name(journal)
    refuse_rollback(journal)
    try:
        shutil.copyfile(journal, target)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(wal_of(journal), wal_of(target))
    except OSError as error:
        problem = f"cannot be copied to {target.parent}: {error.strerror or error}"
        raise JournalFailed(journal, problem, remedy) from error


def place(passing: Path, target: Path) -> None:
    """Rename a finished file, durably; never replaces another."""
    try:
        passing.chmod(0o600)
        sync(passing)
        sync(passing.parent)  # its log is gone for good: a second name with a log would be refused
        os.link(passing, target)
        passing.unlink()
        sync(target.resolve().parent)
    except FileExistsError as error:
        raise JournalExists(target, "there is already something of this name") from error
    except OSError as error:
        raise JournalFailed(target, f"cannot be made: {error.strerror or error}") from error


def place_with_key(passing: Path, target: Path) -> None:
    """The same for a journal and its key; the key comes first."""
    placed: list[Path] = []
    try:
        for epoch in Keyring(passing).held():
            place(Keyring(passing).path(epoch), Keyring(target).path(epoch))
            placed.append(Keyring(target).path(epoch))
        place(passing, target)
    except BaseException:
        for key in placed:
            key.unlink()
        raise

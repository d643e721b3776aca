"""The process that has a journal open."""

import contextlib
import fcntl
import glob
import itertools
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cardshoe.journal.file.errors import JournalBusy, JournalFailed, JournalMissing, NotAJournal

LOCK_START: Final = 0x40000002

LOCK_LENGTH: Final = 510

_READ_LOCK: Final = struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, LOCK_START, LOCK_LENGTH, 0)

FileId = tuple[int, int]

_own: Final[set[FileId]] = set()


def file_id(path: Path) -> FileId:
    """Identify a file independently of its names."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise JournalMissing(path) from error
    except (OSError, ValueError) as error:
        raise JournalFailed(path, f"cannot be looked at: {error}") from error
    if not path.is_file():
        raise NotAJournal(path, "not a file")
    return found.st_dev, found.st_ino


def check_one_name(path: Path) -> None:
    """Check that a journal has no second name, whose write-ahead log could hold newer entries.

    Raises:
        NotAJournal: it has a second name.
    """
    file_id(path)
    real = path.resolve()
    found = real.stat().st_nlink
    if found == 1:
        return
    # Killed at the instant in which it was given its name, it has its passing one as well, and that has no log.
    pattern = f".{glob.escape(real.name)}.*"
    beside = itertools.chain(real.parent.glob(pattern), real.parent.glob(f"{pattern}/*"))
    passing = [one for one in beside if one.exists() and one.samefile(real) and not Path(f"{one}-wal").exists()]
    names = found - len(passing)
    if names != 1:
        raise NotAJournal(
            path,
            f"a file with {names} names (hard links), and the newest entries may be in the -wal of another one",
            "Find the others (find DISK -samefile FILE), and copy it together with the -wal that belongs to it. Take "
            "the copy.",
        )


def claim(opened: FileId) -> None:
    _own.add(opened)


def release(opened: FileId) -> None:
    _own.discard(opened)


def is_own(path: Path) -> bool:
    return file_id(path) in _own


def holder_of(path: Path) -> int | None:
    """The process that has locked the file; ``None``: none, or unknown.

    Never opens the file: closing a descriptor drops all POSIX locks of this process.
    """
    try:
        found = path.stat()
        locks = Path("/proc/locks").read_text(encoding="ascii")
    except OSError:
        return None
    wanted = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    for line in locks.splitlines():
        fields = line.split()
        # "1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 0 EOF"; a waiting lock has "->" in the second place.
        if wanted in fields and fields[1] == "POSIX":
            pid = int(fields[fields.index(wanted) - 1])
            return pid if pid > 0 else None
    return None


@contextlib.contextmanager
def readers_lock(path: Path) -> Iterator[None]:
    """Keep writers out while the files are copied, without writing.

    Raises:
        JournalBusy: a process, perhaps this one, has it open for writing.
        JournalError: missing, not a journal, or cannot be read.
    """
    if is_own(path):
        raise JournalBusy(path, os.getpid())
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise JournalFailed(path, f"cannot be read: {error.strerror}") from error
    try:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, LOCK_LENGTH, LOCK_START)  # the system knows whose
            # The second lock is the open file's: the first one ends where this process closes the file it has copied.
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _READ_LOCK)
        except (BlockingIOError, PermissionError) as error:
            raise JournalBusy(path, holder_of(path)) from error
        except OSError as error:
            raise JournalFailed(path, f"cannot be locked: {error.strerror}") from error
        found = os.fstat(descriptor)
        if file_id(path) != (found.st_dev, found.st_ino):  # another file has this name since it was opened
            raise JournalBusy(path, holder_of(path))
        yield
    finally:
        os.close(descriptor)

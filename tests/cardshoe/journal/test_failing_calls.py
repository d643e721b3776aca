"""Every other call for a file fails once, per kind of error: reads, opens, locks, deletions, and those of `os`."""

import contextlib
import errno
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from cardshoe.journal import Journal, JournalError
from tests.cardshoe.journal.samples import HEADER, entry, stored
from tests.cardshoe.journal.watched_disk import Question, WatchedDisk

ERRORS: dict[Question, tuple[int, ...]] = {
    "open": (apsw.SQLITE_CANTOPEN, apsw.SQLITE_IOERR),
    "read": (apsw.SQLITE_IOERR_READ, apsw.SQLITE_IOERR_CORRUPTFS),
    "size": (apsw.SQLITE_IOERR_FSTAT,),
    "lock": (apsw.SQLITE_BUSY, apsw.SQLITE_IOERR_LOCK),
    "unlock": (apsw.SQLITE_IOERR_UNLOCK,),
    "reserved": (apsw.SQLITE_IOERR_CHECKRESERVEDLOCK,),
    "delete": (apsw.SQLITE_IOERR_DELETE, apsw.SQLITE_PERM),
    "access": (apsw.SQLITE_IOERR_ACCESS,),
}


def play(path: Path, acknowledged: list[int]) -> None:
    """Take up what a killed process left, read it, append, new shoe, append, close; notes what was acknowledged."""
    with Journal.open(path) as journal:
        acknowledged.append(journal.last)
        journal.verify()
        for step in range(4):
            if step == 2:
                journal.begin_shoe()
            journal.append([entry(journal.last_seq + 1, padding=3000)])
            acknowledged.append(journal.last)


def lay_out(path: Path, database: bytes, wal: bytes) -> None:
    for file in path.parent.iterdir():
        file.unlink()
    path.write_bytes(database)
    path.with_name(f"{path.name}-wal").write_bytes(wal)


def test_each_read_open_lock_and_deletion_failing_once(
    path: Path, watched_disk: WatchedDisk, killed: tuple[bytes, bytes, list[object]]
) -> None:
    database, wal, entries = killed
    lay_out(path, database, wal)
    watched_disk.asked.clear()
    play(path, [])
    asked = list(watched_disk.asked)
    met: Counter[Question] = Counter()
    stopped: Counter[Question] = Counter()
    for place, call in enumerate(asked):
        act = next(one for one in ERRORS if one == call.act)
        for code in ERRORS[act]:
            lay_out(path, database, wal)
            acknowledged = [0]
            watched_disk.asked.clear()
            watched_disk.calls.clear()
            watched_disk.fail_asked_at, watched_disk.failure = place, apsw.exception_for(code)
            try:
                play(path, acknowledged)
            except JournalError:
                # What failed was said, and nothing was changed after that.
                stopped[act] += 1
                assert len(watched_disk.calls) == watched_disk.changes_before
            else:
                # It did not matter, and all was done.
                assert acknowledged[-1] == len(entries) + 4
            watched_disk.fail_asked_at = -1
            assert watched_disk.asked[place] == call
            met[act] += 1
            there = len(stored(path))
            assert max(acknowledged[-1], len(entries)) <= there <= max(acknowledged[-1], len(entries)) + 4
            with Journal.open(path) as journal:
                journal.append([entry(journal.last_seq + 1)])
    assert {"open", "read", "size", "lock", "delete"} <= set(met)
    assert stopped["read"] >= 5
    assert stopped["open"] >= 2
    assert stopped["lock"] >= 2


FUNCTIONS = ("open", "pwrite", "fsync", "posix_fallocate", "link", "unlink", "statvfs")
CODES = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EROFS)


class FailingOnce:
    """A function of `os` that fails at its nth call and does its work at all others."""

    def __init__(self, function: Callable[..., Any], code: int, nth: int) -> None:
        self.function, self.code, self.nth = function, code, nth
        self.calls = 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401  as the function
        self.calls += 1
        if self.calls == self.nth:
            raise OSError(self.code, os.strerror(self.code))
        return self.function(*arguments, **named)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_call_of_the_system_failing_once(path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    real = getattr(os, name)
    met = 0
    for code in CODES:
        for nth in range(1, 1000):
            for file in path.parent.iterdir():
                file.unlink()
            acknowledged: list[int] = []
            failing = FailingOnce(real, code, nth)
            with monkeypatch.context() as patch:
                patch.setattr(os, name, failing)
                with contextlib.suppress(JournalError), Journal.create(path, HEADER) as journal:
                    for _ in range(2):
                        journal.append([entry(journal.last_seq + 1)])
                        acknowledged.append(journal.last)
                        journal.begin_shoe()
                        journal.room()
            if failing.calls < nth:
                break
            met += 1
            if path.exists():
                if (
                    path.stat().st_nlink > 1
                ):  # its passing name is left: a reader refuses it, a table that starts mends it
                    assert name == "unlink"
                    Journal.open(path).close()
                there = len(stored(path))
                assert max(acknowledged, default=0) <= there <= max(acknowledged, default=0) + 4
                with Journal.open(path) as journal:
                    journal.append([entry(journal.last_seq + 1)])
            assert path.exists() or not acknowledged
    assert met >= len(CODES)

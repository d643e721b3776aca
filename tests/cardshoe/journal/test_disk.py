"""The disk fails or is full: nothing is acknowledged from then on, and what was acknowledged before is kept."""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import apsw
import pytest

from cardshoe.journal import (
    DiskSpaceState,
    Evidence,
    Journal,
    JournalFailed,
    JournalFull,
    JournalMissing,
    Keyring,
    read_only,
)
from cardshoe.journal.reading.backups import copied
from cardshoe.journal.reading.marked import marked
from tests.cardshoe.journal.samples import HEADER, entry, fill, stored
from tests.cardshoe.journal.watched_disk import WatchedDisk
from tests.kit.length import at_length

UNTIL_FULL = """
import sys
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from cardshoe.journal import *
from tests.cardshoe.journal.samples import HEADER, entry

before = getrlimit(RLIMIT_FSIZE)
setrlimit(RLIMIT_FSIZE, (300_000, before[1]))
journal = Journal.create(Path(sys.argv[1]), HEADER)
try:
    while True:
        journal.append([entry(journal.last_seq + 1, padding=2000)])
        print(journal.last, flush=True)
except JournalFailed as error:
    print(error.last)
for act in (lambda: journal.append([entry(journal.last_seq + 1)]), journal.begin_shoe, journal.flush_wal, journal.room):
    try:
        act()
    except JournalFailed:
        print("refused")
journal.close()
setrlimit(RLIMIT_FSIZE, before)  # what measures the coverage writes its file at the end
"""


def test_a_limit_on_the_size_of_files(path: Path) -> None:
    # What every system can do to us without a special disk: a write that would exceed the limit fails with EFBIG.
    said = subprocess.run(
        [sys.executable, "-c", UNTIL_FULL, path], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    *acknowledged, known, one, two, three, four = said
    assert [one, two, three, four] == ["refused"] * 4
    assert known == acknowledged[-1]
    entries = stored(path)
    assert len(entries) == int(known)
    with Journal.open(path) as journal:  # without the limit it goes on where it stopped
        journal.append([entry(journal.last_seq + 1)])


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no right to mount a small disk: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.skipif(shutil.which("mount") is None, reason="there is no mount command")
def test_a_full_disk(small_disk: Path) -> None:
    path = small_disk / "b-101.journal"
    journal = Journal.create(path, HEADER)
    assert journal.room().state is DiskSpaceState.BALLAST_RELEASED
    with pytest.raises(JournalFull) as caught:
        fill(journal, 2000)
    acknowledged = journal.last
    assert caught.value.last == acknowledged > 0
    assert f"Free space in {small_disk}, then try again" in str(caught.value)
    assert f"Entries up to {acknowledged} are safe" in str(caught.value)
    with pytest.raises(JournalFull):
        journal.append([entry(acknowledged + 1)])
    journal.close()
    assert len(stored(path)) == acknowledged
    journal = Journal.open(path)  # also while it is still full
    assert journal.last == acknowledged
    with pytest.raises(JournalFull, match="are safe"):
        journal.close()  # the log cannot be copied into the database; it stays
    assert len(stored(path)) == acknowledged
    with pytest.raises((JournalFull, JournalFailed)):
        Journal.create(small_disk / "another.journal", HEADER)
    assert not (small_disk / "another.journal").exists()
    subprocess.run(["mount", "-o", "remount,size=9m", small_disk], check=True)
    with Journal.open(path) as journal:
        fill(journal, 20)
    assert len(stored(path)) > acknowledged


def play(path: Path, acknowledged: list[int]) -> None:
    """Open, append, new shoe, append, close; notes what was acknowledged."""
    with Journal.open(path, Keyring(path)) as journal:
        acknowledged.append(journal.last)
        for step in range(6):
            if step == 3:
                journal.begin_shoe()
            journal.append([entry(journal.last_seq + 1, padding=3000)])
            acknowledged.append(journal.last)


FAILURES: dict[str, Callable[[], BaseException]] = {
    "write": lambda: apsw.exception_for(apsw.SQLITE_IOERR_WRITE),
    "sync": lambda: apsw.exception_for(apsw.SQLITE_IOERR_FSYNC),
    "full": lambda: apsw.exception_for(apsw.SQLITE_FULL),
    "interrupted": KeyboardInterrupt,
}


@pytest.mark.parametrize("failure", FAILURES)
def test_each_write_and_sync_failing_once(path: Path, watched_disk: WatchedDisk, failure: str) -> None:
    Journal.create(path, HEADER, Keyring(path)).close()
    sound = {file: file.read_bytes() for file in path.parent.iterdir()}
    met: list[int] = []
    expected = {"full": JournalFull, "interrupted": KeyboardInterrupt}.get(failure, JournalFailed)
    for fail_at in range(0, 1000, at_length(2, 1)):
        for file in path.parent.iterdir():
            file.unlink()
        for file, data in sound.items():
            file.write_bytes(data)
        acknowledged = [0]
        watched_disk.calls.clear()
        watched_disk.fail_at, watched_disk.failure = fail_at, FAILURES[failure]()
        with contextlib.suppress(expected):
            play(path, acknowledged)
            break
        # The failing call was the last one: nothing more was written or synced, nothing tried again.
        assert watched_disk.calls[fail_at:] == watched_disk.calls[fail_at : fail_at + 1]
        met.append(acknowledged[-1])
        entries = stored(path)
        assert acknowledged[-1] <= len(entries) <= acknowledged[-1] + 1
        with Journal.open(path, Keyring(path)) as journal:
            journal.append([entry(journal.last_seq + 1)])
    assert len(met) >= 10
    assert set(met) == {0, 1, 2, 3, 4, 5, 6}


def test_an_interrupted_append_ends_it(path: Path, watched_disk: WatchedDisk) -> None:
    journal = Journal.create(path, HEADER)
    watched_disk.calls.clear()
    watched_disk.fail_at, watched_disk.failure = 0, KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        journal.append([entry(1)])
    watched_disk.fail_at = -1
    with pytest.raises(JournalFailed, match="interrupted by KeyboardInterrupt"):
        journal.append([entry(1)])
    journal.close()
    assert stored(path) == []


def test_a_failure_before_anything_was_written_is_none(path: Path) -> None:
    def entries() -> Iterator[bytes]:
        yield entry(1)
        raise KeyboardInterrupt

    with Journal.create(path, HEADER) as journal:
        with pytest.raises(KeyboardInterrupt):
            journal.append(entries())
        journal.append([entry(1)])


def test_the_folder_has_gone(path: Path) -> None:
    folder = path.parent / "gone"
    folder.mkdir()
    journal = Journal.create(folder / path.name, HEADER)
    journal.append([entry(1)])
    shutil.rmtree(folder)
    with pytest.raises(JournalFailed, match="asked for free space"):
        journal.room()
    journal.close()
    with pytest.raises(JournalMissing):
        Journal.open(folder / path.name)


def test_a_failure_of_close_leaves_the_file_free(path: Path, watched_disk: WatchedDisk) -> None:
    journal = Journal.create(path, HEADER)
    journal.append([entry(1)])
    watched_disk.calls.clear()
    watched_disk.fail_at = 0
    with pytest.raises(JournalFailed, match="Entries up to 1 are safe"):
        journal.close()
    watched_disk.fail_at = -1
    journal.close()
    assert len(stored(path)) == 1  # the lock has gone with it


REFUSED_BY_THE_SYSTEM = """
import os, resource, sys
from pathlib import Path
from cardshoe.journal import *

path, how = Path(sys.argv[1]), sys.argv[2]
before, user = resource.getrlimit(resource.RLIMIT_FSIZE), os.geteuid()
if how == "limit":
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
else:
    path.chmod({"write": 0o444, "read": 0o000}[how])
    if user == 0:
        os.seteuid(65534)
for opener in (read_only, Journal.open):
    try:
        with opener(path):
            print("opened")
    except JournalFailed as error:
        print(error.problem)
resource.setrlimit(resource.RLIMIT_FSIZE, before)  # what measures the coverage writes its file at the end
os.seteuid(user)
"""


@pytest.mark.parametrize(
    ("how", "reading", "opening"),
    [
        ("write", "opened", "this user may not write to it"),
        ("read", "cannot be read: Permission denied", "the disk or the database failed: unable to open database file"),
        ("limit", "cannot be copied to FOLDER: File too large", "opened"),
    ],
)
def test_what_the_system_does_not_allow(how: str, opening: str, reading: str) -> None:
    # Not in tmp_path, which is closed to the user that the superuser turns into.
    with tempfile.TemporaryDirectory(prefix="journal-") as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "b-101.journal"
        Journal.create(path, HEADER).close()
        command = [sys.executable, "-c", REFUSED_BY_THE_SYSTEM, str(path), how]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.sub(r"to \S+:", "to FOLDER:", said).splitlines() == [reading, opening]


@pytest.mark.parametrize("reader", [read_only, copied, marked])
def test_no_folder_for_a_copy(
    path: Path, monkeypatch: pytest.MonkeyPatch, reader: Callable[[Path], AbstractContextManager[Evidence]]
) -> None:
    with Journal.create(path, HEADER) as journal:
        fill(journal, 3)
        for file in (path, Path(f"{path}-wal")):
            shutil.copyfile(file, file.with_name(file.name.replace("b-101", "killed")))
    monkeypatch.setattr(tempfile, "tempdir", str(path.parent / "gone"))
    with pytest.raises(JournalFailed, match=r"cannot be copied: No such file or directory.*TMPDIR"):
        reader(path.with_name("killed.journal")).__enter__()

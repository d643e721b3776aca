"""Backups: of a journal that is being written, of a closed one, and of one that was left by a killed table."""

import os
import shutil
import sqlite3
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from cardshoe.journal import (
    Journal,
    JournalBroken,
    JournalBusy,
    JournalExists,
    JournalFailed,
    JournalMissing,
    KeyMissing,
    Keyring,
    backup,
    read_only,
)
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT, by_the_verifier, edited, play, sealed_journal
from tests.kit.waiting import eventually

BACKUPS = 8
"""The time of each grows with the journal, which another process makes grow meanwhile."""
AHEAD = 400
"""Entries that it may be ahead when a copy begins."""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder / "b-101.backup.journal"


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def gives_up(path: Path, target: Path) -> bool:
    """True if a single attempt failed, because the log was used anew meanwhile."""
    try:
        backup(path, target, attempts=1)
    except JournalFailed as error:
        return error.problem == "its write-ahead log restarted during each of 1 copies"
    target.unlink()
    return False


@pytest.mark.timeout(300)  # copies of a file that grows, on a machine that may be busy
def test_of_a_journal_that_another_process_writes_as_fast_as_it_can(path: Path, target: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_bytes(struct.pack("<qq", 0, AHEAD))

    def durable() -> int:
        return int(struct.unpack("<qq", notes.read_bytes())[0])

    def let_go_on() -> int:
        before = durable()
        with notes.open("r+b") as file:
            file.seek(8)
            file.write(struct.pack("<q", before + AHEAD))
        return before

    def gave_up() -> bool:
        let_go_on()
        return gives_up(path, target)

    command = [sys.executable, "-m", "tests.cardshoe.journal.busy_writer", str(path), str(notes)]
    with subprocess.Popen(command) as writer:
        try:
            eventually(lambda: durable() > 0, "a first commit")
            eventually(gave_up, "a log used anew while it was copied")
            held: list[tuple[int, int]] = []
            for number in range(BACKUPS):
                copy = target.with_name(f"{number}.journal")
                before = let_go_on()
                checked = backup(path, copy)  # verifies tree, signatures and pages
                assert before <= checked.last
                held.append((before, checked.last))
                if number % 3:
                    copy.unlink()
            with pytest.raises(JournalBusy):
                Journal.open(path)  # it was being written all the time
        finally:
            writer.kill()
    assert held[-1][0] > held[0][1]  # and went on meanwhile
    with read_only(path) as evidence:
        entries = list(evidence.entries())
        shoes = len(evidence.verify().keys)
    assert shoes > 2  # several changes of keys, each with a copy of the log into the database
    for number in range(0, BACKUPS, 3):
        with read_only(target.with_name(f"{number}.journal")) as evidence:
            found = list(evidence.entries())
        assert found == entries[: held[number][1]]
    assert len(names(target.parent)) == len(range(0, BACKUPS, 3))  # nothing else was left


def test_is_one_file_for_its_owner_without_the_key(path: Path, target: Path) -> None:
    entries = sealed_journal(path)
    path.chmod(0o640)
    before = path.read_bytes()
    checked = backup(path, target)
    assert checked.last == checked.proved == len(entries)
    assert names(target.parent) == [target.name]
    assert target.stat().st_mode & 0o777 == 0o600
    assert by_the_verifier(target)[0] == 0
    with pytest.raises(KeyMissing):
        Journal.open(target, Keyring(target))
    assert path.read_bytes() == before


def test_of_a_killed_table_holds_what_stands_in_the_log_alone(path: Path, target: Path) -> None:
    other = path.with_name("other.journal")
    with Journal.create(other, HEADER, Keyring(other)) as journal:
        journal.begin_shoe(AT)
        play(journal, 2)
        last = journal.last
        for end in ("", "-wal"):
            shutil.copyfile(f"{other}{end}", f"{path}{end}")
    log = path.with_name(f"{path.name}-wal")
    before = path.read_bytes(), log.read_bytes()
    assert backup(path, target).last == last
    assert (path.read_bytes(), log.read_bytes()) == before
    assert not target.with_name(f"{target.name}-wal").exists()


def test_a_database_copied_in_the_midst_of_a_checkpoint_is_mended_by_the_log(path: Path, target: Path) -> None:
    """Each page in turn is that of before or that of after, with the log as it stands from before to after."""
    other = path.with_name("other.journal")
    with Journal.create(other, HEADER, Keyring(other)) as journal:
        play(journal, 3)
        old = other.read_bytes()
        journal.append([entry(journal.last_seq + 1)], AT)
        last = journal.last
        journal.flush_wal()
        new = other.read_bytes()
        log = other.with_name("other.journal-wal").read_bytes()
        journal.append([entry(journal.last_seq + 1)], AT)
        assert other.with_name("other.journal-wal").read_bytes()[:32] != log[:32]  # what tells that it was used anew
    pages = len(new) // 4096
    assert pages > 3
    old = old.ljust(len(new), b"\0")
    for torn in range(pages + 1):
        for first, second in ((old, new), (new, old)):
            path.write_bytes(first[: torn * 4096] + second[torn * 4096 :])
            path.with_name(f"{path.name}-wal").write_bytes(log)
            copy = target.with_name(f"{torn}-{first is old}.journal")
            assert backup(path, copy).last == last


def test_a_broken_journal_gives_none(path: Path, target: Path) -> None:
    sealed_journal(path)
    edited(path, lambda database: database.execute("UPDATE entries SET node = zeroblob(32) WHERE number = 55"))
    with pytest.raises(JournalBroken) as caught:
        backup(path, target)
    assert (caught.value.path, caught.value.entry) == (path, 55)
    assert names(target.parent) == []


def test_refusals(path: Path, target: Path) -> None:
    with pytest.raises(JournalMissing):
        backup(path, target)
    sealed_journal(path)
    with pytest.raises(JournalFailed, match="the folder does not exist"):
        backup(path, target.parent / "nowhere" / "b.journal")
    target.write_bytes(b"another's")
    with pytest.raises(JournalExists):
        backup(path, target)
    assert target.read_bytes() == b"another's"
    with Journal.open(path), pytest.raises(JournalBusy) as caught:
        backup(path, target.with_name("b"))
    assert caught.value.pid == os.getpid()
    assert names(target.parent) == [target.name]


def test_a_backup_of_a_backup_is_the_same(path: Path, target: Path) -> None:
    sealed_journal(path)
    checked = backup(path, target)
    assert backup(target, target.with_name("again")) == checked
    with sqlite3.connect(target) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()

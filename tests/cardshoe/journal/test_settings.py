"""The settings on which durability rests are in force, and nothing is written without them."""

from pathlib import Path

import apsw
import pytest

from cardshoe.journal import Journal, JournalBroken, NotAJournal, SettingRefused
from cardshoe.journal.file.database import FILE_SETTINGS, LOCK_SETTINGS, SETTINGS, Setting
from cardshoe.journal.file.store import Store
from tests.cardshoe.journal.samples import HEADER, closed_journal, entry
from tests.cardshoe.journal.watched_disk import WatchedDisk

EXPECTED = {
    "locking_mode": "exclusive",
    "journal_mode": "wal",
    "synchronous": 2,
    "wal_autocheckpoint": 0,
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
    "page_size": 4096,
    "application_id": 0x4353484A,
    "user_version": 5,
    "mmap_size": 0,
    "temp_store": 2,
    "cell_size_check": 1,
    "trusted_schema": 0,
}


def test_all_settings_are_in_force_after_opening(path: Path) -> None:
    closed_journal(path)
    store = Store(path)
    assert {name: store.setting(name) for name in EXPECTED} == EXPECTED
    assert dict((*LOCK_SETTINGS, *FILE_SETTINGS, *SETTINGS)) == EXPECTED
    store.abandon()


@pytest.mark.parametrize(
    ("setting", "found"),
    [(("page_size", 1024), 4096), (("no_such_setting", 1), None), (("encoding", "'UTF-16le'"), "UTF-8")],
)
def test_a_setting_that_does_not_take_is_refused(path: Path, setting: Setting, found: object) -> None:
    closed_journal(path)
    store = Store(path)
    with pytest.raises(SettingRefused) as caught:
        store.demand((setting,))
    assert (caught.value.setting, caught.value.wanted, caught.value.found) == (*setting, found)
    assert "Nothing is recorded under other settings" in str(caught.value)
    store.abandon()


def test_the_database_library_is_one_that_does_not_lose_commits() -> None:
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    assert version >= (3, 51, 3)  # before that, two connections in WAL mode could lose commits


@pytest.mark.parametrize(
    ("pragma", "error", "reason"),
    [
        ("application_id = 7", NotAJournal, "a database of another program (application id 7)"),
        ("user_version = 1", NotAJournal, "a journal of version 1; this program reads version 5"),
        ("user_version = 1", NotAJournal, "move the file out of the folder"),
        ("user_version = 3", NotAJournal, "a journal of version 3; this program reads version 5"),
        ("user_version = 6", NotAJournal, "Read it with the version of cardshoe that wrote it"),
        ("journal_mode = delete", JournalBroken, "journal_mode is delete"),
    ],
)
def test_a_file_under_other_settings_is_refused(
    path: Path, pragma: str, error: type[NotAJournal | JournalBroken], reason: str
) -> None:
    closed_journal(path)
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.close()
    with pytest.raises(error) as caught:
        Journal.open(path)
    assert reason in str(caught.value)


def test_a_foreign_database_and_a_foreign_file(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE t (a)").fetchall()
    connection.close()
    with pytest.raises(NotAJournal, match="another program"):
        Journal.open(path)
    path.write_bytes(b"a letter to the director\n" * 400)
    with pytest.raises(NotAJournal, match="not a database"):
        Journal.open(path)
    path.write_bytes(b"")
    with pytest.raises(NotAJournal):
        Journal.open(path)
    assert path.read_bytes() == b""


def test_each_append_ends_with_a_sync_of_the_log(path: Path, watched_disk: WatchedDisk) -> None:
    with Journal.create(path, HEADER) as journal:
        for _ in range(30):
            watched_disk.calls.clear()
            journal.append([entry(journal.last_seq + 1)])
            assert {call.name for call in watched_disk.calls} == {f"{path.name}-wal"}
            assert [call.act for call in watched_disk.calls].count("write") >= 2
            assert watched_disk.calls[-1].act == "sync"


def test_no_checkpoint_in_mid_shoe(path: Path, watched_disk: WatchedDisk) -> None:
    with Journal.create(path, HEADER) as journal:
        watched_disk.calls.clear()
        while journal.last_seq < 8000:  # the library's own default would copy after 1000 pages
            journal.append([entry(journal.last_seq + 1, padding=1500)])
        assert {call.name for call in watched_disk.calls} == {f"{path.name}-wal"}
        journal.begin_shoe()
        assert path.name in {call.name for call in watched_disk.calls}

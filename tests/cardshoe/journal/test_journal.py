"""Creating, writing, reading, closing and reopening."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardshoe.journal import (
    Header,
    Journal,
    JournalError,
    JournalExists,
    JournalFailed,
    JournalMissing,
    Keyring,
    LinesRefused,
    NotAJournal,
    read_only,
)
from tests.cardshoe.journal.samples import HEADER, closed_journal, entry, fill, stored


def names_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_what_was_written_is_read_after_reopening(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        assert (journal.last, journal.last_seq, journal.shoe_start) == (0, 0, 1)
        journal.append([entry(1)])
        journal.append([entry(5, 1)])
        written = list(journal.entries())
        assert (journal.last, journal.last_seq) == (2, 6)
        root = journal.root
    assert [one.data for one in written] == [entry(1), entry(5, 1)]
    assert [one.number for one in written] == [1, 2]
    with Journal.open(path) as journal:
        assert list(journal.entries()) == written
        assert (journal.last, journal.last_seq, journal.root) == (2, 6, root)
        journal.append([entry(7)])
        journal.verify()
    assert stored(path)[:2] == written
    assert len(stored(path)) == 3


def test_the_header_is_kept_and_each_journal_has_an_identity(tmp_path: Path) -> None:
    headers: list[Header] = []
    nodes = set()
    for name in ("a.journal", "b.journal"):
        Journal.create(tmp_path / name, HEADER).close()
        with read_only(tmp_path / name) as evidence:
            headers.append(evidence.header)
            nodes.add(evidence.genesis.node)
    assert headers[0].journal_id != headers[1].journal_id
    assert len(nodes) == 2
    assert all(msgspec.structs.replace(header, journal_id="") == HEADER for header in headers)


def test_an_identity_that_is_given_is_kept(path: Path) -> None:
    with Journal.create(path, msgspec.structs.replace(HEADER, journal_id="5" * 32)) as journal:
        assert journal.header.journal_id == "5" * 32


def test_one_append_may_hold_several_entries(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        journal.append(iter([entry(1), entry(5)]))
        assert (journal.last, journal.last_seq) == (2, 8)


@pytest.mark.parametrize(
    ("entries", "number", "reason"),
    [
        ([], 2, "no entries"),
        ([entry(4)], 2, 'line 5 says "seq":4'),
        ([entry(6)], 2, 'line 5 says "seq":6'),
        ([entry(5)[:-1]], 2, "it does not end with a line feed"),
        ([entry(5), entry(10)], 3, 'line 9 says "seq":10'),
    ],
)
def test_entries_out_of_order_are_refused_and_change_nothing(
    path: Path, entries: list[bytes], number: int, reason: str
) -> None:
    with Journal.create(path, HEADER) as journal:
        journal.append([entry(1)])
        before = journal.root
        with pytest.raises(LinesRefused) as caught:
            journal.append(entries)
        assert (caught.value.number, caught.value.reason) == (number, reason)
        assert (journal.last, journal.root) == (1, before)
        journal.append([entry(5)])
    assert len(stored(path)) == 2


def test_the_entry_of_a_line(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        assert journal.entry_of(1) == 0
        journal.append([entry(1, 2), entry(4, 1), entry(6, 4)])
        found = [journal.entry_of(seq) for seq in range(1, 13)]
    assert found == [1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3]


def test_reading_from_any_entry(path: Path) -> None:
    entries = closed_journal(path)
    with Journal.open(path) as journal:
        for start in (1, 2, 3, len(entries) // 2, len(entries)):
            assert list(journal.entries(start)) == entries[start - 1 :]
        assert list(journal.entries(0)) == entries
        assert list(journal.entries(len(entries) + 1)) == []
        assert list(journal.entries(len(entries) + 9)) == []


def test_reading_in_several_batches(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        journal.append([entry(seq, padding=0) for seq in range(1, 16802, 4)])
        assert [one.number for one in journal.entries()] == list(range(1, 4202))
        reading = journal.entries()
        next(reading)
        journal.append([entry(16805)])  # a reader that was left halfway hinders neither the writer nor a checkpoint
        journal.begin_shoe()


def test_the_start_of_the_shoe_is_remembered(path: Path) -> None:
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        journal.begin_shoe()
        assert journal.shoe_start == 1
        fill(journal, 5)
        journal.begin_shoe()
        start = journal.last + 1
        assert journal.shoe_start == start
        fill(journal, 2)
    with Journal.open(path) as journal:
        assert journal.shoe_start == start


def test_a_checkpoint_empties_the_log_into_the_database(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        fill(journal, 20)
        before = path.stat().st_size
        journal.flush_wal()
        assert path.stat().st_size > before


def test_while_open_there_are_three_files_and_afterwards_one(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        fill(journal, 3)
        assert names_in(path.parent) == [path.name, f"{path.name}-ballast", f"{path.name}-wal"]
    assert names_in(path.parent) == [path.name]


def test_closed_is_closed(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    journal.close()
    journal.close()
    for act in (
        lambda: journal.append([entry(1)]),
        journal.flush_wal,
        journal.begin_shoe,
        journal.room,
        journal.verify,
    ):
        with pytest.raises(JournalFailed, match="already closed"):
            act()
    with pytest.raises(JournalFailed, match="already closed"):
        next(journal.entries())


def test_a_journal_is_never_overwritten(path: Path) -> None:
    closed_journal(path)
    before = path.read_bytes()
    with pytest.raises(JournalExists, match="already something of this name"):
        Journal.create(path, HEADER)
    assert path.read_bytes() == before


def test_the_log_of_a_journal_that_is_gone_is_no_place_for_a_new_one(path: Path) -> None:
    path.with_name(f"{path.name}-wal").write_bytes(b"evidence")
    with pytest.raises(JournalExists, match="write-ahead log of a journal that is gone"):
        Journal.create(path, HEADER)
    assert names_in(path.parent) == [f"{path.name}-wal"]


def test_a_journal_cannot_be_made_in_a_folder_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(JournalFailed, match="the folder does not exist"):
        Journal.create(tmp_path / "nowhere" / "x.journal", HEADER)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(JournalFailed, match="cannot be made"):
        Journal.create(tmp_path / "file" / "x.journal", HEADER)
    with pytest.raises(JournalMissing):
        Journal.open(tmp_path / "file" / "x.journal")


@pytest.mark.parametrize("name", ["x.journal", "nowhere/x.journal", "nul\0.journal", "n" * 300])
def test_what_is_not_there_cannot_be_opened(tmp_path: Path, name: str) -> None:
    for opener in (Journal.open, lambda p: read_only(p).__enter__()):
        with pytest.raises((JournalMissing, JournalFailed)) as caught:
            opener(tmp_path / name)
        assert caught.value.remedy
    assert names_in(tmp_path) == []


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(NotAJournal, match="not a file"):
        Journal.open(tmp_path)


def test_a_journal_through_a_link(tmp_path: Path) -> None:
    entries = closed_journal(tmp_path / "real.journal")
    link = tmp_path / "link.journal"
    link.symlink_to("real.journal")
    with Journal.open(link) as journal:
        assert list(journal.entries()) == entries
        assert (tmp_path / "real.journal-wal").exists()
    assert stored(link) == entries


def test_every_error_is_one_of_ours_and_says_what_to_do(path: Path) -> None:
    with pytest.raises(JournalError) as caught:
        Journal.open(path)
    assert caught.value.path == path
    assert str(caught.value) == f"{path}: no such file. Check the name and the folder."


def test_a_header_that_could_not_be_read_again_is_refused(path: Path) -> None:
    with pytest.raises(LinesRefused, match="could not be read again"):
        Journal.create(path, msgspec.structs.replace(HEADER, table_id=5))
    assert names_in(path.parent) == []


shapes_of_entries = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 9000), st.booleans()), max_size=12)


@settings(max_examples=25)
@given(shapes=shapes_of_entries)
def test_any_sequence_of_entries_comes_back(
    tmp_path_factory: pytest.TempPathFactory, shapes: list[tuple[int, int, bool]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "any.journal"
    written = []
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        for outputs, padding, new_shoe in shapes:
            if new_shoe:
                journal.begin_shoe()
            written.append(entry(journal.last_seq + 1, outputs, padding))
            journal.append(written[-1:])
    assert [one.data for one in stored(path)] == written

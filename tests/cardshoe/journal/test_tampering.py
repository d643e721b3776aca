"""Somebody edits the file with ordinary tools: verification names the first entry that does not hold."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from cardshoe.journal import Entry, Journal, JournalBroken, JournalError, Keyring, read_only
from cardshoe.journal.file.chain import header_entry
from cardshoe.journal.proof.tree import leaf_hash
from tests.cardshoe.journal.samples import HEADER, closed_journal, entry

Edit = Callable[[sqlite3.Connection, list[Entry]], object]


def edit_file(path: Path, edit: Edit, entries: list[Entry]) -> None:
    connection = sqlite3.connect(path)
    edit(connection, entries)
    connection.commit()
    connection.close()


def line_altered(db: sqlite3.Connection, entries: list[Entry]) -> None:
    altered = bytearray(entries[6].data)
    altered[-4] ^= 1
    db.execute("UPDATE entries SET lines = ? WHERE number = 7", (bytes(altered),))


def line_and_node_altered(db: sqlite3.Connection, entries: list[Entry]) -> None:
    data = entries[5].data.replace(b'"}', b'x"}')
    db.execute("UPDATE entries SET lines = ?, node = ? WHERE number = 6", (data, leaf_hash(data)))


def lines_swapped(db: sqlite3.Connection, _: list[Entry]) -> None:
    db.execute("UPDATE entries SET number = -1 WHERE number = 6")
    db.execute("UPDATE entries SET number = 6 WHERE number = 7")
    db.execute("UPDATE entries SET number = 7 WHERE number = -1")


def one_inserted(db: sqlite3.Connection, _: list[Entry]) -> None:
    db.execute("UPDATE entries SET number = -number WHERE number >= 7")
    db.execute("UPDATE entries SET number = 1 - number WHERE number < 0")
    db.execute("INSERT INTO entries SELECT 7, lines, node FROM entries WHERE number = 8")


def header_with_its_node(db: sqlite3.Connection, _: list[Entry]) -> None:
    data = db.execute("SELECT lines FROM entries WHERE number = 0").fetchone()[0].replace(b"B-101", b"B-102")
    db.execute("UPDATE entries SET lines = ?, node = ? WHERE number = 0", (data, leaf_hash(data)))


def header_that_is_none(db: sqlite3.Connection, _: list[Entry]) -> None:
    entry = header_entry(b'{"event":"journal"}')
    db.execute("UPDATE entries SET lines = ?, node = ? WHERE number = 0", (entry.data, entry.node))


def sql(text: str) -> Edit:
    return lambda db, _: db.execute(text)


HEADER_EDITED = (
    "UPDATE entries SET lines = CAST(replace(CAST(lines AS TEXT), 'B-101', 'B-102') AS BLOB) WHERE number = 0"
)


@pytest.mark.parametrize(
    ("edit", "seq"),
    [
        (line_altered, 7),
        (line_and_node_altered, 7),
        (lines_swapped, 6),
        (one_inserted, 8),
        (header_with_its_node, 0),
        (header_that_is_none, 0),
        (sql(HEADER_EDITED), 0),
        (sql("UPDATE entries SET lines = x'7b7d' WHERE number = 0"), 0),
        (sql("DELETE FROM entries WHERE number = 0"), 0),
        (sql("DELETE FROM entries WHERE number = 1"), 1),
        (sql("DELETE FROM entries WHERE number = 7"), 7),
        (sql("DELETE FROM entries WHERE number BETWEEN 5 AND 8"), 5),
        (sql("DELETE FROM entries"), 0),
        (sql("UPDATE entries SET lines = x'' WHERE number = 7"), 7),
        (sql("UPDATE entries SET node = zeroblob(32) WHERE number = 7"), 7),
        (sql("UPDATE entries SET node = x'00' WHERE number = 7"), 7),
        (sql("INSERT INTO entries SELECT 1 + max(number), lines, node FROM entries"), -1),
        (sql("INSERT INTO entries SELECT 9 + max(number), lines, node FROM entries"), -1),
        (sql("INSERT INTO snapshots VALUES (1, x'7b7d')"), None),
        (sql("DROP TABLE snapshots"), None),
        (sql("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END"), None),
        (sql("CREATE INDEX i ON entries (node)"), None),
        (sql("ALTER TABLE entries ADD COLUMN x ANY"), None),
        (sql("ALTER TABLE entries RENAME TO entires"), None),
    ],
)
def test_an_edited_journal_is_broken_where_it_was_edited(path: Path, edit: Edit, seq: int | None) -> None:
    entries = closed_journal(path)
    edit_file(path, edit, entries)
    before = path.read_bytes()
    with pytest.raises(JournalBroken) as caught, read_only(path) as evidence:
        evidence.verify()
    assert caught.value.entry == (len(entries) + 1 if seq == -1 else seq)
    assert "copy them as evidence" in caught.value.remedy
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_table_does_not_start_on_an_open_shoe_that_was_edited(path: Path, number: int) -> None:
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        journal.append([entry(1)])
        journal.begin_shoe()
        journal.append([entry(5), entry(9)])
    edit_file(path, lambda db, _: db.execute("UPDATE entries SET node = zeroblob(32) WHERE number = ?", (number,)), [])
    with pytest.raises(JournalBroken) as caught:
        Journal.open(path, Keyring(path))
    assert caught.value.entry == number


def test_an_edit_before_the_open_shoe_is_found_when_it_is_read(path: Path) -> None:
    entries = closed_journal(path)
    edit_file(path, line_altered, entries)
    for act in (Journal.verify, lambda journal: list(journal.entries())):
        with Journal.open(path) as journal:
            with pytest.raises(JournalBroken) as caught:
                act(journal)
            assert caught.value.entry == 7
            with pytest.raises(JournalError, match="entry 7"):
                journal.append([entry(journal.last_seq + 1)])


def test_entries_missing_before_the_open_shoe_are_missed_at_once(path: Path) -> None:
    edit_file(path, sql("DELETE FROM entries WHERE number IN (3, 4)"), closed_journal(path))
    with pytest.raises(JournalBroken, match="2 entries are missing"):
        Journal.open(path)


def test_reading_from_the_middle_misses_the_entry_before(path: Path) -> None:
    edit_file(path, sql("DELETE FROM entries WHERE number = 7"), closed_journal(path))
    with read_only(path) as evidence, pytest.raises(JournalBroken) as caught:
        next(evidence.entries(8))
    assert caught.value.entry == 7


def test_an_end_cut_off_is_not_found_without_signatures(path: Path) -> None:
    # docs/journal.md says so. Signatures and a witness see it (test_verifier.py), and whoever noted the root elsewhere.
    with Journal.create(path, HEADER) as journal:
        journal.append([entry(1), entry(5)])
        noted = journal.last, journal.root
    edit_file(path, sql("DELETE FROM entries WHERE number > 1"), [])
    with read_only(path) as evidence:
        found = evidence.verify()
    assert (found.last, found.root) != noted

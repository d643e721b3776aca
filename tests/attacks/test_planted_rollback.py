"""A rollback journal is laid beside a table's journal."""

import sqlite3
from pathlib import Path

import pytest

from cardshoe.journal import (
    Journal,
    JournalBroken,
    JournalError,
    Keyring,
    backup,
)
from tests.attacks.rollback import rollback_journal
from tests.attacks.verdicts import refused
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.journal.samples import HEADER
from tests.cardshoe.journal.sealed import ENTRIES, play


@pytest.fixture
def planted(journal: Path) -> Path:
    """A journal that has gone on since, and beside it what would take it back to what it was."""
    before = journal.read_bytes()
    with Journal.open(journal, Keyring(journal)) as open_journal:
        play(open_journal, 2)
    journal.with_name(f"{journal.name}-journal").write_bytes(rollback_journal(before))
    return journal


def test_what_sqlite_would_do_with_it(planted: Path) -> None:
    """The attack works on SQLite itself: that is why the file must not be opened while the other is there."""
    with sqlite3.connect(planted) as database:
        ((last,),) = database.execute("SELECT max(number) FROM entries").fetchall()
    database.close()
    assert last == ENTRIES
    assert not planted.with_name(f"{planted.name}-journal").exists()


def test_nothing_is_read_written_or_copied_while_it_is_there(planted: Path, witness: Path) -> None:
    before = {file.name: file.read_bytes() for file in planted.parent.iterdir() if file.is_file()}
    out = planted.with_name("out")
    for said in refused(planted, witness):
        assert f"beside it lies {planted.name}-journal, which " in said
    for command in (
        ("verify", planted),
        ("log", planted),
        ("journal", "show", planted),
        ("journal", "export", planted),
        ("journal", "prove", planted, "150"),
        ("journal", "backup", planted, out),
    ):
        done = invoke(*command)
        assert (done.exit_code, "move it out of the folder as evidence" in done.stderr) == (4, True), done.output
    for act in (lambda: Journal.open(planted, Keyring(planted)), lambda: backup(planted, out)):
        with pytest.raises(JournalBroken, match="beside it lies"):
            act()
    assert {file.name: file.read_bytes() for file in planted.parent.iterdir() if file.is_file()} == before


def test_it_is_seen_through_a_link_and_as_a_dangling_one(planted: Path, witness: Path) -> None:
    link = planted.with_name("link")
    link.symlink_to(planted)
    for said in refused(link, witness):
        assert f"beside it lies {planted.name}-journal" in said
    beside = planted.with_name(f"{planted.name}-journal")
    beside.unlink()
    beside.symlink_to(planted.with_name("nothing yet"))
    for said in refused(planted, witness):
        assert f"beside it lies {planted.name}-journal" in said


def test_it_waits_for_a_journal_that_does_not_exist_yet(tmp_path: Path) -> None:
    path = tmp_path / "new.journal"
    path.with_name("new.journal-journal").write_bytes(b"")
    with pytest.raises(JournalBroken, match=r"beside it lies new\.journal-journal"):
        Journal.create(path, HEADER, Keyring(path))
    assert not path.exists()


def test_a_backup_of_a_table_at_work_is_refused_as_well(journal: Path) -> None:
    with Journal.open(journal, Keyring(journal)) as open_journal:
        beside = journal.with_name(f"{journal.name}-journal")
        beside.write_bytes(b"planted")
        with pytest.raises(JournalError):
            backup(journal, journal.with_name("out"))
        play(open_journal, 1)  # the table itself has its file open, and is not taken back
    assert not journal.with_name("out").exists()

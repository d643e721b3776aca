"""The past of a table is made shorter, by somebody who has the journal's file.

**What stops it.** A log is closed, never cut: it begins with its header and has every entry.
"""

import sqlite3
from pathlib import Path

import pytest

from cardshoe.journal import Journal, Keyring, WitnessFile, read_only
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Takeover
from tests.attacks.verdicts import refused
from tests.cardshoe.journal.sealed import ENTRIES, SHOES, by_the_verifier, edited, play


def begins(database: sqlite3.Connection, epoch: int) -> int:
    (note,) = database.execute("SELECT note FROM keys WHERE epoch = ?", (epoch,)).fetchone()
    return Takeover.read(Note(note)).size


@pytest.mark.parametrize("epoch", range(2, SHOES + 1))
def test_old_shoe_games_are_deleted(journal: Path, witness: Path, epoch: int) -> None:
    def edit(database: sqlite3.Connection) -> None:
        size = begins(database, epoch)
        database.execute("DELETE FROM entries WHERE number BETWEEN 1 AND ?", (size - 1,))
        database.execute("DELETE FROM checkpoints WHERE number <= ?", (4 * (epoch - 1),))

    edited(journal, edit)
    for said in refused(journal, witness):
        assert "entry 1: missing" in said or "checkpoint 1 is missing" in said


@pytest.mark.parametrize("epoch", range(2, SHOES + 1))
def test_the_end_is_cut_off_where_a_key_took_over(journal: Path, witness: Path, epoch: int) -> None:
    def edit(database: sqlite3.Connection) -> None:
        database.execute("DELETE FROM entries WHERE number >= ?", (begins(database, epoch),))
        database.execute("DELETE FROM keys WHERE epoch > ?", (epoch,))
        database.execute("DELETE FROM checkpoints WHERE number > ?", (4 * (epoch - 1),))

    edited(journal, edit)
    assert by_the_verifier(journal)[0] == 0
    for said in refused(journal, witness):
        assert "missing: the witness holds" in said


def test_an_old_copy_with_its_key_is_found_by_a_memory_elsewhere_only(journal: Path, witness: Path) -> None:
    """No file says that there was a newer one. A witness does, and a device that remembers."""
    key = Keyring(journal).path(SHOES)
    old = journal.read_bytes(), key.read_bytes()
    with Journal.open(journal, Keyring(journal)) as open_journal:
        notes = WitnessFile(witness)
        open_journal.listen(lambda note: notes.append([note]))
        play(open_journal, 2)
    journal.write_bytes(old[0])
    key.write_bytes(old[1])
    with read_only(journal) as evidence:
        assert evidence.verify().last == ENTRIES
    assert by_the_verifier(journal)[0] == 0
    for said in refused(journal, witness):
        assert f"entry {ENTRIES + 1}: missing: the witness holds" in said

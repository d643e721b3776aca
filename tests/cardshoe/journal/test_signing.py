"""Checkpoints, keys and their succession in a journal: what is stored, what another implementation makes of it."""

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from cardshoe.journal import Journal, JournalBroken, JournalError, JournalFailed, KeyMissing, Keyring, read_only
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.proof.note import Note, VerifyKey
from cardshoe.journal.proof.statements import read_statement
from cardshoe.journal.proof.tree import includes, is_prefix, leaf_hash
from tests.cardshoe.journal import c2sp, rfc6962
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT, edited, notes_of, play, regrown, sealed_journal
from tests.cardshoe.journal.watched_disk import WatchedDisk

Edit = Callable[[sqlite3.Connection], object]


def sql(text: str) -> Edit:
    return lambda database: database.execute(text)


def test_every_note_is_signed_by_its_key_over_the_tree_of_the_rfc(path: Path) -> None:
    entries = sealed_journal(path)
    with read_only(path) as evidence:
        leaves = [evidence.genesis.data, *(entry.data for entry in entries)]
        checked = evidence.verify()
        keys = [VerifyKey.parse(text) for text in checked.keys]
        name = f"cardshoe/journal/{evidence.header.journal_id}"
        assert evidence.header.key == str(keys[0])
    notes = notes_of(path)
    statements, checkpoints = notes[:4], notes[4:]
    for epoch, note in enumerate(statements):
        signers = {key.raw for key in keys[max(0, epoch - 1) : epoch + 1]}
        text, found = c2sp.verified_text(note, {name: [key.raw for key in keys]})
        assert found == signers
        assert text.splitlines()[1] == f"key {epoch}"
        assert text.splitlines()[4] == str(keys[epoch])
    sizes = []
    for number, note in enumerate(checkpoints):
        epoch = 1 + number // 4
        text, _ = c2sp.verified_text(note, {name: [keys[epoch].raw]})
        origin, size, root, extensions = c2sp.checkpoint(text)
        assert (origin, root) == (name, rfc6962.mth(leaves[:size]))
        assert extensions == [f"checkpoint {number + 1} key {epoch} at {AT}"]
        sizes.append(size)
    assert sizes == [1 + 9 * n for n in range(1, 13)]
    assert (checked.checkpoints, checked.proved, checked.root) == (12, len(entries), rfc6962.mth(leaves))


def test_proofs_of_entries_and_of_growth(path: Path) -> None:
    entries = sealed_journal(path)
    with read_only(path) as evidence:
        leaves = [evidence.genesis.data, *(entry.data for entry in entries)]
        root = evidence.verify().root
        for number in (1, 7, len(entries) - 1, len(entries)):
            [one] = evidence.prove(number, number).entries
            assert (one.entry, data_of(line.encode() for line in one.lines)) == (number, leaves[number])
            size = read_statement(Note((evidence.prove(number, number).checkpoint).encode())).size
            path_ = [bytes.fromhex(node) for node in one.path]
            assert includes(number, size, leaf_hash(leaves[number]), path_, rfc6962.mth(leaves[:size]))
        for first in (1, 2, 30, len(leaves)):
            grown = evidence.prove_growth(first, len(leaves))
            assert is_prefix(first, len(leaves), rfc6962.mth(leaves[:first]), root, grown)
        with pytest.raises(ValueError, match="no such entry"):
            evidence.prove(len(leaves), len(leaves))
        with pytest.raises(ValueError, match="no tree of"):
            evidence.prove_growth(1, len(leaves) + 1)


def test_each_shoe_has_a_key_and_only_the_last_is_left(path: Path) -> None:
    keyring = Keyring(path)
    with Journal.create(path, HEADER, keyring) as journal:
        held = [(keyring.held(), keyring.path(0).read_bytes())]
        for _ in range(3):
            journal.begin_shoe(AT)
            [epoch] = keyring.held()
            held.append(([epoch], keyring.path(epoch).read_bytes()))
            assert stat.S_IMODE(keyring.path(epoch).stat().st_mode) == 0o600
    assert [epochs for epochs, _ in held] == [[0], [1], [2], [3]]
    assert len({key for _, key in held}) == 4
    everything = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert [key in everything for _, key in held] == [False, False, False, True]


def test_an_erased_key_was_overwritten(path: Path) -> None:
    # A second name shows what is left of the first one's file.
    keyring = Keyring(path)
    with Journal.create(path, HEADER, keyring) as journal:
        (path.parent / "kept").hardlink_to(keyring.path(0))
        journal.begin_shoe(AT)
    assert set((path.parent / "kept").read_bytes()) == {0}


def test_a_checkpoint_costs_no_sync_of_its_own(path: Path, watched_disk: WatchedDisk) -> None:
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        play(journal, 2)
        watched_disk.calls.clear()
        journal.append([entry(journal.last_seq + 1)], AT)
        assert [call.act for call in watched_disk.calls].count("sync") == 1
        assert journal.unsigned == 0


def test_what_is_not_signed_is_counted(path: Path) -> None:
    heard: list[bytes] = []
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        journal.listen(heard.append)
        assert journal.unsigned == 0  # the statement of the first key covers the header
        journal.append([entry(1)])
        assert (journal.unsigned, heard) == (1, [])
        journal.sign(AT)
        assert journal.unsigned == 0
        journal.append([entry(5)], AT)
        journal.append([entry(9)])
        journal.begin_shoe(AT)
        assert journal.unsigned == 0
        assert set(heard) == set(list(journal.notes())[1:])
        journal.append([entry(13)])
    with read_only(path) as evidence:
        checked = evidence.verify()
    assert (checked.last, checked.proved) == (4, 3)
    with Journal.open(path, Keyring(path)) as journal:
        assert journal.unsigned == 1


def test_a_journal_without_a_keyring_is_not_signed(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        journal.append([entry(1)], AT)
        journal.sign(AT)
        journal.begin_shoe(AT)
        assert (journal.unsigned, list(journal.notes())) == (0, [])
    with read_only(path) as evidence:
        assert (evidence.verify().proved, evidence.verify().keys) == (None, [])
    assert list(path.parent.iterdir()) == [path]
    with pytest.raises(JournalBroken, match="this journal is unsigned"):
        Journal.open(path, Keyring(path))


def test_it_goes_on_with_its_key(path: Path) -> None:
    sealed_journal(path)
    with Journal.open(path, Keyring(path)) as journal:
        play(journal, 2)
        journal.begin_shoe(AT)
        play(journal, 1)
    with read_only(path) as evidence:
        checked = evidence.verify()
    assert (checked.checkpoints, len(checked.keys), checked.proved) == (15, 5, checked.last)


def test_without_its_key_it_does_not_go_on_and_can_be_read(path: Path) -> None:
    entries = sealed_journal(path)
    before = path.read_bytes()
    Keyring(path).path(3).unlink()
    with pytest.raises(KeyMissing, match=r"its key 3 is missing: there is no b-101\.journal-key-3") as caught:
        Journal.open(path, Keyring(path))
    assert (caught.value.epoch, caught.value.held) == (3, [])
    assert path.read_bytes() == before
    with read_only(path) as evidence:
        assert evidence.verify().proved == len(entries)


def other_key(keyring: Keyring) -> None:
    keyring.make(3)


def no_key(keyring: Keyring) -> None:
    keyring.path(3).write_text("a letter")


def rsa_key(keyring: Keyring) -> None:
    keyring.path(3).write_text("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIAAA\n-----END PRIVATE KEY-----\n")


@pytest.mark.parametrize(
    ("spoil", "reason"), [(other_key, "is another key"), (no_key, "holds no key"), (rsa_key, "holds no key")]
)
def test_a_key_that_is_not_its_own(path: Path, spoil: Callable[[Keyring], None], reason: str) -> None:
    sealed_journal(path)
    spoil(Keyring(path))
    with pytest.raises(KeyMissing, match=reason):
        Journal.open(path, Keyring(path))


def test_an_old_copy_of_the_journal_does_not_go_on(path: Path) -> None:
    sealed_journal(path, shoes=1)
    old = path.read_bytes()
    with Journal.open(path, Keyring(path)) as journal:
        play(journal, 1)
        journal.begin_shoe(AT)
    path.write_bytes(old)
    with pytest.raises(KeyMissing, match="key 2 is beside it, and it knows of none after 1: this is an old copy of it"):
        Journal.open(path, Keyring(path))
    assert Keyring(path).held() == [2]


def test_a_change_of_keys_that_was_cut_short_before_it_counted(path: Path) -> None:
    sealed_journal(path)
    Keyring(path).make(4)  # drawn, and the power failed before the journal named it
    with Journal.open(path, Keyring(path)) as journal:
        assert Keyring(path).held() == [3]
        journal.begin_shoe(AT)
    assert Keyring(path).held() == [4]


def test_a_change_of_keys_that_was_cut_short_after_it_counted(path: Path) -> None:
    sealed_journal(path)
    old = Keyring(path).path(3).read_bytes()
    with Journal.open(path, Keyring(path)) as journal:
        journal.begin_shoe(AT)
    Keyring(path).path(3).write_bytes(old)  # the power failed before it was erased
    with Journal.open(path, Keyring(path)) as journal:
        assert Keyring(path).held() == [4]
        play(journal, 1)


def test_a_journal_that_cannot_be_made_leaves_no_key(path: Path) -> None:
    path.write_bytes(b"something")
    with pytest.raises(JournalError):
        Journal.create(path, HEADER, Keyring(path))
    with pytest.raises(JournalFailed, match="its key cannot be stored"):
        Journal.create(path.parent / "nowhere" / "x.journal", HEADER, Keyring(path.parent / "nowhere" / "x.journal"))
    assert list(path.parent.iterdir()) == [path]


def rewritten(database: sqlite3.Connection) -> None:
    (data,) = database.execute("SELECT lines FROM entries WHERE number = 101").fetchone()
    database.execute("UPDATE entries SET lines = ? WHERE number = 101", (data.replace(b"dealt", b"dealT"),))
    regrown(database)


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (
            rewritten,
            "one of the entries 100 to 108 is not what checkpoint 12 was signed for; it is proved up to entry 99",
        ),
        (sql("DELETE FROM checkpoints WHERE number = 11"), "checkpoint 11 is missing"),
        (sql("DELETE FROM entries WHERE number > 105"), "missing: entries up to 108 were signed"),
        (sql("DELETE FROM keys WHERE epoch = 2"), "key 2 is missing"),
        (sql("DELETE FROM keys"), "key 0 is missing: this journal is unsigned"),
        (
            sql("UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE number = 2) WHERE number = 12"),
            "12: ",
        ),
        (sql("UPDATE checkpoints SET note = x'00' WHERE number = 12"), "checkpoint 12: not a signed note"),
    ],
)
def test_a_table_does_not_go_on_with_a_shoe_that_was_written_anew(path: Path, edit: Edit, reason: str) -> None:
    sealed_journal(path)
    edited(path, edit)
    before = path.read_bytes()
    with pytest.raises(JournalBroken, match=reason):
        Journal.open(path, Keyring(path))
    assert path.read_bytes() == before


def test_a_disk_that_fails_at_any_step_of_a_change_of_keys(tmp_path: Path, watched_disk: WatchedDisk) -> None:
    outcomes: list[bool] = []
    while not outcomes or outcomes[-1]:
        path = tmp_path / f"{len(outcomes)}.journal"
        with Journal.create(path, HEADER, Keyring(path)) as journal:
            play(journal, 1)
            watched_disk.fail_at = len(watched_disk.calls) + len(outcomes)
            try:
                journal.begin_shoe(AT)
                outcomes.append(False)
            except JournalFailed:
                outcomes.append(True)
            watched_disk.fail_at = -1
        with Journal.open(path, Keyring(path)) as journal:
            assert len(Keyring(path).held()) == 1
            play(journal, 1)
            journal.begin_shoe(AT)
        with read_only(path) as evidence:
            checked = evidence.verify()
        assert checked.proved == checked.last == 18
    assert len(outcomes) > 4

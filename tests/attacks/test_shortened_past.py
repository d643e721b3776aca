"""The past of a table is made shorter, by somebody who has the journal's file.

**The attack.** A journal may be taken apart: old shoe games move into an archive, and the journal keeps the rest. Both
were proved by signatures that were given long before. So whoever had the file, and no key, could do the same by hand:
delete what had displeased, add the row that says "this is a rest", set the version of the file. Of 4,252 entries 38
were left, and both verifiers, `journal fit`, `doctor`, and a witness that had seen every signature said that all was
well: the signatures of what was gone were passed over, for a rest does not hold them. Called an archive, a journal lost
its end in the same way.

**What stops it.** To retire shoe games is an entry of the journal itself. It says how many entries are retired, with
the root of the tree over all of them, and who asked; it is signed and durable before anything is cut. Each part carries
a copy with its proof and is judged by it. Without the key of the shoe game that is open nobody can make one, and one
that was made for a certain cut fits no other. Who has that key can still write such an entry: but then it stands there,
signed, under that person's name, and every later signature of every witness covers it.

Each test does the attack with tools of SQLite (`shortening.py`) and asks both verifiers, and the commands that a person
would use.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.cli.doctoring.journals import newest
from cardshoe.journal import Journal, JournalBroken, JournalExists, Keyring, WitnessFile, read_only
from cardshoe.journal.file.retirement import Attested, Retirement
from cardshoe.journal.proof.note import Note, SigningKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import leaf_hash
from cardshoe.journal.writing.retire import keep_shoes, retire
from cardshoe.process.exits import Exit
from cardshoe.table.log.table_journal import open_log
from tests.attacks.shortening import ENTRIES, SHOES, attested_in, call_archive, shorten, takeovers_of
from tests.attacks.verdicts import refused
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.journal.sealed import AT, BY, by_the_verifier, edited, play, sealed_journal
from tests.kit.table_log import TABLE

NOBODY = "the entry about what is retired is missing"


# The past is deleted


@pytest.mark.parametrize("first", range(1, SHOES + 1))
def test_old_shoe_games_are_deleted_and_what_is_left_is_called_a_rest(journal: Path, witness: Path, first: int) -> None:
    assert shorten(journal, first) == 1 + 36 * (first - 1)
    if first == 1:
        return  # the first key changed at the header: nothing is gone
    for said in refused(journal, witness):
        assert NOBODY in said


def test_every_command_refuses_it(journal: Path, witness: Path) -> None:
    shorten(journal, 4)
    archive = journal.with_name("archive")
    for command in (
        ("verify", journal),
        ("verify", journal, "--witness", witness),
        ("log", journal),
        ("journal", "show", journal),
        ("journal", "fit", journal),
        ("journal", "export", journal),
        ("journal", "prove", journal, "150"),
        ("journal", "backup", journal, archive),
        ("journal", "retire", journal, "--archive", archive, "--keep-shoes", "1"),
    ):
        done = invoke(*command)
        assert (done.exit_code, NOBODY in done.stderr) == (4, True), (command, done.output)
    with pytest.raises(JournalBroken, match=NOBODY):
        Journal.open(journal, Keyring(journal))
    assert not archive.exists()


def test_the_end_goes_too_if_it_is_called_an_archive(journal: Path, witness: Path) -> None:
    shorten(journal, 2)
    assert call_archive(journal, 4) == 108
    for said in refused(journal, witness):
        assert NOBODY in said


@pytest.mark.parametrize("planted", [False, True], ids=["shortened", "a rollback journal beside it"])
def test_the_table_does_not_start_with_it_and_doctor_says_so(tmp_path: Path, *, planted: bool) -> None:
    path = tmp_path / "T-1-20260105T100000-000000Z.journal"
    sealed_journal(path)
    if planted:
        path.with_name(f"{path.name}-journal").write_bytes(b"")
    else:
        shorten(path, 3)
    before = path.read_bytes()
    with pytest.raises(JournalBroken, match="beside it lies" if planted else NOBODY):
        open_log(tmp_path, TABLE, AT, lambda _: None)
    (finding,) = newest(tmp_path, "T-1", "2026-01-06T10:00:00.000000Z")
    assert (finding.exit_code, finding.about) == (Exit.JOURNAL, "journal")
    assert path.read_bytes() == before


# A true entry is used for another cut


def test_a_rest_is_shortened_further_than_its_entry_says(journal: Path, witness: Path) -> None:
    retire(journal, journal.with_name("archive"), keep_shoes(4), by=BY, at=AT)
    shorten(journal, 4)
    for said in refused(journal, witness):
        assert "entry 181 retires entries 1 to 36" in said


def test_a_rest_is_called_an_archive_with_the_entry_that_it_carries(journal: Path, witness: Path) -> None:
    retire(journal, journal.with_name("archive"), keep_shoes(4), by=BY, at=AT)
    call_archive(journal, 4)
    for said in refused(journal, witness):
        assert "entry 181 retires entries 1 to 36" in said


@pytest.mark.parametrize("cut", ["end", "beginning"])
def test_an_archive_loses_one_of_its_ends(journal: Path, witness: Path, cut: str) -> None:
    archive = journal.with_name("archive")
    retire(journal, archive, keep_shoes(2), by=BY, at=AT)
    carried = attested_in(archive).line
    if cut == "end":
        call_archive(archive, 2)
    else:
        shorten(archive, 3)
        edited(archive, lambda database: database.execute("UPDATE segment SET archived = 1"))
    assert attested_in(archive).line == carried
    for said in refused(archive, witness):
        assert "entry 181 retires entries 1 to 108" in said


def test_an_entry_that_was_never_carried_out_does_not_cover_more_than_it_says(journal: Path, witness: Path) -> None:
    """It is no fault by itself: the table goes on. Cut by hand where it says, a journal is what it asked for."""
    with Journal.open(journal, Keyring(journal)) as open_journal:
        key = next(Takeover.read(Note(note)) for note in open_journal.notes() if b"\nkey 3\n" in note)
        entry = Retirement(seq=ENTRIES + 1, at=AT, first=1, size=key.size, root=key.root, by=BY)
        open_journal.append([("retirement", entry.line())], AT)
        play(open_journal, 1)
    with read_only(journal) as evidence:
        assert evidence.verify(WitnessFile(witness)).retired is None
    assert by_the_verifier(journal, "--witness", witness)[0] == 0
    shorten(journal, 4, _proof_of(journal, ENTRIES + 1))
    for complaint in refused(journal, witness):
        assert f"entry {ENTRIES + 1} retires entries 1 to {key.size - 1}" in complaint


def test_an_older_entry_does_not_bring_back_what_a_newer_one_took_back(journal: Path, witness: Path) -> None:
    """First much was to be retired, then, before that was done, less: the newest entry counts."""
    with Journal.open(journal, Keyring(journal)) as open_journal:
        for epoch in (4, 2):
            one = next(
                Takeover.read(Note(note)) for note in open_journal.notes() if f"\nkey {epoch}\n".encode() in note
            )
            entry = Retirement(seq=open_journal.last_seq + 1, at=AT, first=1, size=one.size, root=one.root, by=BY)
            open_journal.append([("retirement", entry.line())], AT)
    shorten(journal, 4, _proof_of(journal, ENTRIES + 1))
    for said in refused(journal, witness):
        assert f"entry {ENTRIES + 2}: " in said


# An entry is forged


def test_an_entry_that_another_key_signed(journal: Path, witness: Path) -> None:
    """One's own key over one's own tree; and with the journal's newest key over a tree that never was."""
    with sqlite3.connect(journal) as database:
        keys = takeovers_of(database)
    database.close()
    line = Retirement(seq=ENTRIES, at=AT, first=1, size=keys[4].size, root=keys[4].root, by=BY).line()
    own = SigningKey(keys[0].origin, Ed25519PrivateKey.generate())
    stolen = SigningKey(keys[0].origin, Keyring(journal).load(SHOES))
    before = journal.read_bytes()
    for key, size, path, complaint in (
        (own, ENTRIES + 1, b"", "sign"),
        (stolen, ENTRIES + 1, b"", "not among those"),
        (stolen, ENTRIES + 1, bytes(32), "not among those"),
        (stolen, keys[5].size - 1, b"", "out of its turn"),
    ):
        journal.write_bytes(before)
        checkpoint = Checkpoint(
            origin=keys[0].origin, size=size, root=leaf_hash(line), number=99, epoch=SHOES, at=AT
        ).signed(key)
        shorten(journal, 4, Attested(line=line, path=path, notes=checkpoint + b"\n"))
        for said in refused(journal, witness):
            assert complaint in said, (complaint, said)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: Attested(line=one.line.replace(b'"by":"cage', b'"by":"pit '), path=one.path, notes=one.notes),
        lambda one: Attested(line=one.line.replace(b',"at"', b', "at"'), path=one.path, notes=one.notes),
        lambda one: Attested(line=one.line, path=one.path[32:], notes=one.notes),
        lambda one: Attested(line=one.line, path=one.path + bytes(32), notes=one.notes),
        lambda one: Attested(line=one.line, path=one.path, notes=b""),
        lambda one: Attested(line=one.line, path=one.path, notes=one.notes + b"x\n"),
        lambda one: Attested(line=one.line, path=one.path, notes=one.notes * 2),
    ],
    ids=["who", "a space", "a shorter path", "a longer path", "no notes", "more than notes", "notes twice"],
)
@pytest.mark.parametrize("name", ["rest", "archive"])
def test_what_a_part_carries_is_altered(
    journal: Path, witness: Path, name: str, change: Callable[[Attested], Attested]
) -> None:
    archive = journal.with_name("archive")
    retire(journal, archive, keep_shoes(2), by=BY, at=AT)
    path = archive if name == "archive" else journal
    one = change(attested_in(path))
    row = (one.line, one.path, one.notes)
    edited(path, lambda database: database.execute("UPDATE retired SET line = ?, path = ?, notes = ?", row))
    refused(path, witness)


def test_what_a_part_carries_is_taken_away(journal: Path, witness: Path) -> None:
    retire(journal, journal.with_name("archive"), keep_shoes(2), by=BY, at=AT)
    edited(journal, lambda database: database.execute("DELETE FROM retired"))
    for said in refused(journal, witness):
        assert NOBODY in said
    edited(journal, lambda database: database.execute("DROP TABLE retired"))
    for said in refused(journal, witness):
        assert "its tables are not those" in said


def test_the_entry_itself_is_taken_out_or_altered_in_the_rest(journal: Path, witness: Path) -> None:
    retire(journal, journal.with_name("archive"), keep_shoes(2), by=BY, at=AT)
    before = journal.read_bytes()
    for edit in (
        "UPDATE entries SET kind = 1 WHERE kind = 3",
        "UPDATE entries SET line = CAST(replace(CAST(line AS TEXT), 'cage', 'pit ') AS BLOB) WHERE kind = 3",
        "DELETE FROM entries WHERE kind = 3",
    ):
        journal.write_bytes(before)
        edited(journal, lambda database, sql=edit: database.execute(sql))  # type: ignore[misc]  # bound at once
        for said in refused(journal, witness):
            assert "entry 181: " in said, said


def gone_on(journal: Path) -> int:
    """Shoe games are retired, and another one is played; the number of the entry about it."""
    retire(journal, journal.with_name("archive"), keep_shoes(2), by=BY, at=AT)
    with Journal.open(journal, Keyring(journal)) as open_journal:
        open_journal.begin_shoe(AT)
        play(open_journal, 1)
    return ENTRIES + 1


def test_a_later_key_does_not_prove_it(journal: Path) -> None:
    """Whoever took the machine later could have signed another past."""
    seq = gone_on(journal)
    with read_only(journal) as evidence:
        evidence.verify()
        line, audit = evidence.prove(seq)
        newest = list(evidence.notes())[-1]
    row = (line, b"".join(audit), newest + b"\n")
    edited(journal, lambda database: database.execute("UPDATE retired SET line = ?, path = ?, notes = ?", row))
    with pytest.raises(JournalBroken, match="is not among those of checkpoint"):
        Journal.open(journal, Keyring(journal))
    status, said = by_the_verifier(journal)
    assert (status, "is not among those of checkpoint" in said) == (4, True), said


def test_a_table_that_starts_looks_at_the_entry_though_it_lies_in_an_earlier_shoe_game(journal: Path) -> None:
    seq = gone_on(journal)
    alter = "UPDATE entries SET line = CAST(replace(CAST(line AS TEXT), 'cage', 'pit ') AS BLOB) WHERE kind = 3"
    edited(journal, lambda database: database.execute(alter))
    with pytest.raises(JournalBroken) as caught:
        Journal.open(journal, Keyring(journal))
    assert caught.value.seq == seq


# What a witness holds of what is gone


def test_a_witness_is_explained_by_the_entry_and_by_nothing_else(journal: Path, witness: Path) -> None:
    archive = journal.with_name("archive")
    retire(journal, archive, keep_shoes(2), by=BY, at=AT)
    for part, last in ((archive, 108), (journal, ENTRIES)):
        assert f"witnessed up to entry {last}\n" in by_the_verifier(part, "--witness", witness)[1]
        with read_only(part) as evidence:
            assert evidence.verify(WitnessFile(witness)).witnessed_seq == last
    # A note that nobody signed, of the epoch of a retired shoe game but of a tree that lies outside of it.
    note = next(note for note in WitnessFile(witness).read(_origin(journal)) if b"key 2 at" in note)
    said = Checkpoint.read(Note(note))
    for part, size in ((journal, 400), (archive, 20)):
        epoch = 2 if part == journal else 5
        forged = note.replace(f"\n{said.size}\n".encode(), f"\n{size}\n".encode())
        forged = forged.replace(b" key 2 at", f" key {epoch} at".encode())
        kept = witness.read_bytes()
        WitnessFile(witness).append([forged])
        for complaint in refused(part, witness):
            assert "which no key of this journal has signed" in complaint
        witness.write_bytes(kept)


@pytest.mark.parametrize("kind", ["checkpoint", "key"])
def test_a_witness_of_the_first_and_the_last_shoe_game_of_a_part_counts(
    journal: Path, witness: Path, kind: str
) -> None:
    """At both edges of a part: what the part must hold is asked for, and what is another's is not."""
    archive = journal.with_name("archive")
    retire(journal, archive, keep_shoes(2), by=BY, at=AT)
    notes = WitnessFile(witness).read(_origin(journal))
    for part, epoch in ((journal, 4), (archive, 3)):
        forged = next(note for note in notes if (b"\nkey %d\n" if kind == "key" else b" key %d at") % epoch in note)
        kept = witness.read_bytes()
        WitnessFile(witness).append([forged.replace(b"2026-01-05", b"2026-01-06")])
        refused(part, witness)
        witness.write_bytes(kept)


# An archive that is there already


def test_an_archive_that_a_crash_left_is_verified_in_full_before_it_counts(journal: Path) -> None:
    """Its keys, checkpoints and entry are in order, and one of its lines is not: the journal must not be cut."""
    archive = journal.with_name("archive")
    whole, key = journal.read_bytes(), Keyring(journal).path(SHOES).read_bytes()
    retire(journal, archive, keep_shoes(2), by=BY, at=AT)
    announced = b'"event":"retired"'
    assert announced in journal.read_bytes()
    # The journal as it was after the entry and before the cut: whole, with the very entry that the archive carries.
    rest = journal.read_bytes()
    journal.write_bytes(whole)
    Keyring(journal).path(SHOES).write_bytes(key)
    _announced_again(journal, rest)
    edited(
        archive,
        lambda database: database.execute(
            "UPDATE entries SET line = CAST(replace(CAST(line AS TEXT), 'dealt', 'dealT') AS BLOB) WHERE seq = 20"
        ),
    )
    before = journal.read_bytes()
    with pytest.raises(JournalExists, match="the journal is broken: entry 20"):
        retire(journal, archive, keep_shoes(2), by=BY, at=AT)
    assert journal.read_bytes() == before
    archive.unlink()
    assert retire(journal, archive, keep_shoes(2), by="another", at=AT) is not None
    assert BY.encode() in archive.read_bytes()  # the entry that was there already


# What is not found by the file alone


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
        assert evidence.verify().last_seq == ENTRIES
    assert by_the_verifier(journal)[0] == 0
    for said in refused(journal, witness):
        assert f"entry {ENTRIES + 1}: missing: the witness holds" in said


def _origin(path: Path) -> str:
    with read_only(path) as evidence:
        return evidence.header.origin


def _proof_of(path: Path, seq: int) -> Attested:
    """The proof of an entry, as anybody who can read the journal can make it."""
    with read_only(path) as evidence:
        evidence.verify()
        proof = evidence.prove_entries(seq)
    (entry,) = proof.entries
    audit = b"".join(bytes.fromhex(node) for node in entry.path)
    return Attested(line=entry.line.encode(), path=audit, notes=proof.checkpoint.encode() + b"\n")


def _announced_again(path: Path, rest: bytes) -> None:
    """Give a whole journal the entry and the checkpoint that its rest has."""
    other = path.with_name("rest-for-reading")
    other.write_bytes(rest)

    def edit(database: sqlite3.Connection) -> None:
        database.execute("ATTACH ? AS rest", (str(other),))
        database.execute("INSERT INTO entries SELECT * FROM rest.entries WHERE kind = 3")
        database.execute("INSERT INTO checkpoints SELECT * FROM rest.checkpoints ORDER BY number DESC LIMIT 1")

    edited(path, edit)

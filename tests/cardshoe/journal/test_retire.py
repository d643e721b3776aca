"""Closed shoe games move into an archive; what stays, and what went, is proved as before."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cardshoe.journal import (
    Journal,
    JournalArchived,
    JournalBroken,
    JournalBusy,
    JournalExists,
    Keyring,
    WitnessFile,
    read_only,
)
from cardshoe.journal.file.retirement import Retirement
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Checkpoint, Takeover, read_statement
from cardshoe.journal.proof.tree import includes, is_prefix, leaf_hash
from cardshoe.journal.witness.targets import FileHolder
from cardshoe.journal.witness.witness import Witness
from cardshoe.journal.writing.retire import Retired, ended_before, keep_shoes, retire, would_retire
from tests.cardshoe.journal import rfc6962
from tests.cardshoe.journal.samples import HEADER, group
from tests.cardshoe.journal.sealed import (
    AT,
    BY,
    by_the_verifier,
    edited,
    listen,
    notes_of,
    numbered_journal,
    play,
    sealed_journal,
)
from tests.kit.length import at_length


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archives"
    folder.mkdir()
    return folder / "old.journal"


def leaves_of(path: Path) -> list[bytes]:
    with read_only(path) as evidence:
        evidence.verify()
        return [evidence.genesis.line, *(entry.line for entry in evidence.entries())]


def statements_of(path: Path) -> list[Checkpoint | Takeover]:
    return [read_statement(Note(note)) for note in notes_of(path)]


def test_every_entry_is_in_one_of_the_parts_and_proves_from_it_alone(path: Path, archive: Path) -> None:
    numbered_journal(path)
    notes = set(notes_of(path))
    done = retire(path, archive, keep_shoes(2), by=BY, at=AT)
    assert done == Retired(
        shoes=(0, 3),
        entries=(1, 18),
        since=HEADER.created_at,
        until="2026-01-08T10:00:00.000000Z",
        kept_from=19,
        kept_shoes=2,
    )
    leaves = [*leaves_of(archive), *leaves_of(path)[1:]]
    root, middle = rfc6962.mth(leaves), rfc6962.mth(leaves[:19])
    entry = Retirement(seq=31, at=AT, first=1, size=19, root=middle, by=BY)
    with read_only(archive) as old, read_only(path) as rest:
        assert old.genesis == rest.genesis
        assert set(old.notes()) | set(rest.notes()) == notes | {list(rest.notes())[-1]}  # the one over the entry
        checked = old.verify(), rest.verify()
        assert [one.root for one in checked] == [middle, root]
        assert [one.last_seq for one in checked] == [18, 31]
        assert [one.retired for one in checked] == [entry, entry]
        for file, said in ((archive, "archive from entry 1 on: 18"), (path, "rest from entry 19 on: 13")):
            status, told = by_the_verifier(file, "--first-key", checked[1].keys[0])
            assert (status, f"{file}: {said} entries, " in told) == (0, True), told
        assert [entry.line for entry in old.entries()] == leaves[1:19]
        assert [entry.line for entry in rest.entries()] == leaves[19:]
        for part, seqs, size, top in ((old, range(1, 19), 19, middle), (rest, range(19, 32), 32, root)):
            for seq in seqs:
                text, audit = part.prove(seq)
                assert audit == rfc6962.path(seq, leaves[:size])
                assert includes(seq, size, leaf_hash(text), audit, top)
        for first in range(19, 33):
            growth = rest.prove_growth(first, 32)
            assert growth == rfc6962.proof(first, leaves)
            assert is_prefix(first, 32, rfc6962.mth(leaves[:first]), root, growth)
        with pytest.raises(ValueError, match="what came before entry 19 is not in this part of the journal"):
            rest.prove(18)
        with pytest.raises(ValueError, match="what came before entry 19"):
            rest.prove_growth(18, 32)
        for first in (19, 20, 25):  # the first of them has none before it in this part
            assert [entry.seq for entry in rest.entries(first)] == list(range(first, 32))


@pytest.mark.parametrize("shoes", range(2, 9))
def test_parts_of_every_length_prove(path: Path, archive: Path, shoes: int) -> None:
    numbered_journal(path, shoes)
    retire(path, archive, keep_shoes(1), by=BY, at=AT)
    leaves = [*leaves_of(archive), *leaves_of(path)[1:]]
    with read_only(path) as rest:
        for seq in range(rest.segment.size, len(leaves)):
            assert rest.prove(seq) == (leaves[seq], rfc6962.path(seq, leaves))


def test_a_rest_goes_on_and_is_retired_again(path: Path, archive: Path, tmp_path: Path) -> None:
    entries = numbered_journal(path)
    retire(path, archive, keep_shoes(3), by=BY, at=AT)
    with Journal.open(path, Keyring(path)) as journal:
        assert (journal.last_seq, journal.shoe_start) == (31, 25)
        assert [entry.seq for entry in journal.entries()] == list(range(13, 32))
        play(journal, 2)
        journal.begin_shoe("2026-02-01T10:00:00.000000Z")
        play(journal, 1)
        journal.verify()
        last = journal.last_seq
    second = tmp_path / "second.journal"
    retire(path, second, ended_before(datetime(2026, 1, 9, tzinfo=UTC)), by=BY, at=AT)
    parts = [archive, second, path]
    spans = []
    for part in parts:
        with read_only(part) as evidence:
            evidence.verify()
            spans.append([entry.seq for entry in evidence.entries()])
    assert [(span[0], span[-1]) for span in spans] == [(1, 12), (13, 18), (19, last + 1)]
    with read_only(path) as rest:
        assert len(rest.verify().keys) == 7
    assert len(entries) == 30


def test_a_rest_of_the_open_shoe_alone_opens(path: Path, archive: Path) -> None:
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        journal.append(group(1), AT)
        journal.begin_shoe(AT)
        retired_to = journal.last_seq
    retire(path, archive, keep_shoes(1), by=BY, at=AT)
    with read_only(path) as evidence:
        assert evidence.verify().last_seq == retired_to + 1
        assert [entry.kind for entry in evidence.entries()] == ["retirement"]
    with Journal.open(path, Keyring(path)) as journal:
        assert (journal.last_seq, journal.shoe_start) == (retired_to + 1, retired_to + 1)
        journal.append(group(journal.last_seq + 1), AT)
    assert len(leaves_of(path)) == 6


def test_no_byte_of_what_was_retired_is_left_in_the_journal(path: Path, archive: Path) -> None:
    numbered_journal(path)
    path.chmod(0o640)
    retire(path, archive, keep_shoes(2), by=BY, at=AT)
    names = sorted(file.name for file in path.parent.iterdir() if file.is_file())
    assert names == [path.name, f"{path.name}-key-5"]
    assert [file.name for file in archive.parent.iterdir()] == [archive.name]
    data = path.read_bytes()
    assert b"in-0017" not in data
    assert b"in-0019" in data
    assert b"in-0017" in archive.read_bytes()
    assert (path.stat().st_mode & 0o777, archive.stat().st_mode & 0o777) == (0o640, 0o600)


def test_which_shoe_games_stay(path: Path) -> None:
    numbered_journal(path)  # keys took over on the 5th to the 9th
    before = path.read_bytes()

    def kept(choose: object) -> int | None:
        done = would_retire(path, choose)  # type: ignore[arg-type]  # as the caller has it
        return None if done is None else done.kept_shoes

    assert [kept(keep_shoes(count)) for count in (1, 2, 4, 5, 6, 7)] == [1, 2, 4, None, None, None]
    days = [kept(ended_before(datetime(2026, 1, day, 10, tzinfo=UTC))) for day in (4, 5, 6, 9, 30)]
    assert days == [None, None, 4, 1, 1]
    assert path.read_bytes() == before


def test_a_clock_that_said_nothing_keeps_what_came_after(path: Path) -> None:
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        for at in ("2026-01-05T10:00:00.000000Z", "", "2026-01-06T10:00:00.000000Z"):
            journal.append(group(journal.last_seq + 1))
            journal.begin_shoe(at)
    done = would_retire(path, ended_before(datetime(2027, 1, 1, tzinfo=UTC)))
    assert done is not None
    assert done.shoes == (0, 0)


def test_refusals(path: Path, archive: Path) -> None:
    numbered_journal(path)
    before = path.read_bytes()
    archive.write_bytes(b"another's")
    with pytest.raises(JournalExists):
        retire(path, archive, keep_shoes(2), by=BY, at=AT)
    assert archive.read_bytes() == b"another's"
    archive.unlink()
    other = archive.with_name("other.journal")
    sealed_journal(other)
    with pytest.raises(JournalExists, match="not what"):
        retire(path, other, keep_shoes(2), by=BY, at=AT)
    with Journal.open(path), pytest.raises(JournalBusy):
        retire(path, archive, keep_shoes(2), by=BY, at=AT)
    assert retire(path, archive, keep_shoes(9), by=BY, at=AT) is None
    assert not archive.exists()
    assert path.read_bytes() == before
    retire(path, archive, keep_shoes(2), by=BY, at=AT)
    for act in (
        lambda: retire(archive, path.with_name("x"), keep_shoes(1), by=BY, at=AT),
        lambda: Journal.open(archive),
    ):
        with pytest.raises(JournalArchived):
            act()


def test_nothing_is_retired_from_a_journal_that_does_not_hold(path: Path, archive: Path) -> None:
    numbered_journal(path)
    edited(path, lambda database: database.execute("UPDATE entries SET node = zeroblob(32) WHERE seq = 28"))
    before = path.read_bytes()
    with pytest.raises(JournalBroken) as caught:
        retire(path, archive, keep_shoes(2), by=BY, at=AT)
    assert (caught.value.seq, path.read_bytes(), archive.exists()) == (28, before, False)


def test_a_witness_knows_the_parts(path: Path, archive: Path, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    entries = sealed_journal(path, witness=witness)
    retire(path, archive, keep_shoes(2), by=BY, at=AT)
    with read_only(archive) as old, read_only(path) as rest:
        assert old.verify(WitnessFile(witness)).witnessed_seq == old.segment.size + 35 == 36
        assert rest.verify(WitnessFile(witness)).witnessed_seq == len(entries)  # not yet the entry about it
    for part, last in ((archive, 36), (path, len(entries))):
        status, said = by_the_verifier(part, "--witness", witness)
        assert (status, f"witnessed up to entry {last}\n" in said) == (0, True), said
    with Journal.open(path, Keyring(path)) as journal:
        at_work = Witness(FileHolder(witness))
        at_work.start(journal)  # it lacks what was retired, and that is right
        assert at_work.stop().notes == 0
        listen(journal, witness)
        play(journal, 1)
    edited(path, lambda database: database.execute("DELETE FROM checkpoints WHERE number = 14"))
    with (
        Journal.open(path, Keyring(path)) as journal,
        pytest.raises(JournalBroken, match="holds 1 signature that the journal"),
    ):
        Witness(FileHolder(witness)).start(journal)
    with read_only(path) as rest, pytest.raises(JournalBroken, match="the witness holds checkpoint 14"):
        rest.verify(WitnessFile(witness))
    status, said = by_the_verifier(path, "--witness", witness)
    assert (status, "the witness holds checkpoint 14" in said) == (4, True), said


@pytest.mark.statistical
@pytest.mark.timeout(300)  # some eighty processes, on a machine that may be busy
def test_a_kill_between_any_two_steps_leaves_either_state() -> None:
    # A process of its own, because it forks.
    command = [sys.executable, "-m", "tests.cardshoe.journal.retire_kills", str(at_length(4, 1))]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "COVERAGE_PROCESS_START": ""}
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert found["kills"] > at_length(15, 80)
    assert set(found["left"]) == {"whole", "announced", "archive", "rest and archive"}

"""A part of a log is read in place, as a few rows, and is what the newest signature covers."""

import sqlite3
import tempfile
from pathlib import Path

import pytest

from cardshoe.journal import Journal, JournalBroken, JournalBusy, Keyring, read_only
from cardshoe.journal.file.store import Store
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Checkpoint
from cardshoe.table.log import excerpt
from cardshoe.table.log.excerpt import excerpts, is_short, log_of_round
from cardshoe.table.log.query import LineGroup, Query, matching
from regulations.events.inputs import Closed
from tests.cardshoe.journal.sealed import edited, regrown
from tests.kit.table_log import AT, INPUTS, played, two_logs

LATER = "2026-01-06T10:00:00.000000Z"
SHOES = 6


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed log of some shoe games, each with a round."""
    return played(tmp_path, SHOES)


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """Two logs of a table; the later one has no round yet."""
    return two_logs(tmp_path, [*INPUTS, Closed(at=AT)], LATER)


def lines(path: Path, query: Query = Query(), last: int | None = None) -> list[bytes]:  # noqa: B008  frozen
    """The lines of an excerpt."""
    found = excerpts(path, query, last)
    assert found is not None
    return [line for part in found for answer in part.answers for line in answer.lines]


def whole(path: Path) -> list[LineGroup]:
    with read_only(path) as evidence:
        return [LineGroup.of(entry.lines) for entry in evidence.entries()]


def test_it_is_what_a_look_at_every_entry_finds(path: Path) -> None:
    answers = whole(path)
    for first in range(1, SHOES + 2):
        for last in (first, first + 2, None):
            query = Query(rounds=(first, last))
            assert is_short(query, None)
            found = [line for one in matching(answers, query) for line in one.lines]
            assert lines(path, query) == found
            assert bool(found) == (first <= SHOES)
    for count in (1, 3, len(answers), len(answers) + 1):
        assert lines(path, last=count) == [line for one in answers[-count:] for line in one.lines]
    both = Query(rounds=(2, 4), events=frozenset({"card"}))
    assert lines(path, both, 3) == [line for one in list(matching(answers, both))[-3:] for line in one.lines]


def test_what_needs_the_lines_before_is_no_excerpt() -> None:
    assert not is_short(Query(), None)
    assert not is_short(Query(rounds=(1, 1), irregularities=frozenset({"card_not_due"})), 1)
    assert not is_short(Query(seats=frozenset({1})), 1)


def test_a_closed_file_is_read_where_it_is_and_keeps_its_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")  # no copy can be made
    before = path.read_bytes(), sorted(path.parent.iterdir())
    path.chmod(0o400)
    assert lines(path, last=2)
    assert (path.read_bytes(), sorted(path.parent.iterdir())) == before


def test_a_few_rows_are_read_however_long_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts, read = [], Store.entry
    for shoes in (4, 64):
        folder = tmp_path / str(shoes)
        journal = played(folder, shoes)
        numbers: list[int] = []
        with monkeypatch.context() as patch:
            patch.setattr(Store, "entry", lambda self, number, to=numbers: to.append(number) or read(self, number))
            assert lines(journal, last=1)
            assert lines(journal, Query(rounds=(shoes - 1, shoes - 1)))
        counts.append(len(numbers))
    assert counts[1] < 3 * counts[0], "as the square of the tree's height, not as its size"


def test_the_log_of_a_killed_table_is_read_and_what_is_unsigned_is_said(path: Path) -> None:
    answers = whole(path)
    with Journal.open(path, Keyring(path)) as journal:
        last, signed = journal.last_seq, journal.last
        line = b'{"event":"next","seq":%d,"at":"%b","do":"nothing"}\n' % (last + 1, AT.encode())
        journal.append([line])
        with pytest.raises(JournalBusy):
            excerpts(path, Query(), 1)
        copy = path.with_name("killed.journal")
        copy.write_bytes(path.read_bytes())
        Path(f"{copy}-wal").write_bytes(Path(f"{path}-wal").read_bytes())
    (part,) = excerpts(copy, Query(), 2) or []
    assert [one.lines for one in part.answers] == [answers[-1].lines, [line[:-1]]]
    assert part.signed == signed
    (part,) = excerpts(copy, Query(rounds=(1, 1)), None) or []
    assert part.signed is None


def test_an_entry_that_was_altered_is_not_shown(path: Path) -> None:
    answers = whole(path)
    number = next(n for n, one in enumerate(answers, start=1) if one.round == SHOES)
    altered = "UPDATE entries SET node = zeroblob(32) WHERE number = ?"
    edited(path, lambda database: database.execute(altered, (number,)))
    for query, last in ((Query(rounds=(SHOES, SHOES)), None), (Query(), len(answers) - number + 1)):
        with pytest.raises(JournalBroken, match=f"entry {number}: the node does not fit"):
            lines(path, query, last)


def test_a_tree_that_was_made_again_is_not_the_one_that_was_signed(path: Path) -> None:
    def edit(database: sqlite3.Connection) -> None:
        changed = "CAST(replace(CAST(lines AS TEXT), 'croupier', 'creupiur') AS BLOB)"
        database.execute(f"UPDATE entries SET lines = {changed} WHERE number = 2")  # noqa: S608  its own text
        regrown(database)

    edited(path, edit)
    with pytest.raises(JournalBroken, match="an entry is not what was signed"):
        lines(path, last=1)
    with pytest.raises(JournalBroken, match="an entry is not what was signed"):
        lines(path, Query(rounds=(2, 2)))


def test_signed_entries_that_were_cut_off_are_missed(path: Path) -> None:
    last = len(whole(path))
    edited(path, lambda database: database.execute("DELETE FROM entries WHERE number = ?", (last,)))
    with pytest.raises(JournalBroken, match=f"entry {last}: missing: entries up to {last} were signed"):
        lines(path, last=1)


def test_rows_that_share_their_pages_are_not_read_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of all pages is left out: the bytes of the rows are counted in its place."""
    monkeypatch.setattr("cardshoe.journal.file.store._READ_AGAIN", 0)
    with pytest.raises(JournalBroken, match="more bytes than its pages"):
        lines(path, last=1)


def test_the_statements_of_keys_end_at_a_gap(path: Path) -> None:
    edited(path, lambda database: database.execute("UPDATE keys SET epoch = epoch + 10 WHERE epoch > 1"))
    with pytest.raises(JournalBroken, match="key 2 is missing"):
        lines(path, last=1)


def test_more_than_memory_should_hold_is_no_excerpt(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpt, "ENTRIES_MAX", 10)
    assert excerpts(path, Query(), 11) is None
    assert len(lines(path, last=10)) > 10


def test_it_continues_in_the_log_before(logs: list[Path]) -> None:
    older, newer = map(whole, logs)
    assert lines(logs[1], Query(rounds=(1, 1))) == lines(logs[0], Query(rounds=(1, 1))) != []
    wanted = [line for one in [*older[-2:], *newer] for line in one.lines]
    assert lines(logs[1], last=len(newer) + 2) == wanted
    assert lines(logs[1], last=1000) == [line for one in [*older, *newer] for line in one.lines]
    with log_of_round(logs[1], 1) as log:
        assert log.path == logs[0]
    with log_of_round(logs[1], 7) as log:
        assert log.path == logs[1]


def test_a_log_before_that_ended_otherwise_is_not_shown(logs: list[Path]) -> None:
    with Journal.open(logs[0], Keyring(logs[0])) as journal:
        line = b'{"event":"next","seq":%d,"at":"%b","do":"nothing"}\n' % (journal.last_seq + 1, AT.encode())
        journal.append([line], AT)
    with pytest.raises(JournalBroken, match="another end than the header of the log behind it names"):
        lines(logs[1], last=1000)


def test_a_log_before_that_is_not_here_is_left_out(logs: list[Path]) -> None:
    newer = whole(logs[1])
    logs[0].unlink()
    assert lines(logs[1], last=1000) == [line for one in newer for line in one.lines]


def test_a_proof_has_the_first_checkpoint_of_its_key_that_covers_it(path: Path) -> None:
    with read_only(path) as log:
        notes = [Note(note) for note in log.notes()]
        said = [Checkpoint.read(note) for note in notes if "\ncheckpoint " in note.text]
        for number in range(1, log.last + 1):
            epoch = max(one.epoch for one in log.takeovers() if one.size <= number)
            first = next((one.number for one in said if one.epoch == epoch and one.size > number), None)
            proof = log.prove(number, number)
            found = Checkpoint.read(Note(proof.checkpoint.encode())).number if proof.checkpoint else None
            assert found == first
            assert first is not None or len(proof.keys) == epoch + 2

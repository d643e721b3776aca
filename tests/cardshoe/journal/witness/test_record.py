"""By which rules a witness takes a note: each refusal with its status, and what counts as evidence."""

import shutil
from http import HTTPStatus
from pathlib import Path

import pytest

from cardshoe.journal import ConsistencyStep, Journal, Keyring
from cardshoe.journal.proof.note import Note, SigningKey, VerifyKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover, read_statement
from cardshoe.journal.witness.record import NoteRejected, WitnessedLog
from cardshoe.journal.witness.submission import Submission
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT, play


class Book:
    """A record that keeps what it takes, as a witness does."""

    def __init__(self, journal: Journal) -> None:
        self.held: list[bytes] = []
        key = VerifyKey.parse(journal.header.key)
        self.record = WitnessedLog(
            journal.origin, key, [], lambda: self.held, lambda text: any(Note(one).text == text for one in self.held)
        )

    def apply(self, step: ConsistencyStep) -> None:
        self.record.judge(Submission(step.old, step.path, step.note))
        self.record.apply(step.note)
        self.held.append(step.note)

    def follow(self, journal: Journal) -> None:
        while way := journal.way_from(self.record.newest):
            for step in way:
                self.apply(step)

    def refusal(self, step: ConsistencyStep) -> NoteRejected:
        with pytest.raises(NoteRejected) as refused:
            self.record.judge(Submission(step.old, step.path, step.note))
        return refused.value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.journal"


def begun(path: Path) -> Journal:
    journal = Journal.create(path, HEADER, Keyring(path))
    journal.begin_shoe(AT)
    play(journal, 2)
    return journal


def newest_step(journal: Journal, old: int) -> ConsistencyStep:
    """The newest note, with the proof from a size."""
    return ConsistencyStep(old, journal.way_from(None)[-1].path if not old else [], journal.newest_note())  # type: ignore[index]  # it is there


def copy_of(path: Path, name: str) -> Path:
    """Journal and key as they lie on the disk now."""
    other = path.with_name(name)
    for one in path.parent.glob(f"{path.name}*"):
        shutil.copyfile(one, one.with_name(one.name.replace(path.name, name)))
    return other


def test_it_follows_a_journal_through_its_keys(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        book.follow(journal)
        for _ in range(3):
            journal.begin_shoe(AT)
            play(journal, 3)
            book.follow(journal)
        assert book.record.newest == journal.newest_note()
        said = [read_statement(Note(note)) for note in book.held]
        assert [one.epoch for one in said if isinstance(one, Takeover)] == [0, 1, 2, 3, 4]
        assert set(book.held) <= set(journal.notes())


def test_the_newest_note_may_come_again(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        book.follow(journal)
        book.record.judge(Submission(0, [], journal.newest_note()))
        book.record.judge(Submission(book.record.size, [], journal.newest_note()))


def test_an_old_size_that_is_not_held_is_answered_with_the_one_that_is(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        book.follow(journal)
        held = book.record.size
        play(journal, 1)
        refused = book.refusal(newest_step(journal, 0))
        assert (refused.status, refused.size, refused.evidence) == (HTTPStatus.CONFLICT, held, None)
        assert held == journal.last + 1 - 9


def test_an_older_note_is_no_evidence(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        book.follow(journal)
        for note in journal.notes():
            if note != journal.newest_note():
                refused = book.refusal(ConsistencyStep(0, [], note))
                assert (refused.status, refused.size, refused.evidence) == (
                    HTTPStatus.CONFLICT,
                    book.record.size,
                    None,
                )


def test_an_old_size_above_the_note_s_own_is_a_mistake(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        book.follow(journal)
        play(journal, 1)
        refused = book.refusal(newest_step(journal, 10**6))
        assert (refused.status, refused.evidence) == (HTTPStatus.BAD_REQUEST, None)


def test_keys_that_do_not_follow(path: Path) -> None:
    with begun(path) as journal:
        first, second, checkpoint = list(journal.notes())[:3]
        book = Book(journal)
        refused = book.refusal(ConsistencyStep(0, [], checkpoint))
        assert (refused.status, refused.reason) == (HTTPStatus.FORBIDDEN, "the statement of key 0 has not come yet")
        assert book.refusal(ConsistencyStep(0, [], second)).status == HTTPStatus.FORBIDDEN
        book.apply(ConsistencyStep(0, [], first))
        refused = book.refusal(ConsistencyStep(1, [], checkpoint))
        assert (refused.status, refused.reason) == (HTTPStatus.FORBIDDEN, "the statement of key 1 has not come yet")
        # A key that its predecessor has not certified, although it signs for itself.
        said = read_statement(Note(second))
        assert isinstance(said, Takeover)
        other = SigningKey(journal.origin, Keyring(path.with_name("other")).make(0))
        foisted = Takeover(origin=said.origin, epoch=1, size=said.size, root=said.root, key=other.public, at=AT)
        refused = book.refusal(ConsistencyStep(1, [], foisted.signed(None, other)))
        assert (refused.status, refused.evidence) == (HTTPStatus.FORBIDDEN, None)
        assert "not signed by the key" in refused.reason


def test_another_first_key_than_the_registered_one(path: Path, tmp_path: Path) -> None:
    with begun(path) as journal, Journal.create(tmp_path / "b", HEADER, Keyring(tmp_path / "b")) as other:
        book = Book(journal)
        refused = book.refusal(ConsistencyStep(0, [], next(other.notes())))
        assert refused.status == HTTPStatus.FORBIDDEN
        assert refused.reason == "it is not the first key that was registered here"


def test_a_proof_that_does_not_hold_is_evidence(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        book.follow(journal)
        play(journal, 1)
        [step] = journal.way_from(book.record.newest) or []
        for bad in ([], step.path[:-1], [*step.path, step.path[0]], [bytes(32), *step.path[1:]]):
            refused = book.refusal(ConsistencyStep(step.old, bad, step.note))
            assert (refused.status, refused.evidence) == (HTTPStatus.UNPROCESSABLE_ENTITY, step.note)
        book.apply(step)
        begin = Book(journal)
        assert (
            begin.refusal(ConsistencyStep(0, [bytes(32)], next(journal.notes()))).status
            == HTTPStatus.UNPROCESSABLE_ENTITY
        )


@pytest.mark.parametrize(
    ("rounds", "status", "reason"),
    [
        (0, HTTPStatus.BAD_REQUEST, "a tree of 20 cannot"),  # checkpoint 3, which never came here: it may be an old one
        (2, HTTPStatus.CONFLICT, "checkpoint 5 is another one than this witness holds: a fork"),
        (5, HTTPStatus.UNPROCESSABLE_ENTITY, "the proof from "),
    ],
)
def test_a_journal_that_was_cut_back_and_went_on(path: Path, rounds: int, status: HTTPStatus, reason: str) -> None:
    with begun(path) as journal:
        old = copy_of(path, "old.journal")
        book = Book(journal)
        play(journal, 3)
        for _ in range(3):
            book.follow(journal)
            play(journal, 1)
        held = book.record.size
    with Journal.open(old, Keyring(old)) as forked:
        forked.append([entry(forked.last_seq + 1, 4)], AT)
        play(forked, rounds)
        forked_note = forked.newest_note()
        refused = book.refusal(ConsistencyStep(held, [], forked_note))
    assert refused.status == status
    assert refused.reason.startswith(reason)
    assert refused.evidence == (forked_note if rounds else None)


def test_a_journal_that_was_cut_back_and_signed_often(path: Path) -> None:
    with begun(path) as journal:
        old = copy_of(path, "old.journal")
        book = Book(journal)
        play(journal, 3)
        book.follow(journal)
    with Journal.open(old, Keyring(old)) as forked:
        for _ in range(6):
            forked.sign(AT)
        note = forked.newest_note()
        refused = book.refusal(ConsistencyStep(book.record.size, [], note))
    assert (refused.status, refused.evidence) == (HTTPStatus.CONFLICT, note)
    assert refused.reason.endswith(": a rollback")


def test_another_tree_of_the_same_size(path: Path) -> None:
    with begun(path) as journal:
        old = copy_of(path, "old.journal")
        book = Book(journal)
        journal.append([entry(journal.last_seq + 1, 2)], AT)
        book.follow(journal)
        held = book.record.size
    with Journal.open(old, Keyring(old)) as forked:
        forked.append([entry(forked.last_seq + 1, 2, 80)], AT)
        note = forked.newest_note()
        refused = book.refusal(ConsistencyStep(held, [], note))
        assert (refused.status, refused.evidence) == (HTTPStatus.CONFLICT, note)
        assert "a fork" in refused.reason


def test_a_key_whose_time_is_over_signs_no_more(path: Path) -> None:
    with begun(path) as journal:
        old = copy_of(path, "old.journal")
        book = Book(journal)
        journal.begin_shoe(AT)
        book.follow(journal)
        held = book.record.size
    with Journal.open(old, Keyring(old)) as forked:
        play(forked, 3)
        note = forked.newest_note()
        refused = book.refusal(ConsistencyStep(held, [], note))
        assert (refused.status, refused.evidence) == (HTTPStatus.CONFLICT, note)
        assert "after key 2 had taken over" in refused.reason
        forked.begin_shoe(AT)
        refused = book.refusal(ConsistencyStep(held, [], forked.newest_note()))
        assert refused.evidence
        assert "the statement of key 2" in refused.reason


def test_what_is_no_note(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        for garbage in (b"", b"x", b"\n\n", b"a\n\nb\n", journal.newest_note()[:-1], b"\xff" + journal.newest_note()):
            assert book.refusal(ConsistencyStep(0, [], garbage)).status == HTTPStatus.BAD_REQUEST


def test_a_signature_that_does_not_hold(path: Path) -> None:
    with begun(path) as journal:
        book = Book(journal)
        book.follow(journal)
        said = read_statement(Note(journal.newest_note()))
        assert isinstance(said, Checkpoint)
        forged = journal.newest_note().replace(b"checkpoint %d" % said.number, b"checkpoint %d" % (said.number + 1))
        refused = book.refusal(ConsistencyStep(said.size, [], forged))
        assert (refused.status, refused.evidence) == (HTTPStatus.FORBIDDEN, None)

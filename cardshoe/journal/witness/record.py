"""A witness's record of one log, and its rules. Pure.

c2sp.org/tlog-witness; a key is trusted from its predecessor's certificate until its successor's.
"""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Final

from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover, read_statement
from cardshoe.journal.proof.tree import is_prefix
from cardshoe.journal.witness.submission import Submission

Statement = Checkpoint | Takeover


class NoteRejected(Exception):
    """A rejected note; ``status`` of HTTP (c2sp.org/tlog-witness)."""

    def __init__(
        self, status: HTTPStatus, reason: str, *, size: int | None = None, evidence: bytes | None = None
    ) -> None:
        super().__init__(reason)
        self.status: Final = status
        self.reason: Final = reason
        self.size: Final = size
        self.evidence: Final = evidence


class WitnessedLog:
    """The accepted notes of one log; ``newest`` ``None`` before the first."""

    def __init__(
        self,
        origin: str,
        first_key: VerifyKey,
        notes: Iterable[bytes],
        held: Callable[[], Iterable[bytes]],
        holds: Callable[[str], bool],
    ) -> None:
        self.origin: Final = origin
        self._keys: Final[list[VerifyKey]] = []
        self._first_key: Final = first_key
        self._held: Final = held
        self._holds: Final = holds
        self._number = 0
        self._said: Statement | None = None
        self.newest: bytes | None = None
        for note in notes:
            self.apply(note)

    @property
    def key(self) -> VerifyKey | None:
        """The current key; ``None`` before the first."""
        return self._keys[-1] if self._keys else None

    @property
    def size(self) -> int:
        """The size in the newest note; 0 before the first."""
        return 0 if self._said is None else self._said.size

    def apply(self, note: bytes) -> None:
        """Advance to a judged and stored note."""
        said = read_statement(Note(note))
        if isinstance(said, Takeover):
            self._keys.append(said.key)
        else:
            self._number = said.number
        self._said, self.newest = said, note

    def judge(self, submission: Submission) -> bytes:
        """Check a note; the newest is accepted again, as its answer may have been lost."""
        try:
            note = Note(submission.note)
            said = read_statement(note)
        except BadNote as error:
            raise NoteRejected(HTTPStatus.BAD_REQUEST, error.reason) from error
        signed = self._signed(note, said)
        if self.newest is not None and note.text == Note(self.newest).text:
            return self.newest
        # From here on it is the log itself that speaks.
        contradiction = self._contradiction(said, note.text)
        if contradiction is not None:
            raise NoteRejected(HTTPStatus.CONFLICT, contradiction, size=self.size, evidence=signed)
        if said.size < submission.old:
            raise NoteRejected(HTTPStatus.BAD_REQUEST, f"a tree of {said.size} cannot follow one of {submission.old}")
        if submission.old != self.size or not self._follows(said):
            raise NoteRejected(HTTPStatus.CONFLICT, f"this witness holds {self.size}", size=self.size)
        self._check_proof(submission, said, signed)
        return signed

    def _signed(self, note: Note, said: Statement) -> bytes:
        try:
            return note.with_only(*self._signers(said))
        except BadNote as error:
            raise NoteRejected(HTTPStatus.FORBIDDEN, error.reason) from error

    def _signers(self, said: Statement) -> list[VerifyKey]:
        if said.epoch > len(self._keys) or (isinstance(said, Checkpoint) and said.epoch == len(self._keys)):
            missing = f"the statement of key {len(self._keys)} has not come yet"
            raise NoteRejected(HTTPStatus.FORBIDDEN, missing)
        if isinstance(said, Checkpoint):
            return [self._keys[said.epoch]]
        if said.epoch == 0:
            if said.key != self._first_key:
                raise NoteRejected(HTTPStatus.FORBIDDEN, "it is not the first key that was registered here")
            return [self._first_key]
        return [self._keys[said.epoch - 1], said.key]

    def _follows(self, said: Statement) -> bool:
        if isinstance(said, Takeover):
            return said.epoch == len(self._keys)
        return said.epoch == len(self._keys) - 1 and said.number > self._number

    def _contradiction(self, said: Statement, text: str) -> str | None:
        if self._said is None:
            return None
        what = name_of(said)
        if said.size == self.size and said.root != self._said.root:
            return f"{what} is of another tree of {said.size} than this witness holds: a fork"
        if self._follows(said):
            return (
                f"{what} is of {said.size}, this witness holds {self.size}: a rollback"
                if said.size < self.size
                else None
            )
        if isinstance(said, Checkpoint) and said.number > self._number:
            return f"{what} was signed after key {said.epoch + 1} had taken over: a fork"
        if said.size > self.size:
            return f"{what} is of {said.size}, and it is older than the newest here, of {self.size}: a fork"
        return self._differs(said, text)

    def _differs(self, said: Statement, text: str) -> str | None:
        if self._holds(text):
            return None
        for held in self._held():
            known = Note(held)
            other = read_statement(known)
            if text != known.text and name_of(other) == name_of(said):
                return f"{name_of(said)} is another one than this witness holds: a fork"
            if other.size == said.size and other.root != said.root:
                return f"{name_of(said)} is of another tree of {said.size} than this witness holds: a fork"
        return None

    def _check_proof(self, submission: Submission, said: Statement, signed: bytes) -> None:
        if self._said is None:
            if submission.path:
                raise NoteRejected(HTTPStatus.UNPROCESSABLE_ENTITY, "a proof, though this witness holds nothing yet")
        elif not is_prefix(self.size, said.size, self._said.root, said.root, submission.path):
            reason = f"the proof from {self.size} to {said.size} does not hold"
            raise NoteRejected(HTTPStatus.UNPROCESSABLE_ENTITY, reason, evidence=signed)


def name_of(said: Statement) -> str:
    return f"checkpoint {said.number}" if isinstance(said, Checkpoint) else f"the statement of key {said.epoch}"

"""A witness: stores notes of trusted logs durably, then cosigns them."""

import logging
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import msgspec

from cardshoe.journal import WitnessFailed
from cardshoe.journal.file.witness_file import END
from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.proof.statements import Takeover, read_statement
from cardshoe.journal.witness.record import NoteRejected, WitnessedLog
from cardshoe.journal.witness.store import WitnessStore, is_name
from cardshoe.journal.witness.submission import Submission
from cardshoe.process.exits import Stop

logger: Final = logging.getLogger(__name__)

TEXT: Final = "text/plain; charset=utf-8"
SIZE: Final = "text/x.tlog.size"


class WitnessResponse(msgspec.Struct, frozen=True):
    status: HTTPStatus
    body: bytes
    kind: str = TEXT
    contradiction: str = ""


class WitnessService:
    """A witness; from any thread, one request at a time."""

    def __init__(self, store: WitnessStore, *, accept_new: bool = False, now: Callable[[], float] = time.time) -> None:
        self._store: Final = store
        self._accept_new: Final = accept_new
        self._now: Final = now
        self._cosigner: Final = store.cosigner()
        self._records: Final[dict[str, WitnessedLog]] = {}
        self._turn: Final = threading.Lock()
        self._failed: WitnessFailed | None = None

    @property
    def key(self) -> str:
        """Its public key as text."""
        return str(self._cosigner.public)

    def submit(self, body: bytes) -> WitnessResponse:
        """Judge a note, store it, cosign it; ``body`` as in c2sp.org/tlog-witness."""
        try:
            submission = Submission.decode(body)
            note = Note(submission.note)
            origin = read_statement(note).origin
        except BadNote as error:
            return WitnessResponse(HTTPStatus.BAD_REQUEST, _line(error.reason))
        with self._turn:
            try:
                return self._accept(origin, submission, note)
            except NoteRejected as refused:
                return self._refuse(origin, refused)
            except (WitnessFailed, Stop) as error:
                return _unavailable(error)

    def notes(self, origin: str) -> WitnessResponse:
        """All notes of a log, as a witness file."""
        return self._held(
            origin, lambda record: b"".join(n + END for n in self._store.notes(record.origin).read(origin))
        )

    def newest(self, origin: str) -> WitnessResponse:
        """The last note of a log."""
        return self._held(origin, lambda record: record.newest or b"")

    def _held(self, origin: str, what: Callable[[WitnessedLog], bytes]) -> WitnessResponse:
        with self._turn:
            try:
                record = self._record(origin)
                body = b"" if record is None else what(record)
            except (WitnessFailed, Stop) as error:
                return _unavailable(error)
        return (
            WitnessResponse(HTTPStatus.OK, body)
            if body
            else WitnessResponse(HTTPStatus.NOT_FOUND, _line("this witness holds nothing of the log"))
        )

    def _accept(self, origin: str, submission: Submission, note: Note) -> WitnessResponse:
        record = self._record(origin) or self._new_record(origin, submission.note)
        kept = record.judge(submission)
        if kept != record.newest:
            self._store_note(record, kept)
        line = self._cosigner.line(note.text, int(self._now()))
        return WitnessResponse(HTTPStatus.OK, line.encode())

    def _record(self, origin: str) -> WitnessedLog | None:
        if self._failed is not None:
            raise self._failed.with_traceback(None)
        if origin not in self._records and is_name(origin):
            first_key = self._store.first_key(origin)
            if first_key is not None:
                file = self._store.notes(origin)
                file.settle()
                notes = file.read(origin)
                self._records[origin] = WitnessedLog(origin, first_key, notes, lambda: file.read(origin), file.holds)
        return self._records.get(origin)

    def _new_record(self, origin: str, data: bytes) -> WitnessedLog:
        note = Note(data)
        said = read_statement(note)
        before = self._before(origin, note)
        if not (is_name(origin) and isinstance(said, Takeover) and said.epoch == 0):
            raise NoteRejected(HTTPStatus.NOT_FOUND, "this log is not registered here")
        if before is None and not self._accept_new:
            raise NoteRejected(HTTPStatus.NOT_FOUND, "this log is not registered here")
        record = WitnessedLog(origin, said.key, [], list, lambda _: False)
        signed = record.judge(Submission(0, [], data))
        if before is not None:
            self._trust_next(before, said.key, signed)
        elif not self._store.trust_at_its_word(said.key):
            raise NoteRejected(HTTPStatus.NOT_FOUND, "this witness has too many unregistered logs; register this one")
        else:
            logger.warning("%s: an unregistered log, accepted without proof; first key %s", origin, said.key)
        found = self._record(origin)
        if found is None:
            raise NoteRejected(HTTPStatus.NOT_FOUND, "this log is not registered here")
        return found

    def _before(self, origin: str, note: Note) -> WitnessedLog | None:
        for name in note.signers:
            record = self._record(name) if name != origin else None
            if record is not None and record.key is not None and note.carries(record.key):
                return record
        return None

    def _trust_next(self, before: WitnessedLog, key: VerifyKey, signed: bytes) -> None:
        if not self._store.trust_next(key, before.origin):
            reason = f"{before.origin} is continued by another log here: a fork, or a log that was begun again"
            raise NoteRejected(HTTPStatus.FORBIDDEN, reason, evidence=signed)
        logger.info("%s: registered as the log behind %s; first key %s", key.name, before.origin, key)

    def _store_note(self, record: WitnessedLog, note: bytes) -> None:
        try:
            self._store.notes(record.origin).append([note])
        except WitnessFailed as error:
            # What a failed write or sync left behind is unknown: nothing is taken any more, and nothing tried again.
            self._failed = error
            logger.error("%s", error)  # noqa: TRY400  a person reads it, who has no use for a traceback
            raise
        record.apply(note)

    def _refuse(self, origin: str, refused: NoteRejected) -> WitnessResponse:
        if refused.evidence is not None:
            try:
                new = self._store.store_evidence(origin, refused.evidence, refused.reason)
            except WitnessFailed as error:
                new = True
                logger.error("%s", error)  # noqa: TRY400  as above
            if new:
                logger.error("%s: REFUSED: %s. The note is kept as evidence", origin, refused.reason)
        contradiction = "" if refused.evidence is None else refused.reason
        if refused.size is not None:
            return WitnessResponse(refused.status, b"%d\n" % refused.size, SIZE, contradiction)
        return WitnessResponse(refused.status, _line(refused.reason), contradiction=contradiction)


def _line(text: str) -> bytes:
    return text.encode() + b"\n"


def _unavailable(error: Exception) -> WitnessResponse:
    return WitnessResponse(HTTPStatus.SERVICE_UNAVAILABLE, _line(str(error)))

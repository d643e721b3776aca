"""The floor as a witness, with proofs from stored lines."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from cardshoe.floor.alarm_kinds import Alarm, NotTaken
from cardshoe.journal.delivery.wire import Stands
from cardshoe.journal.proof.note import Note, VerifyKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover, read_statement
from cardshoe.journal.proof.tree import StoredTree
from cardshoe.journal.witness.record import name_of
from cardshoe.journal.witness.service import WitnessService
from cardshoe.journal.witness.store import StoreUnusable, WitnessStore, trust
from cardshoe.journal.witness.submission import Submission
from cardshoe.process.exits import Stop

logger: Final = logging.getLogger(__name__)

NOTHING: Final = -1


class Held(NamedTuple):
    size: int
    epoch: int


class FloorWitness:
    """Holds the notes of all logs."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._store: Final = WitnessStore(folder)
        self._service: Final = WitnessService(self._store)

    @property
    def key(self) -> str:
        """The cosigning key."""
        return self._service.key

    def close(self) -> None:
        """Release the folder."""
        self._store.close()

    def register(self, first_key: VerifyKey) -> None:
        """Trust a log by its first key, which came over its table's certificate.

        Raises:
            NotTaken: not stored, or an earlier note is missing.
            Alarm: it contradicts the witness.
        """
        try:
            trust(self._folder, first_key)
        except StoreUnusable as error:
            logger.warning("%s", error.what)
            raise NotTaken("database", f"the witness of the floor cannot keep it: {error.what}") from error
        except Stop as error:
            raise Alarm("witness", f"its first key has changed: {error.what}", 0) from error

    def held(self, origin: str) -> Held:
        """The witness's state for a log."""
        newest = self._service.newest(origin)
        if newest.status != HTTPStatus.OK:
            return Held(0, NOTHING)
        said = read_statement(Note(newest.body))
        return Held(said.size, said.epoch)

    def take(self, note: bytes, said: Checkpoint | Takeover, tree: Callable[[], StoredTree]) -> str | None:
        """Accept a note whose root is that of the stored lines.

        Returns:
            The cosignature line; empty for an older note; ``None`` for a late checkpoint of an earlier key.

        Raises:
            NotTaken: not stored, or an earlier note is missing.
            Alarm: it contradicts the witness.
        """
        held = self.held(said.origin)
        if isinstance(said, Checkpoint) and said.epoch < held.epoch:
            return None
        if said.epoch > held.epoch + isinstance(said, Takeover):
            missing = f"the statement of key {held.epoch + 1} has not come yet"
            raise NotTaken("keys", missing, Stands(epoch=held.epoch))
        path = tree().consistency(held.size, said.size) if 0 < held.size <= said.size else []
        answer = self._service.submit(Submission(held.size, path, note).encoded())
        reason = answer.body.decode(errors="replace").strip()
        if answer.status == HTTPStatus.OK:
            return reason
        if answer.contradiction:
            raise Alarm("witness", answer.contradiction, said.size - 1)
        if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
            raise NotTaken("database", f"the witness of the floor cannot keep it: {reason}")
        if answer.status in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY}:
            raise Alarm("not_signed", f"{name_of(said)}: {reason}", said.size - 1)
        return ""

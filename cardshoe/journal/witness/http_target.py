"""A witness over HTTP as the table sees it."""

import logging
import ssl
from collections.abc import Sequence
from functools import partial
from typing import Final

from cardshoe.journal import ConsistencyStep, Journal, JournalError, WitnessFailed
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.proof.note import BadNote, Note
from cardshoe.journal.proof.statements import read_statement
from cardshoe.journal.witness.client import REMEDY, StaleHead, WitnessClient
from cardshoe.journal.witness.cosigned import is_cosigned, store_cosigned
from cardshoe.journal.witness.targets import not_in
from cardshoe.journal.witness.tasks import Tasks, Unanswered

logger: Final = logging.getLogger(__name__)

AGAIN: Final = 3


class HttpTarget:
    """A service as a witness; the table's thread makes its proofs."""

    def __init__(self, client: WitnessClient, tasks: Tasks) -> None:
        self.name = client.url
        self._client: Final = client
        self._tasks: Final = tasks
        self._journal: Journal | None = None
        self._held: bytes | None = None
        self._asked = False

    def missing(self, journal: Journal) -> Sequence[bytes]:
        """The newest note, unless its cosignature is kept.

        Raises:
            JournalBroken: its note is not of the journal.
        """
        self._journal = journal
        newest = journal.newest_note()
        try:
            self._ask()
            if self._held is not None and journal.way_from(self._held) is None:
                raise not_in(journal, self.name, [self._held])
        except (WitnessFailed, BadNote) as error:
            logger.warning("%s", error)
            return [newest]
        is_held = self._held is not None and _is_same(self._held, newest)
        return [] if is_held and self._is_kept(journal, newest) else [newest]

    def begin(self, journal: Journal) -> Sequence[bytes]:
        """The newest note, sent after the service's state is known."""
        self._journal = journal
        return [journal.newest_note()]

    def append(self, notes: Sequence[bytes]) -> None:
        """Send the steps from its note to the newest.

        Raises:
            WitnessFailed: unreachable, refused, or no answer of the table's thread.
        """
        for _ in range(AGAIN):
            try:
                if not self._asked:
                    self._ask()
                self._go(notes[-1])
            except StaleHead:
                self._asked = False
            except WitnessFailed:
                self._asked = False
                raise
            except (Unanswered, JournalError, BadNote) as error:
                raise WitnessFailed(self.name, f"did not get the notes: {error}", REMEDY) from error
            else:
                return
        raise WitnessFailed(self.name, "changed during the exchange", "Check that only this table has this journal.")

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _ask(self) -> None:
        journal = self._opened()
        self._held, self._asked = self._client.newest(journal.origin), True

    def _go(self, wanted: bytes) -> None:
        journal = self._opened()
        signed = None
        while True:
            way = self._tasks.ask(partial(journal.way_from, self._held))
            if way is None:
                raise WitnessFailed(
                    self.name,
                    "holds a signature that the journal lacks",
                    "The journal was cut off, forked, or is an old copy: tell the supervisor. The table will not "
                    "start with it again.",
                )
            for step in way:
                signed = self._client.submit(step)
                self._held = step.note
            if not way or (self._held is not None and _is_same(self._held, wanted)):
                break
        if signed is None and self._held is not None and not self._is_kept(journal, self._held):
            # It holds that already, and cosigns it once more.
            signed = self._client.submit(ConsistencyStep(read_statement(Note(self._held)).size, [], self._held))
        if signed is not None:
            store_cosigned(journal.path, signed)

    def _is_kept(self, journal: Journal, note: bytes) -> bool:
        return is_cosigned(journal.path, self.name, note, self._client.pinned)

    def _opened(self) -> Journal:
        if self._journal is None:
            raise WitnessFailed(self.name, "was not told of a journal")
        return self._journal


def _is_same(one: bytes, other: bytes) -> bool:
    return one == other or Note(one).text == Note(other).text


def client_for(address: str, tls: ssl.SSLContext | None, key: str | None = None) -> WitnessClient:
    """A client for the service; ``key``: required cosigning key."""
    context = tls if address.startswith("https://") else None
    return WitnessClient(address, context, pinned=None if key is None else CosignatureKey.parse(key))

"""A witness over HTTP as the table sees it."""

import logging
import ssl
from collections.abc import Sequence
from functools import partial
from typing import Final

from table.errands import Errands, Unanswered
from table.journal import Journal, JournalError, WitnessFailed
from table.journal.proof.note import BadNote, Note
from table.witnessing.client import Behind, WitnessClient
from table.witnessing.holders import not_in
from table.witnessing.tls import TlsFiles

logger: Final = logging.getLogger(__name__)

AGAIN: Final = 3
"""How often it is asked what it holds, when that changes while notes are sent."""


class HttpHolder:
    """A service as a witness. It wants proof that the journal has only grown, and the table's thread makes that.

    Args:
        client: speaks to it.
        errands: where the table's thread is asked.
    """

    def __init__(self, client: WitnessClient, errands: Errands) -> None:
        self.name = client.url
        self._client: Final = client
        self._errands: Final = errands
        self._journal: Journal | None = None
        self._held: bytes | None = None
        self._asked = False

    def missing(self, journal: Journal) -> Sequence[bytes]:
        """The newest note, unless it holds that: what is before it goes along.

        Raises:
            JournalBroken: its newest note is none of the journal's.
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
        return [] if self._held is not None and _is_same(self._held, newest) else [newest]

    def append(self, notes: Sequence[bytes]) -> None:
        """Sends what leads from the note that it holds to the newest one.

        Raises:
            WitnessFailed: it cannot be reached or refuses, or the table's thread did not answer.
        """
        for _ in range(AGAIN):
            try:
                if not self._asked:
                    self._ask()
                self._go(notes[-1])
            except Behind:
                self._asked = False
            except WitnessFailed:
                self._asked = False
                raise
            except (Unanswered, JournalError, BadNote) as error:
                raise WitnessFailed(self.name, f"could not be told: {error}") from error
            else:
                return
        raise WitnessFailed(self.name, "changes while it is spoken to", "See that only this table has this journal.")

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()

    def _ask(self) -> None:
        journal = self._known()
        self._held, self._asked = self._client.newest(journal.origin), True

    def _go(self, wanted: bytes) -> None:
        journal = self._known()
        while True:
            way = self._errands.ask(partial(journal.way_from, self._held))
            if way is None:
                raise WitnessFailed(
                    self.name,
                    "holds a signature that the journal lacks",
                    "The journal was cut off, forked, or is an old copy: tell the supervisor. The table will not "
                    "start with it again.",
                )
            for step in way:
                self._client.submit(step)
                self._held = step.note
            if not way or (self._held is not None and _is_same(self._held, wanted)):
                return

    def _known(self) -> Journal:
        if self._journal is None:
            raise WitnessFailed(self.name, "was not told of a journal")
        return self._journal


def _is_same(one: bytes, other: bytes) -> bool:
    """Whether two notes say the same, whoever signed below."""
    return one == other or Note(one).text == Note(other).text


def client_for(address: str, tls: TlsFiles | None) -> WitnessClient:
    """What speaks to the service at an address.

    Raises:
        Stop: a certificate cannot be used.
    """
    context: ssl.SSLContext | None = tls.client() if tls is not None and address.startswith("https://") else None
    return WitnessClient(address, context)

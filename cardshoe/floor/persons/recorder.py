"""Records of sign-ins and downloads, in the database and on standard error."""

import logging
import threading
import time
from collections import deque
from typing import Final

from msgspec import UNSET

from cardshoe.floor.database import Database, Unavailable
from cardshoe.floor.facts.guessing import HERE, count
from cardshoe.process.clock import wall_time
from regulations.events.notices import SignedIn, SignedOut, SignInsRefused
from regulations.events.origins import name_of

WAITING: Final = 1000
"""Records that wait for the database; the oldest are dropped."""

logger: Final = logging.getLogger(__name__)


class Recorder:
    """Keeps records until they are stored; from any thread."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database
        self._turn: Final = threading.Lock()
        self._waiting: Final[deque[tuple[str, str, str, str]]] = deque(maxlen=WAITING)
        self._refused: Final[deque[tuple[int, SignInsRefused]]] = deque(maxlen=WAITING)

    def note(self, event: SignedIn | SignedOut | SignInsRefused) -> None:
        """Add a record."""
        person, detail = "", ""
        match event:
            case SignedIn():
                person, detail = event.person, event.role
            case SignedOut():
                person, detail = event.person, event.because
            case SignInsRefused():
                ids = [] if event.ids is UNSET else [f"{one.person} {one.count}" for one in event.ids]
                detail = f"{event.count} since {event.since}" + (f": {', '.join(ids)}" if ids else "")
                self._refused.append((time.time_ns(), event))
        self._keep(person, name_of(event), detail)

    def record(self, person: str, what: str, detail: str) -> None:
        """Record a download: a proof, a report, a search result."""
        self._keep(person, what, detail)
        self.flush()

    def _keep(self, person: str, what: str, detail: str) -> None:
        logger.warning("%s %s %s", what, person or "-", detail)
        self._waiting.append((wall_time(), person, what, detail))

    def flush(self) -> None:
        """Store waiting records, or keep them."""
        with self._turn:
            self._store()

    def _store(self) -> None:
        records = [self._waiting.popleft() for _ in range(len(self._waiting))]
        refused = [*self._refused]
        if not records:
            return
        try:
            with self._database.transaction() as db, db.cursor() as cursor:
                query = "INSERT INTO visits (at, person, what, detail) VALUES (%s, %s, %s, %s)"
                cursor.executemany(query, records)
                count(db, HERE, "", [(number, event, None) for number, event in refused])
        except BaseException as error:
            room = WAITING - len(self._waiting)
            self._waiting.extendleft(reversed(records[-room:] if room else []))
            if not isinstance(error, Unavailable):
                raise
            logger.warning("%s", error)
        else:
            for _ in refused:
                self._refused.popleft()

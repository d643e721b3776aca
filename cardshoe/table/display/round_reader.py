"""Fill the index of rounds over the live socket, newest log first."""

import logging
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec import Struct, field

from cardshoe.screens.rounds.fact import RoundFact
from cardshoe.screens.rounds.whole import WholeRound, whole_round
from cardshoe.table.display.round_index import IndexedLog, RoundIndex, RoundPlace
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.live.session import LiveError
from regulations.events.errors import MalformedLine

logger: Final = logging.getLogger(__name__)

KEPT: Final = timedelta(days=32)
LOOK_S: Final = 2.0
PAUSE_S: Final = 0.01
AGAIN_S: Final = 1.0
CURRENT_S: Final = 1.0
_BAD: Final = (ValueError, MalformedLine, msgspec.MsgspecError)


class _JournalHead(Struct):
    created_at: datetime


class _Log(Struct):
    fold: IndexedLog | None
    unstored: list[RoundFact] = field(default_factory=list)
    begun: datetime = datetime.max.replace(tzinfo=UTC)
    before: str = ""


_begun: Final = msgspec.json.Decoder(_JournalHead)


class NotRead(Exception):
    """Entries of a round cannot be read now."""


class RoundReader:
    """Reads the logs of one table in a thread, while a ``with`` block runs.

    Attributes:
        is_behind: older logs of the month are being read.
        unread: logs that cannot be read further.
    """

    def __init__(self, place: TablePlace, index: RoundIndex) -> None:
        self._place: Final = place
        self._index: Final = index
        self._logs: Final[dict[str, _Log]] = {}
        self._running = ""
        self._over: Final = threading.Event()
        self._wanted: Final = threading.Event()
        self._looked: Final = threading.Condition()
        self._asked = self._answered = 0
        self.is_behind = True
        self.unread: Final[set[str]] = set()
        self._thread: Final = threading.Thread(target=self._run, name="rounds", daemon=True)

    def start(self) -> None:
        """Start reading."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread, after at most one answer of the table."""
        self._over.set()
        self._wanted.set()
        self._thread.join()

    def await_current(self) -> None:
        """Wait for the current lines, at most 1 s; from other threads only."""
        with self._looked:
            self._asked += 1
            own = self._asked
            self._wanted.set()
            self._looked.wait_for(lambda: self._answered >= own or self._over.is_set(), CURRENT_S)

    def whole(self, place: RoundPlace) -> WholeRound:
        """A round, folded from entries of the table.

        Raises:
            NotRead: it does not send them.
        """
        entries: list[tuple[int, Sequence[bytes]]] = []
        try:
            with LiveClient(self._place) as client:
                while place.entry + len(entries) <= place.last_entry:
                    told = client.history(place.log, place.entry + len(entries))
                    if told.fault or not told.entries:
                        raise NotRead(told.fault or "the table sends no such entries")
                    entries += [(one.entry, list(map(bytes, one.lines))) for one in told.entries]
        except (NotLive, LiveError, OSError) as error:
            raise NotRead(str(error)) from error
        own = entries[: place.last_entry - place.entry + 1]
        return whole_round(self._index.opening(place.log), place.start, own)

    def proof(self, place: RoundPlace) -> says.SaidProof:
        """The proof of a round, made and verified by the table.

        Raises:
            NotRead: it does not answer.
        """
        try:
            with LiveClient(self._place) as client:
                return client.proof(place.log, (place.entry, place.last_entry), place.round)
        except (NotLive, LiveError, OSError) as error:
            raise NotRead(str(error)) from error

    # --- the thread --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                with LiveClient(self._place) as client:
                    self._follow(client)
            except (NotLive, LiveError, OSError):
                self._over.wait(AGAIN_S)
            except Exception:
                logger.exception("the rounds of the table cannot be read; it is tried again")
                self._over.wait(AGAIN_S)

    def _follow(self, client: LiveClient) -> None:
        while not self._over.is_set():
            with self._looked:
                self._wanted.clear()
                asked = self._asked
            newest = self._read_running(client)
            with self._looked:
                self._answered = asked
                self._looked.notify_all()
            self.is_behind = self._read_older(client, newest)
            self._wanted.wait(PAUSE_S if self.is_behind else LOOK_S)

    def _read_running(self, client: LiveClient) -> _Log:
        while True:
            log = self._log_of(self._running)
            told = client.history(None, 0 if log.fold is None else log.fold.last + 1)
            if told.log != self._running:
                self._running = told.log
                continue
            self._take(log, told, is_running=True)
            if log.fold is None or log.fold.last >= told.last or self._over.is_set():
                return log

    def _read_older(self, client: LiveClient, newest: _Log) -> bool:
        log = newest
        while log.before and log.begun >= newest.begun - KEPT:
            name = log.before
            log = self._log_of(name)
            if (fold := log.fold) is not None:
                told = client.history(name, fold.last + 1)
                if told.fault:
                    return False  # its file is not here, or not yet free: it is tried again
                self._take(log, told)
                if fold.last >= told.last:
                    log.fold = None
                return True
        return False

    def _take(self, log: _Log, told: says.SaidHistory, *, is_running: bool = False) -> None:
        if (fold := log.fold) is None:
            return
        try:
            for one in told.entries:
                lines = list(map(bytes, one.lines))
                if one.entry == 0:
                    log.begun, log.before = _begun.decode(lines[0]).created_at, told.before
                    if is_running:
                        self._index.forget(log.begun - KEPT)
                if (fact := fold.take(one.entry, lines)) is not None:
                    log.unstored.append(fact)
        except _BAD:
            logger.exception("the rounds of log %s cannot be read further", told.log)
            self.unread.add(told.log)
        self._index.store(fold, log.unstored, is_running=is_running)
        log.unstored.clear()  # not before: where the disk is full they are stored later
        if told.log in self.unread:
            log.fold = None

    def _log_of(self, name: str) -> _Log:
        return self._logs.setdefault(name, _Log(fold=IndexedLog(name)))

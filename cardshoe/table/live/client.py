"""A blocking client of a table's live socket."""

import itertools
import select
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar, cast, get_args

import msgspec

from cardshoe.journal import JournalMissing
from cardshoe.journal.reading.backups import copied
from cardshoe.screens.view import TableView
from cardshoe.table.live import messages as says
from cardshoe.table.live.equipment import EquipmentStatus
from cardshoe.table.live.messages import written
from cardshoe.table.live.place import NotLive, TablePlace, connected
from cardshoe.table.live.session import LiveError, LiveSession

PATIENCE_S: Final = 20.0
_RECEIVED: Final = 262_144


class _Numbered(msgspec.Struct):
    seq: int


_numbers: Final = msgspec.json.Decoder(_Numbered)
_views: Final = msgspec.json.Decoder(TableView)
Told = TypeVar("Told", says.SaidHistory, says.SaidProof)
Outcome = says.InputResult | says.RequestDeclined | says.ActOutcome | says.SessionBegun | says.Done | says.ProposalWaits
"""The outcome of a person's request."""


class LiveClient:
    """A connection to a running table, for a ``with`` block.

    Raises:
        NotLive: no table runs there.
        LiveError: another version, or access refused.
        OSError: it cannot be reached.
    """

    def __init__(self, place: TablePlace, timeout_s: float = PATIENCE_S) -> None:
        self._timeout_s: Final = timeout_s
        self._connection: Final = connected(place, timeout_s)
        self._session: Final = LiveSession()
        self._heard: Final[deque[says.Said]] = deque()
        self._early: Final[deque[says.LineMessage | says.NoteMessage]] = deque()
        self._numbers: Final = itertools.count(1)
        try:
            while (hello := self._session.greeting()) is None:
                self._receive()
        except BaseException:
            self.close()
            raise
        self.hello: Final = hello

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def fileno(self) -> int:
        """The descriptor for a selector, which does not see buffered bytes."""
        return self._connection.fileno()

    def snapshot(self) -> says.SnapshotMessage:
        """The table now.

        Raises:
            LiveError: no such answer.
        """
        self._say(says.AskSnapshot())
        return cast("says.SnapshotMessage", self._expect(says.SnapshotMessage))

    def subscribe(
        self, after: int | None = None, log: str | None = None, *, notes: bool = False
    ) -> says.SnapshotMessage | says.Resumed:
        """Subscribe to durable lines after ``after`` (``None``: with a snapshot); read by `lines`.

        Raises:
            LiveError: no such answer.
        """
        self._say(says.Subscribe(after=after, log=log, notes=notes))
        return cast("says.SnapshotMessage | says.Resumed", self._expect(says.SnapshotMessage, says.Resumed))

    def lines(self) -> Iterator[bytes]:
        """The subscribed lines until the table ends.

        Raises:
            LiveError: this client was cut off, or the table was killed.
        """
        while True:
            try:
                said = self._early.popleft() if self._early else self._next(None)
            except LiveError as error:
                if error.code != "bye":
                    raise
                return
            _check_log(said)
            if isinstance(said, says.LineMessage):
                yield bytes(said.line)

    def news(self, timeout_s: float) -> says.LineMessage | says.NoteMessage | None:
        """The next line or note within ``timeout_s``; ``None``: none in time.

        Raises:
            LiveError: as `lines`.
        """
        while True:
            said = self._early.popleft() if self._early else self._said_within(timeout_s)
            _check_log(said)
            if said is None or isinstance(said, says.LineMessage | says.NoteMessage):
                return said

    def say(self, line: bytes, name: str | None = None) -> Outcome:
        """Send a person's input and wait; after an error the outcome is unknown.

        Raises:
            ValueError: the line is not JSON.
            LiveError: no answer.
        """
        self._say(says.SubmitInput(id=name or str(next(self._numbers)), line=says.part_of(line)))
        return cast("Outcome", self._expect(says.InputResult, says.RequestDeclined))

    def act(self, act: says.SayAct) -> Outcome:
        """Send an act and wait for its outcome.

        Raises:
            LiveError: no answer.
        """
        self._say(act)
        return cast("Outcome", self._expect(says.ActOutcome, says.RequestDeclined))

    def ask(self, request: says.Personal) -> Outcome:
        """Send a message with one answer, and wait.

        Raises:
            LiveError: no answer.
        """
        self._say(request)
        return cast("Outcome", self._expect(*get_args(Outcome)))

    def history(self, log: str | None, first: int) -> says.SaidHistory:
        """Stored entries of a log; ``None``: the running one.

        Raises:
            LiveError: no answer.
        """
        return self._read(says.AskHistory(id=str(next(self._numbers)), log=log, first=first), says.SaidHistory)

    def proof(self, log: str, entries: tuple[int, int], round_no: int) -> says.SaidProof:
        """The proof of a round, by its first and last entry.

        Raises:
            LiveError: no answer.
        """
        first, last = entries
        name = str(next(self._numbers))
        return self._read(says.AskProof(id=name, log=log, first=first, last=last, round=round_no), says.SaidProof)

    def equipment(self) -> EquipmentStatus:
        """The state of the equipment.

        Raises:
            LiveError: it was not answered.
        """
        self._say(says.AskEquipment(id=str(next(self._numbers))))
        return cast("says.SaidEquipment", self._expect(says.SaidEquipment)).equipment

    def _read(self, request: says.Reading, kind: type[Told]) -> Told:
        self._say(request)
        return cast("Told", self._expect(kind))

    def _say(self, request: says.Request) -> None:
        try:
            self._connection.sendall(written(request))
        except OSError as error:
            raise LiveError("lost", "the table has gone") from error

    def _expect(self, *kinds: type[says.Said]) -> says.Said:
        while True:
            said = self._next()
            if isinstance(said, kinds):
                return said
            if isinstance(said, says.LineMessage | says.NoteMessage):
                self._early.append(said)

    def _said_within(self, timeout_s: float) -> says.Said | None:
        if not self._heard and not select.select([self._connection], [], [], timeout_s)[0]:
            return None
        return self._next()

    def _next(self, timeout_s: float | None = -1) -> says.Said:
        while not self._heard:
            self._heard.extend(self._session.heard())
            if not self._heard:
                self._receive(timeout_s)
        return self._heard.popleft()

    def _receive(self, timeout_s: float | None = -1) -> None:
        self._connection.settimeout(self._timeout_s if timeout_s == -1 else timeout_s)
        try:
            data: bytes | None = self._connection.recv(_RECEIVED)
        except TimeoutError:
            data = None
        except OSError as error:
            raise LiveError("lost", "the table has gone") from error
        self._session.receive(data)


def _check_log(said: says.Said | None) -> None:
    if isinstance(said, says.SnapshotMessage):
        raise LiveError("other_log", "the table has begun another log")


def view_of(said: says.SnapshotMessage | says.ViewMessage) -> TableView:
    return _views.decode(said.view)


def number_of(line: bytes) -> int:
    return _numbers.decode(line).seq


def follow(place: TablePlace, after: int = 0, log: str | None = None) -> Iterator[bytes]:
    """Durable lines of a table's newest log after ``after``, until the table ends.

    Lines not kept come from the journal; without a table, all.

    Raises:
        NotLive: neither table nor journal.
        LiveError: refused, of another version, or another log began.
        JournalError: the journal cannot be read.
    """
    while True:
        try:
            with LiveClient(place) as client:
                hello = client.hello
                log = _meant(place, log, hello.log)
                if isinstance(client.subscribe(after, log), says.Resumed):
                    for line in client.lines():
                        after = number_of(line)
                        yield line
                    return
        except NotLive:
            yield from _stored(place, after, log)
            return
        except LiveError as error:
            # One that is stopped while it is asked says "bye": what it wrote last is in the journal.
            if error.code not in ("bye", "slow", "lost"):
                raise
            continue
        for line in _stored(place, after, log, hello.seq):
            after = number_of(line)
            yield line


def _meant(where: TablePlace | Path, log: str | None, found: str) -> str:
    if log not in (None, found):
        raise LiveError("other_log", f"{where}: the table has begun another log")
    return found


def _stored(place: TablePlace, after: int, log: str | None, last: int | None = None) -> Iterator[bytes]:
    path = place.newest_journal
    if path is None:
        raise NotLive(f"{place.folder}: there is neither a table nor a journal here")
    try:
        with copied(path) as evidence:
            _meant(path, log, evidence.header.fingerprint)
            for entry in evidence.entries(evidence.entry_of(after + 1)):
                for line in entry.lines:
                    if last is not None and number_of(line) > last:
                        return
                    if number_of(line) > after:
                        yield line
    except JournalMissing as error:
        raise NotLive(f"{path}: the journal was moved away just now") from error

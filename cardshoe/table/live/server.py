"""The server of a table's live socket, in a thread of its own."""

import errno
import itertools
import logging
import os
import selectors
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple, Self

from msgspec import UNSET, Raw

from cardshoe.screens.view.encoding import EncodedView
from cardshoe.table.live import messages as says
from cardshoe.table.live.answers import Outcome, answered
from cardshoe.table.live.client import number_of
from cardshoe.table.live.connection import Connection
from cardshoe.table.live.equipment import EquipmentStatus
from cardshoe.table.live.line_buffer import KeptLines
from cardshoe.table.live.messages import VERSION, written
from cardshoe.table.live.place import Door, TablePlace
from cardshoe.table.live.request_handler import Reception, Table
from cardshoe.table.live.stored import StoredLogs
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.staff_service import Persons
from regulations.events.inputs import Table as Profile

CLIENTS: Final = 16
RECENT: Final = 4_096
BACKLOG: Final = 64
DEAF_S: Final = 1.0
END_S: Final = 1.0
NO_DESCRIPTORS: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_CREDENTIALS: Final = struct.Struct("3i")

logger: Final = logging.getLogger(__name__)


class Shared(NamedTuple):
    """A socket for other accounts.

    Attributes:
        folder: its group may connect.
        accounts: True: may enter inputs; False: only read.
    """

    folder: Path
    accounts: Mapping[int, bool]


class _Durable(NamedTuple):
    taken: Sequence[LoggedInput]
    view: EncodedView | None


class _Begun(NamedTuple):
    log: str
    opening: LoggedInput
    view: EncodedView | None


class _Answered(NamedTuple):
    client: Connection
    request: says.Personal | says.Reading
    came: Outcome


class LiveServer:
    """Serves one table.

    A viewer of the controller. Encoding and sending run in a thread of its own, so a slow client never delays the
    table.

    Args:
        recent: inputs that were taken last, in a row up to where the table stands; without any: the log's last.
        persons: permissions; ``None``: each client has those of a person.
        shared: which other accounts may connect, and where; ``None``: the table's own and root.
        equipment: answers with the state of the equipment, soon.
    """

    def __init__(
        self,
        place: TablePlace,
        log: OpenLog,
        table: Table,
        *,
        recent: Iterable[LoggedInput] = (),
        clients: int = CLIENTS,
        persons: Persons | None = None,
        shared: Shared | None = None,
        equipment: Callable[[], EquipmentStatus] = EquipmentStatus,
    ) -> None:
        self._place: Final = place
        self._shared: Final = shared
        self._of: Final = log
        self._log = log.journal.header.fingerprint
        self._table_id: Final = log.journal.header.table_id
        self._entry = log.journal.last
        self._view: EncodedView | None = log.view
        self._shown = self._view
        self._is_closed = log.last.prompt.do == "nothing"
        self._reception: Final = Reception(table, persons)
        self._stored: Final = StoredLogs(log, table)
        self._equipment: Final = equipment
        self._numbers: Final = itertools.count(1)
        self._build: Final = f"cardshoe {version('cardshoe')}"
        self._limit: Final = clients
        last = log.last.prompt.seq
        seq = 0 if last is UNSET else last
        lines = [line for taken in [*recent] or [log.last] for line in taken.lines]
        if number_of(lines[-1]) != seq:
            lines = []
        self._kept = KeptLines(seq - len(lines))
        self._kept.add(lines)
        self._news: Final[deque[_Durable | _Begun | _Answered | bytes]] = deque()
        self._wake: Final = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._is_asleep = False
        self._subscribers = 0
        self._clients: Final[list[Connection]] = []
        self._selector: Final = selectors.DefaultSelector()
        self._door: Door | None = None
        self._deaf_until_s: float | None = None
        self._is_over = self._is_stopping = False
        self._thread: Final = threading.Thread(target=self._run, name="live", daemon=True)

    def __enter__(self) -> Self:
        """Without a socket the table still runs."""
        try:
            self._door = Door(self._place, None if self._shared is None else self._shared.folder)
        except BlockingIOError:
            logger.warning("%s: another process serves this table's socket; this one has none.", self._place)
        except OSError as error:
            logger.warning("%s: %s. Nothing can look at this table while it runs.", self._place, error.strerror)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_stopping = True
        self._rouse()
        self._thread.join(2 * END_S)

    def __call__(self, taken: Sequence[LoggedInput], view: EncodedView | None) -> None:
        if self._is_over:
            return
        if isinstance(taken[0].event, Profile):
            self._news.append(_Begun(self._of.journal.header.fingerprint, taken[0], view))
        else:
            self._news.append(_Durable(taken, view))
        if self._is_asleep and (self._subscribers or len(self._news) >= BACKLOG):
            self._rouse()

    def noted(self, note: bytes) -> None:
        """Queue a signed note in the table's thread; returns at once."""
        if self._is_over:
            return
        self._news.append(note)
        if self._is_asleep and self._subscribers:
            self._rouse()

    def _rouse(self) -> None:
        self._is_asleep = False
        # Its number stays this process's own: another file of that number would be written to.
        os.eventfd_write(self._wake, 1)

    # --- the thread --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._serve()
        except Exception:
            # Nobody but those who look on may suffer from a defect here.
            logger.exception("%s: the table's socket has ended; the table keeps running", self._place)
        finally:
            self._is_over = True
            if self._door is not None:
                self._door.close()
            for client in self._clients:
                client.sock.close()
            self._selector.close()
            self._news.clear()

    def _serve(self) -> None:
        self._selector.register(self._wake, selectors.EVENT_READ)
        if self._door is not None:
            self._selector.register(self._door.listening, selectors.EVENT_READ, self._door)
        while not self._is_stopping:
            self._is_asleep = True
            wait_s = 0.0 if self._has_work() else self._until_s()
            for key, events in self._selector.select(wait_s):
                if isinstance(key.data, Connection):
                    self._go_on(key.data, events)
                elif key.data is not None:
                    self._accept()
                else:
                    os.eventfd_read(self._wake)
            self._is_asleep = False
            self._turn()
        self._say_bye()

    def _has_work(self) -> bool:
        return bool(self._news) and bool(self._subscribers or len(self._news) >= BACKLOG)

    def _until_s(self) -> float | None:
        waits = [max(0.0, client.left_s) for client in self._clients if client.is_ending]
        if self._deaf_until_s is not None:
            waits.append(max(0.0, self._deaf_until_s - time.monotonic()))
        return min(waits, default=None)

    def _turn(self) -> None:
        self._take_news()
        if self._door is not None and self._deaf_until_s is not None and self._deaf_until_s <= time.monotonic():
            self._deaf_until_s = None
            self._selector.register(self._door.listening, selectors.EVENT_READ, self._door)
        for client in list(self._clients):
            self._attend(client)

    def _attend(self, client: Connection) -> None:
        try:
            while (line := client.next_line()) is not None:
                self._hear(client, line)
            client.send()
        except OSError:
            self._drop(client)
            return
        except Exception:
            # Nobody but who said it may suffer from a defect here.
            logger.exception("%s: a client's message could not be read; it is cut off", self._place)
            self._drop(client)
            return
        if client.is_over:
            self._drop(client)
            return
        events = selectors.EVENT_WRITE if client.has_waiting else 0
        if client.is_read:
            events |= selectors.EVENT_READ
        self._wait_for(client, events)

    def _wait_for(self, client: Connection, events: int) -> None:
        if events == client.events:
            return
        if not client.events:
            self._selector.register(client.sock, events, client)
        elif not events:
            self._selector.unregister(client.sock)
        else:
            self._selector.modify(client.sock, events, client)
        client.events = events

    def _go_on(self, client: Connection, events: int) -> None:
        if not events & selectors.EVENT_READ or not client.is_read:
            return
        try:
            client.receive()
        except BlockingIOError:
            return
        except OSError:
            self._drop(client)

    def _drop(self, client: Connection) -> None:
        if client in self._clients:
            self._clients.remove(client)
            self._reception.left(client.number)
            self._wait_for(client, 0)
            client.sock.close()
            self._count()

    def _count(self) -> None:
        self._subscribers = sum(client.is_subscribed for client in self._clients)

    # --- who comes ---------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        if self._door is None:
            return
        try:
            accepted, _ = self._door.listening.accept()
        except OSError as error:
            if error.errno in NO_DESCRIPTORS:
                self._selector.unregister(self._door.listening)
                self._deaf_until_s = time.monotonic() + DEAF_S
            return  # else it has gone again
        accepted.settimeout(0)
        may_say = self._may_say(_account_of(accepted))
        client = Connection(accepted, next(self._numbers), may_say=bool(may_say))
        self._clients.append(client)
        self._reception.came(client.number)
        if may_say is None:
            client.cut_off("not_yours", "only the accounts of the table, and root, may connect")
        elif not self._has_room(client):
            client.cut_off("full", f"{self._limit} clients are connected; end one of them")
        else:
            self._take_news()
            client.tell(written(self._hello()))

    def _may_say(self, account: int) -> bool | None:
        if account in (0, os.geteuid()):
            return True
        return None if self._shared is None else self._shared.accounts.get(account)

    def _has_room(self, newcomer: Connection) -> bool:
        """True if a client fits; else the idlest unsubscribed one is closed."""
        staying = [one for one in self._clients if not one.is_ending]
        if len(staying) <= self._limit:
            return True
        idle = [one for one in staying if not (one.is_subscribed or one.awaits or one is newcomer)]
        if not idle:
            return False
        idlest = min(idle, key=lambda one: one.heard_s)
        idlest.cut_off("idle", "others wanted to connect, and this client asked for nothing")
        return True

    def _hello(self) -> says.Hello:
        return says.Hello(
            live=VERSION,
            build=self._build,
            table=self._table_id,
            log=self._log,
            seq=self._kept.last,
            entry=self._entry,
            persons=self._reception.has_persons,
        )

    # --- what they say -----------------------------------------------------------------------------------------------

    def _hear(self, client: Connection, line: bytes) -> None:
        try:
            request = says.read_request(line)
        except ValueError as error:
            client.tell(written(says.Error(code="malformed", reason=str(error))))
            return
        if request.live != VERSION:
            client.cut_off("version", f"this program speaks version {VERSION}")
            return
        match request:
            case says.AskSnapshot():
                self._tell_snapshot(client, "asked")
            case says.Subscribe():
                self._subscribe(client, request)
            case says.AskHistory() | says.AskProof():
                client.awaits.append(request)
                self._stored.take(request, self._log, lambda came: self._answer(_Answered(client, request, came)))
            case _ if not client.may_say:
                client.cut_off("not_yours", "this account may look on, and say nothing")
            case says.AskEquipment():
                client.tell(written(says.SaidEquipment(id=request.id, equipment=self._equipment())))
            case _:
                self._ask(client, request)

    def _subscribe(self, client: Connection, request: says.Subscribe) -> None:
        if client.is_subscribed:
            client.tell(written(says.Error(code="subscribed", reason="this client gets every line already")))
            return
        if request.view and self._view is None:
            _cut_off_without_view(client)
            return
        because: says.Because | None = None
        if request.after is None:
            because = "asked"
        elif request.log not in (None, self._log):
            because = "other_log"
        elif request.after > self._kept.last:
            because = "ahead"
        elif not self._kept.has_after(request.after):
            because = "not_kept"
        if because is not None:
            self._tell_snapshot(client, because)
        else:
            client.tell(written(says.Resumed(log=self._log, seq=request.after or 0)))
            for message in self._kept.after(request.after or 0):
                client.tell(message)
            if request.view and self._view is not None:
                # Whole: what it has of it does not count.
                client.tell(written(says.ViewMessage(seq=self._view.seq, view=Raw(self._view.whole))))
        client.is_subscribed = not client.is_ending
        client.wants_notes, client.wants_view = request.notes, request.view
        self._count()

    def _tell_snapshot(self, client: Connection, because: says.Because) -> None:
        if (view := self._view) is None:
            _cut_off_without_view(client)
            return
        client.tell(written(says.SnapshotMessage(log=self._log, seq=view.seq, because=because, view=Raw(view.whole))))

    def _ask(self, client: Connection, request: says.Personal) -> None:
        client.awaits.append(request)
        self._reception.take(client.number, request, lambda came: self._answer(_Answered(client, request, came)))

    def _answer(self, answer: _Answered) -> None:
        if not self._is_over:
            self._news.append(answer)
            self._rouse()

    # --- what they are told ------------------------------------------------------------------------------------------

    def _take_news(self) -> None:
        while self._news:
            news = self._news.popleft()
            match news:
                case _Answered(client, request, came):
                    client.awaits.remove(request)
                    client.tell(answered(request.id, came))
                case _Begun():
                    self._begin(news)
                case _Durable(taken, view):
                    self._pass_on(self._kept.add(line for one in taken for line in one.lines), is_note=False)
                    self._entry += len(taken)
                    self._view, self._is_closed = view, taken[-1].prompt.do == "nothing"
                case note:
                    self._pass_on(written(says.NoteMessage(note=note.decode())), is_note=True)
        self._show_newest()

    def _begin(self, begun: _Begun) -> None:
        self._show_newest()
        self._log, self._entry, self._is_closed = begun.log, 1, False
        self._kept = KeptLines(0)
        self._kept.add(begun.opening.lines)
        self._view = self._shown = begun.view
        for client in self._clients:
            if client.is_subscribed:
                self._tell_snapshot(client, "other_log")

    def _show_newest(self) -> None:
        if self._view is not self._shown:
            self._show(self._shown, self._view)
            self._shown = self._view

    def _show(self, before: EncodedView | None, view: EncodedView | None) -> None:
        viewers = [client for client in self._clients if client.is_subscribed and client.wants_view]
        if view is None:
            for client in viewers:
                _cut_off_without_view(client)
        elif viewers and before is not None:
            message = written(says.ChangeMessage(change=Raw(view.changes(before))))
            for client in viewers:
                client.tell(message)

    def _pass_on(self, message: bytes, *, is_note: bool) -> None:
        for client in self._clients:
            if client.is_subscribed and (client.wants_notes or not is_note):
                client.tell(message)

    def _say_bye(self) -> None:
        self._take_news()
        # Nobody is let in any more; what woke the thread would wake it again and again.
        self._selector.unregister(self._wake)
        if self._door is not None and self._deaf_until_s is None:
            self._selector.unregister(self._door.listening)
        bye = written(says.Bye(seq=self._kept.last, reason="closed" if self._is_closed else "stopped"))
        for client in self._clients:
            client.tell(bye)
            client.awaits.clear()
            client.end()
        ends_s = time.monotonic() + END_S
        while self._clients and (left_s := ends_s - time.monotonic()) > 0:
            for client in list(self._clients):
                self._attend(client)
            if self._clients:
                self._selector.select(left_s)


def _cut_off_without_view(client: Connection) -> None:
    client.cut_off("no_view", "a defect has ended this table's view; it has one again once it is started again")


def _account_of(accepted: socket.socket) -> int:
    data = accepted.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    user: int = _CREDENTIALS.unpack(data)[1]
    return user

"""Sockets on which scripts and persons command a simulated device.

One thread serves all connections and closes those that do not read.
"""

import collections
import contextlib
import errno
import os
import selectors
import socket
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from sim.control_dispatcher import ControlDispatcher
from sim.control_lines import CommandReply
from sim.control_words import (
    BadRequest,
    ControlRequest,
    LineSplitter,
    Overlong,
    encode,
    encode_event,
    parse,
    refused,
    refused_overlong,
)
from sim.watch import KINDS, Event

CONNECTIONS_MAX: Final = 64
UNREAD_MAX_BYTES: Final = 1 << 20
"""Bytes that wait for one connection: minutes of a shoe's events."""
ANSWERS_MAX_BYTES: Final = 1 << 16
"""With more, a connection's requests are not read."""
TURN_LINES: Final = 32
_READ_BYTES: Final = 65536
_BACKLOG: Final = 128
_STOP_TIMEOUT_S: Final = 10.0
_WATCHED: Final = frozenset(KINDS) - {"bytes"}


def listen_on_tcp(host: str, port: int) -> socket.socket:
    return socket.create_server((host, port), backlog=_BACKLOG)


def listen_on_unix(path: Path) -> socket.socket:
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(path)) != errno.ECONNREFUSED:
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        path.unlink()
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(str(path))
        path.chmod(0o600)  # before it listens: until then nobody can connect
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


class _ControlConnection:
    def __init__(self, end: socket.socket) -> None:
        self.end: Final = end
        self.lines: Final = LineSplitter()
        self.waiting: Final[collections.deque[bytes | Overlong]] = collections.deque()
        self.unread = bytearray()
        self.watched: Collection[object] = frozenset()
        self.says_no_more = False
        self.selected = 0

    @property
    def can_go_on(self) -> bool:
        return bool(self.waiting) and len(self.unread) < ANSWERS_MAX_BYTES


class ControlChannel:
    """From ``__enter__`` to ``__exit__``, which closes the socket."""

    def __init__(self, listener: socket.socket, desk: ControlDispatcher) -> None:
        self._listener: Final = listener
        self._desk: Final = desk
        self._events: Final[collections.deque[Event]] = collections.deque()
        self._selector: Final = selectors.DefaultSelector()
        self._connections: Final[set[_ControlConnection]] = set()
        self._listens = False
        self._stopping = False
        self._wake_read, self._wake_write = os.pipe()
        self._thread: Final = threading.Thread(target=self._run, name="control-channel", daemon=True)

    @property
    def address(self) -> str:
        """``HOST:PORT``, or ``unix:PATH``."""
        name = self._listener.getsockname()
        return f"unix:{name}" if isinstance(name, str) else f"{name[0]}:{name[1]}"

    def __enter__(self) -> Self:
        for descriptor in (self._wake_read, self._wake_write):
            os.set_blocking(descriptor, False)
        self._listener.setblocking(False)  # noqa: FBT003  # the standard library's own signature
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping = True
        self._wake()
        self._thread.join(_STOP_TIMEOUT_S)
        self._desk.listen(None)  # nobody wakes it any more
        name = self._listener.getsockname()
        self._listener.close()
        if isinstance(name, str):
            Path(name).unlink(missing_ok=True)
        self._selector.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    # --- the station's thread ---------------------------------------------------------------------------------------

    def _on_events(self, events: Sequence[Event]) -> None:
        self._events.extend(events)
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # full of wake-ups: it will wake
            os.write(self._wake_write, b"!")

    # --- its own thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._stopping:
                at_once = any(connection.can_go_on for connection in self._connections)
                for key, mask in self._selector.select(0 if at_once else None):
                    if key.fileobj is self._listener:
                        self._accept()
                    elif key.data is None:
                        os.read(self._wake_read, _READ_BYTES)
                    elif mask & selectors.EVENT_READ:
                        self._read(key.data)
                self._publish_events()
                for connection in list(self._connections):
                    self._serve(connection)
                    self._write(connection)
        finally:
            for connection in list(self._connections):
                self._write(connection)
                self._close(connection)

    def _accept(self) -> None:
        try:
            end, _peer = self._listener.accept()
        except OSError:
            return  # it went before it was let in
        if len(self._connections) >= CONNECTIONS_MAX:
            end.close()
            return
        end.setblocking(False)  # noqa: FBT003  # the standard library's own signature
        if end.family == socket.AF_INET:
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = _ControlConnection(end)
        self._connections.add(connection)
        self._select(connection, selectors.EVENT_READ)

    def _read(self, connection: _ControlConnection) -> None:
        try:
            data = connection.end.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            self._close(connection)
            return
        if not data:
            connection.says_no_more = True
            return
        connection.waiting.extend(connection.lines.feed(data))

    def _serve(self, connection: _ControlConnection) -> None:
        for _ in range(TURN_LINES):
            if not connection.can_go_on:
                return
            self._execute_line(connection, connection.waiting.popleft())

    def _execute_line(self, connection: _ControlConnection, line: bytes | Overlong) -> None:
        if isinstance(line, Overlong):
            connection.unread += refused_overlong(line)
            return
        try:
            request = parse(line)
        except BadRequest as bad:
            connection.unread += refused(bad)
            return
        if request is None:
            return
        answer = self._execute(connection, request)
        # What it brought about comes before the answer: who has the answer has seen it.
        self._publish_events()
        connection.unread += encode(request, answer)

    def _execute(self, connection: _ControlConnection, request: ControlRequest) -> CommandReply:
        if request.name == "watch":
            return self._watch(connection, request.arguments)
        if request.name == "unwatch":
            connection.watched = frozenset()
            self._listen_as_needed()
            return CommandReply(ok=True, text="told no more events")
        return self._desk.execute(request)

    def _watch(self, connection: _ControlConnection, kinds: Sequence[str]) -> CommandReply:
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            return CommandReply(
                ok=False, text=f"watch: {unknown[0]!r} is no kind of event", usage=f"watch [{'|'.join(KINDS)}]..."
            )
        connection.watched = frozenset(kinds) or _WATCHED
        self._listen_as_needed()
        told = [kind for kind in KINDS if kind in connection.watched]
        return CommandReply(ok=True, text=f"told from now on: {', '.join(told)}", data={"events": told})

    def _listen_as_needed(self) -> None:
        wanted = any(connection.watched for connection in self._connections)
        if wanted != self._listens:
            self._listens = wanted
            self._desk.listen(self._on_events if wanted else None)

    def _publish_events(self) -> None:
        while self._events:
            event = self._events.popleft()
            line = encode_event(event)
            for connection in self._connections:
                if event["event"] in connection.watched:
                    connection.unread += line

    def _write(self, connection: _ControlConnection) -> None:
        if connection.unread:
            try:
                sent = connection.end.send(connection.unread)
            except BlockingIOError:
                sent = 0
            except OSError:
                self._close(connection)
                return
            del connection.unread[:sent]
        if len(connection.unread) > UNREAD_MAX_BYTES or (
            connection.says_no_more and not connection.waiting and not connection.unread
        ):
            self._close(connection)
            return
        wanted = 0 if connection.says_no_more or connection.waiting else selectors.EVENT_READ
        if connection.unread:
            wanted |= selectors.EVENT_WRITE
        self._select(connection, wanted)

    def _select(self, connection: _ControlConnection, wanted: int) -> None:
        if wanted == connection.selected:
            return
        if not wanted:
            self._selector.unregister(connection.end)
        elif connection.selected:
            self._selector.modify(connection.end, wanted, connection)
        else:
            self._selector.register(connection.end, wanted, connection)
        connection.selected = wanted

    def _close(self, connection: _ControlConnection) -> None:
        if connection not in self._connections:
            return
        self._connections.discard(connection)
        self._select(connection, 0)
        connection.end.close()
        if connection.watched and not self._stopping:
            self._listen_as_needed()

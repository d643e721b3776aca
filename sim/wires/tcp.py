"""A line over TCP, as behind a serial-to-TCP converter in raw mode."""

import contextlib
import socket
from collections.abc import Callable, Sequence
from typing import Final

from sim.wires.wire import WRITE_LIMIT, CountingWire

LOCALHOST: Final = "127.0.0.1"


class TcpWire(CountingWire):
    """Listen for one host; a new connection replaces the old one.

    Raises:
        OSError: the address cannot be used.
    """

    def __init__(self, host: str = LOCALHOST, port: int = 0) -> None:
        super().__init__()
        self._host_came: Callable[[], None] = _has_no_waiter
        self._connection: socket.socket | None = None
        self._server: socket.socket | None = None
        self.address: tuple[str, int] = (host, port)
        """The port stays the same across a re-plug."""
        self.replug()

    @property
    def is_plugged(self) -> bool:
        return self._server is not None

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    def on_host(self, came: Callable[[], None]) -> None:
        """Call ``came`` on a connection, before its bytes are read."""
        self._host_came = came

    def send(self, data: bytes) -> None:
        sent = 0
        if self._connection is not None:
            try:
                sent = self._connection.send(data)
            except BlockingIOError:
                sent = 0
            except OSError:
                self._hang_up()
        self._lost += len(data) - sent

    def unplug(self) -> None:
        self._hang_up()
        if self._server is not None:
            self._server.close()
            self._server = None

    def replug(self) -> None:
        if self._server is not None:
            return
        server = socket.create_server(self.address)
        server.setblocking(False)  # noqa: FBT003  # the standard library's own signature
        self.address = (self.address[0], server.getsockname()[1])
        self._server = server

    def fds(self) -> Sequence[int]:
        return [end.fileno() for end in (self._server, self._connection) if end is not None]

    def pump(self) -> None:
        if self._server is not None:
            with contextlib.suppress(BlockingIOError):
                connection, _peer = self._server.accept()
                self._hang_up()
                connection.setblocking(False)  # noqa: FBT003  # the standard library's own signature
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._connection = connection
                self._host_came()
        if self._connection is not None:
            self._read(self._connection)

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Never needed: ``fds`` show everything."""

    def close(self) -> None:
        self.unplug()

    def _read(self, connection: socket.socket) -> None:
        try:
            data = connection.recv(WRITE_LIMIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._sink(data)
        else:
            self._hang_up()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _has_no_waiter() -> None:
    """Any address may connect."""

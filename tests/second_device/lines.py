"""Lines, section 2, that this program can offer: TCP, and a pseudo terminal in place of RS-232."""

import contextlib
import os
import socket
import tty
from pathlib import Path
from typing import Final, Protocol

READ_BYTES: Final = 4096


class Line(Protocol):
    """A line that can be plugged in and out."""

    @property
    def name(self) -> str: ...
    @property
    def address(self) -> str: ...
    @property
    def dies_with_power(self) -> bool: ...
    def plug(self) -> None: ...
    def unplug(self) -> None: ...
    def sources(self) -> list[int]:
        """The descriptors to wait for until they can be read."""

    def sinks(self) -> list[int]:
        """The descriptors to wait for until they can be written."""

    def read(self, source: int) -> bytes | None:
        """Return the bytes that came; None: the line was lost."""

    def write(self, data: bytes) -> None:
        """Send; with no bytes, what is left over from before."""


class TcpLine:
    """A listener for one connection; a newer one replaces it, for a host that was cut off comes back by a new one.

    Args:
        port: 0 for any; kept from then on.
    """

    name = "tcp"
    dies_with_power = True

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None
        self._waiting = bytearray()

    @property
    def address(self) -> str:
        return f"{self._host}:{self._port}"

    def plug(self) -> None:
        self._listener = socket.create_server((self._host, self._port), backlog=1)
        self._listener.settimeout(0)
        self._port = self._listener.getsockname()[1]

    def unplug(self) -> None:
        self._hang_up()
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def sources(self) -> list[int]:
        return [each.fileno() for each in (self._listener, self._connection) if each is not None]

    def sinks(self) -> list[int]:
        return [self._connection.fileno()] if self._connection is not None and self._waiting else []

    def read(self, source: int) -> bytes | None:
        if self._listener is not None and source == self._listener.fileno():
            had_one = self._connection is not None
            self._hang_up()
            with contextlib.suppress(OSError):  # gone again before it was accepted
                self._connection, _ = self._listener.accept()
                self._connection.settimeout(0)
                self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return None if had_one else b""
        if self._connection is None or source != self._connection.fileno():
            return b""
        try:
            data = self._connection.recv(READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
            return None
        return data

    def write(self, data: bytes) -> None:
        if self._connection is None:
            return
        self._waiting += data
        with contextlib.suppress(OSError):  # that it is gone, the next read says
            sent = self._connection.send(self._waiting)
            del self._waiting[:sent]

    def _hang_up(self) -> None:
        self._waiting.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class PtyLine:
    """A pseudo terminal behind a name of our own."""

    name = "pty"
    dies_with_power = False  # the wire stays where it is; only nobody listens

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ends: tuple[int, int] | None = None

    @property
    def address(self) -> str:
        return str(self._path)

    def plug(self) -> None:
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self._ends = (ours, theirs)  # theirs stays open: else a host that closes it would look like a line lost
        if self._path.is_symlink():
            self._path.unlink()
        self._path.symlink_to(os.ttyname(theirs))

    def unplug(self) -> None:
        if self._ends is not None:
            self._path.unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def sources(self) -> list[int]:
        return [] if self._ends is None else [self._ends[0]]

    def sinks(self) -> list[int]:
        return []

    def read(self, source: int) -> bytes | None:
        try:
            return os.read(source, READ_BYTES)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        if self._ends is not None and data:
            with contextlib.suppress(BlockingIOError):  # no flow control: what has no room is lost
                os.write(self._ends[0], data)

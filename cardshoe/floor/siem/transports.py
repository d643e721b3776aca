"""Message transports: TCP, TLS, file, local socket.

Syslog counts octets (RFC 6587, section 3.4.1; RFC 5425, section 4.3). Only the peer's end of a connection
is a receipt.
"""

import os
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Protocol

from cardshoe.floor.addresses import host_and_port
from cardshoe.floor.siem.section import SiemSection

STEP_S: Final = 10.0
TAIL_BYTES: Final = 64 * 1024


class Shut(Exception):
    """The messages were not sent, or the outcome is unknown: send again."""


class Outlet(Protocol):
    def send(self, messages: Sequence[bytes]) -> None:
        """Send messages.

        Raises:
            Shut: not sent, or the outcome is unknown.
        """


class StreamOutlet:
    """A receiver over TCP or TLS, a connection per batch."""

    def __init__(self, section: SiemSection) -> None:
        self._host, self._port = host_and_port(section.place)
        self._tls: Final = None if section.tls is None else section.tls.client()
        self._counts: Final = section.format == "syslog"

    def send(self, messages: Sequence[bytes]) -> None:
        """Send, and wait until the peer has read to the end."""
        framed = [b"%d %s" % (len(one), one) if self._counts else one + b"\n" for one in messages]
        try:
            with closing(self._connected()) as connection:
                connection.sendall(b"".join(framed))
                _end(connection)
        except OSError as error:
            reason = error.strerror or str(error) or type(error).__name__
            raise Shut(f"{self._host}:{self._port}: {reason}") from error

    def _connected(self) -> socket.socket:
        plain = socket.create_connection((self._host, self._port), timeout=STEP_S)
        if self._tls is None:
            return plain
        try:
            return self._tls.wrap_socket(plain, server_hostname=self._host)
        except BaseException:
            plain.close()
            raise


class FileOutlet:
    """A file with a message per line; it may be moved away at any time."""

    def __init__(self, path: Path) -> None:
        self._path: Final = path

    def send(self, messages: Sequence[bytes]) -> None:
        """Append, and sync the file."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)
            with os.fdopen(descriptor, "r+b", buffering=0) as file:
                end = _whole(file.fileno())
                os.ftruncate(file.fileno(), end)
                data = b"".join(one + b"\n" for one in messages)
                if os.write(file.fileno(), data) != len(data):
                    os.ftruncate(file.fileno(), end)
                    raise Shut(f"{self._path}: there is no room")
                os.fsync(file.fileno())
        except OSError as error:
            raise Shut(f"{self._path}: {error.strerror or error}") from error


class LocalOutlet:
    def __init__(self, path: Path) -> None:
        self._path: Final = path

    def send(self, messages: Sequence[bytes]) -> None:
        """Send datagrams; wait while the queue is full."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as local:
                local.settimeout(STEP_S)
                local.connect(str(self._path))
                for one in messages:
                    local.send(one)
        except OSError as error:
            raise Shut(f"{self._path}: {error.strerror or error}") from error


def outlet_of(section: SiemSection) -> Outlet:
    if section.way == "file":
        return FileOutlet(Path(section.place))
    if section.way == "unix":
        return LocalOutlet(Path(section.place))
    return StreamOutlet(section)


def _end(connection: socket.socket) -> None:
    try:
        if isinstance(connection, ssl.SSLSocket):
            connection.unwrap().close()
            return
        connection.shutdown(socket.SHUT_WR)
        until_s = time.monotonic() + STEP_S
        while connection.recv(4096):
            if time.monotonic() > until_s:  # a receiver that talks without an end would never be told anything more
                raise TimeoutError("it does not end the connection")
    except ssl.SSLEOFError:
        return  # it ended without the word of TLS for it, and had read everything: else there were a reset


def _whole(file: int) -> int:
    size = os.fstat(file).st_size
    first = max(0, size - TAIL_BYTES)
    tail = os.pread(file, size - first, first)
    return size if not tail else first + tail.rfind(b"\n") + 1

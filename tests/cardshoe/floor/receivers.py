"""Receivers of a SIEM for tests: they read frames and messages by the grammar of the RFCs, and refuse what is none."""

import contextlib
import re
import socket
import ssl
import threading
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import msgspec

from cardshoe.process.http.tls import TlsFiles

_PATIENCE_S: Final = 30.0
_SD_NAME: Final = r"[!#-<>-\\^-~]{1,32}"
_HEADER: Final = re.compile(
    r"<(?P<pri>0|[1-9][0-9]{0,2})>1 "
    r"(?P<at>-|[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})) "
    r"(?P<host>[!-~]{1,255}) (?P<app>[!-~]{1,48}) (?P<process>[!-~]{1,128}) (?P<kind>[!-~]{1,32}) "
)
_ELEMENT: Final = re.compile(rf"\[(?P<id>{_SD_NAME})(?P<values>( {_SD_NAME}=\"([^\"\\\]]|\\.)*\")*)\]", re.DOTALL)
_VALUE: Final = re.compile(rf" (?P<name>{_SD_NAME})=\"(?P<value>([^\"\\\]]|\\.)*)\"", re.DOTALL)


class Message(NamedTuple):
    """A message of RFC 5424, taken apart."""

    facility: int
    severity: int
    at: str
    host: str
    app: str
    kind: str
    element: str
    values: dict[str, str]
    said: Any

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Read a message (RFC 5424, section 6)."""
        text = data.decode()
        header = _HEADER.match(text)
        assert header is not None, text
        element = _ELEMENT.match(text, header.end())
        assert element is not None, text
        assert text[element.end()] == " ", text
        values = {
            one["name"]: re.sub(r"\\([\"\\\]])", r"\1", one["value"]) for one in _VALUE.finditer(element["values"])
        }
        facility, severity = divmod(int(header["pri"]), 8)
        said = msgspec.json.decode(text[element.end() + 1 :])
        return cls(
            facility, severity, header["at"], header["host"], header["app"], header["kind"], element["id"], values, said
        )


def unframed(data: bytes) -> list[bytes]:
    """The messages of a stream whose octets are counted (RFC 6587, section 3.4.1)."""
    found = []
    while data:
        count, _, rest = data.partition(b" ")
        assert re.fullmatch(rb"[1-9][0-9]*", count), data[:40]
        assert len(rest) >= int(count), "the last message is cut off"
        found.append(rest[: int(count)])
        data = rest[int(count) :]
    return found


class Receiver:
    """Listens on TCP or TLS, and keeps what came by each connection.

    Args:
        tls: of the receiver; ``None``: plain TCP.
        deaf: connections, at first, that it ends without reading what came.
    """

    def __init__(self, tls: TlsFiles | None = None, deaf: int = 0) -> None:
        self._context: Final = None if tls is None else tls.server()
        self._deaf = deaf
        self._listening: Final = socket.create_server(("127.0.0.1", 0))
        self.address: Final = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self.came: Final[list[bytes]] = []
        self._thread: Final = threading.Thread(target=self._serve)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(_PATIENCE_S)

    @property
    def messages(self) -> list[bytes]:
        """All messages of syslog that came."""
        return [one for data in list(self.came) for one in unframed(data)]

    def _serve(self) -> None:
        while True:
            try:
                plain, _ = self._listening.accept()
            except OSError:
                return
            plain.settimeout(_PATIENCE_S)
            with plain:
                if self._deaf:
                    self._deaf -= 1
                    # With what is unread, the kernel resets the connection.
                    plain.recv(1)
                    continue
                with contextlib.suppress(ssl.SSLError):  # whoever does not like this side's certificate
                    self._hear(plain)

    def _hear(self, plain: socket.socket) -> None:
        connection = plain if self._context is None else self._context.wrap_socket(plain, server_side=True)
        with connection:
            data = b""
            while chunk := connection.recv(65536):
                data += chunk
            self.came.append(data)
            if self._context is not None:
                connection.unwrap()  # type: ignore[attr-defined]  # a TLS socket


class LocalSocket:
    """A socket of datagrams, as /dev/log is."""

    def __init__(self, path: Path) -> None:
        self._socket: Final = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(_PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def next(self) -> bytes:
        """The next datagram."""
        return self._socket.recv(65536)

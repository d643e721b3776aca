"""A server that acknowledges speed and framing, and neither PURGE-DATA nor SET-CONTROL, opens at once."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Final

import pytest

from drivers.errors import PortUnusable
from drivers.serial_port import SerialPort, SerialSettings
from tests.kit.waiting import PATIENCE_S

pytestmark = pytest.mark.filterwarnings(r"ignore:set(Daemon|Name)\(\) is deprecated:DeprecationWarning")
IAC, SB, SE, WILL, WONT, DO, DONT = 255, 250, 240, 251, 252, 253, 254
BINARY, COM_PORT = 0, 44
SET_BAUDRATE, SET_DATASIZE, SET_PARITY, SET_STOPSIZE, SET_CONTROL, PURGE_DATA = 1, 2, 3, 4, 5, 12
ANSWER: Final = 100
ALL_SETTINGS: Final = frozenset({SET_BAUDRATE, SET_DATASIZE, SET_PARITY, SET_STOPSIZE})


class Server:
    """A serial server written by hand from RFC 2217."""

    def __init__(self, acknowledged: frozenset[int]) -> None:
        self._acknowledged: Final = acknowledged
        self.asked: Final[list[tuple[int, bytes]]] = []
        self.data = b""
        self._listener: Final = socket.create_server(("127.0.0.1", 0))
        self.url: Final = f"rfc2217://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread: Final = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listener.close()
        self._thread.join(PATIENCE_S)

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection, contextlib.suppress(OSError):  # the table hangs up
            # A card that waited in the box from before the connection.
            connection.sendall(b"card")
            buffer = b""
            while data := connection.recv(4096):
                buffer = self._read(buffer + data, connection)

    def _read(self, buffer: bytes, connection: socket.socket) -> bytes:
        while buffer:
            if buffer[0] != IAC:
                self.data, buffer = self.data + buffer[:1], buffer[1:]
            elif len(buffer) < 3:
                return buffer
            elif buffer[1] != SB:
                self._negotiate(buffer[1], buffer[2], connection)
                buffer = buffer[3:]
            elif (end := buffer.find(bytes([IAC, SE]))) < 0:
                return buffer
            else:
                request, value = buffer[3], buffer[4:end]
                self.asked.append((request, value))
                if request in self._acknowledged:
                    connection.sendall(bytes([IAC, SB, COM_PORT, request + ANSWER]) + value + bytes([IAC, SE]))
                buffer = buffer[end + 2 :]
        return buffer

    def _negotiate(self, verb: int, option: int, connection: socket.socket) -> None:
        if verb in (WILL, DO):
            yes = {WILL: DO, DO: WILL}[verb]
            connection.sendall(bytes([IAC, yes, option]))


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    made: list[Server] = []
    yield made
    for server in made:
        server.close()


@pytest.mark.parametrize("more", [frozenset(), frozenset({SET_CONTROL}), frozenset({PURGE_DATA})], ids=str)
def test_what_a_three_wire_line_does_not_need_is_not_waited_for(servers: list[Server], more: frozenset[int]) -> None:
    server = Server(ALL_SETTINGS | more)
    servers.append(server)
    port = SerialPort(server.url, SerialSettings(baud=9600))
    port.open()
    try:
        got = b""
        while len(got) < 4:
            got += port.read(PATIENCE_S)
        assert got == b"card", "what waited in the box is delivered, and not purged"
        assert (SET_BAUDRATE, (9600).to_bytes(4, "big")) in server.asked
        assert PURGE_DATA not in [request for request, _ in server.asked]
    finally:
        port.close()


def test_a_server_that_does_not_take_the_speed_is_named_with_the_setting(servers: list[Server]) -> None:
    server = Server(ALL_SETTINGS - {SET_BAUDRATE})
    servers.append(server)
    with pytest.raises(PortUnusable, match="baudrate"):
        SerialPort(server.url).open()

"""A shoe that says cards without a pause, over TCP, to a real table; and what the table's process needs meanwhile."""

import contextlib
import itertools
import socket
import threading
import time
from pathlib import Path
from typing import Final, Self

from protocols.angel_eye.codec import encode_telegram
from protocols.angel_eye.messages import CardDrawn as Drawn
from protocols.angel_eye.messages import Target as AngelEye
from protocols.bee_tek.codec import encode_line
from protocols.bee_tek.messages import CardDrawn, Mode
from protocols.tdp.codes import Capability
from protocols.tdp.endpoint import Endpoint
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Hello
from protocols.tdp.states import Role
from tests.kit.running_table import table_section
from tests.kit.waiting import PATIENCE_S

CONFIG: Final = f"""
{table_section()}[journal]
folder = "journals"
[[device]]
name = "shoe"
family = "{{family}}"
port = "socket://127.0.0.1:{{port}}"
"""
PLAIN: Final = '[device.settings]\nsecurity = "plain"\n'
BACKLOG: Final = 8_192
"""Bytes that an impostor keeps on their way."""
AT_ONCE: Final = 500
"""Lines of a write: a flood is no trickle of telegrams."""


class Flood:
    """A serial-to-TCP box behind which something sends the same bytes for as long as it is let."""

    def __init__(self, said: bytes = b"", family: str = "bee_tek", settings: str = "") -> None:
        self._said: Final = said
        self._family: Final = family
        self._settings: Final = settings
        self.is_quiet = threading.Event()
        self.closed = threading.Event()
        """Set once the table has let go of the line."""
        self._listener: Final = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE_S)
        self._thread: Final = threading.Thread(target=self._run, daemon=True)
        self._is_over = False

    def config(self, folder: Path) -> Path:
        """A configuration of a table whose shoe is here."""
        path = folder / "table.toml"
        port = self._listener.getsockname()[1]
        path.write_text(CONFIG.format(family=self._family, port=port) + self._settings, encoding="utf-8")
        return path

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over = True
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes who waits for a connection
        self._listener.close()
        self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while not self._is_over:
                connection, _ = self._listener.accept()
                with connection:
                    self._serve(connection)

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_S)
        try:
            self._flood(connection)
            while connection.recv(1024):
                pass
        except OSError:
            pass
        self.closed.set()

    def _flood(self, connection: socket.socket) -> None:
        while not self.is_quiet.is_set():
            connection.sendall(self._said)


class Impostor(Flood):
    """A TDP device that says with every message that it is another one: each is an event for the log."""

    def __init__(self) -> None:
        super().__init__(family="tdp", settings=PLAIN)

    def _flood(self, connection: socket.socket) -> None:
        endpoint, numbers = Endpoint(Role.DEVICE, 7, Terms(security=Security.PLAIN)), itertools.count(1)
        endpoint.open(time.monotonic())
        connection.settimeout(0.01)
        while not self._is_over:
            with contextlib.suppress(TimeoutError):
                if not (data := connection.recv(4096)):
                    return
                endpoint.receive(data, time.monotonic())
            while endpoint.ready and endpoint.backlog < BACKLOG and not self.is_quiet.is_set():
                endpoint.send(hello(next(numbers)))
            if out := endpoint.bytes_to_send(time.monotonic()):
                connection.sendall(out)


def hello(number: int) -> Hello:
    """Who a device says it is."""
    return Hello(
        message_version=1,
        maker="Acme",
        model="Shoe",
        serial=f"SN-{number}",
        hardware_revision=1,
        firmware_version="1.0.0",
        image_digest=bytes(32),
        security_counter=1,
        boot_count=1,
        boot_reason=1,
        capabilities=Capability(0),
    )


def cards() -> bytes:
    """Cards of a shoe, again and again the same."""
    return encode_line(CardDrawn(card="9H", mode=Mode.GAME)) * AT_ONCE


def telegrams() -> bytes:
    """Cards of an Angel Eye shoe, each with the next number and another card than the one before."""
    places = ((AngelEye.PLAYER, 1), (AngelEye.BANKER, 1), (AngelEye.PLAYER, 2), (AngelEye.BANKER, 2))
    drawn = itertools.islice(zip(itertools.cycle(range(1, 10)), itertools.cycle(places)), AT_ONCE)
    return b"".join(
        encode_telegram(Drawn(seq, target=target, index=index, card=("9H", "3D")[seq % 2]))
        for seq, (target, index) in drawn
    )


def most_memory_mib(process: int) -> float:
    """The most memory that a process has had so far."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    (peak,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(peak) / 1024

"""The other end of a line, over real transports: what a device or a serial-to-TCP box does, and nothing of ours."""

import contextlib
import os
import select
import socket
import threading
import tty
from pathlib import Path
from typing import Any, Final, Protocol

from serial import rfc2217

from tests.drivers.waiting import PATIENCE_S

_CHUNK: Final = 4096


class FarEnd(Protocol):
    """A line's other end; ``url`` is what a port opens."""

    url: str

    def send(self, data: bytes) -> None:
        """Send to the port, as soon as it has connected."""

    def receive(self, count: int) -> bytes:
        """Wait for exactly ``count`` bytes from the port."""

    def vanish(self) -> None:
        """Go without a word, as if unplugged or switched off."""

    def plug_in(self) -> None:
        """Be there again under the same name."""


class PtyEnd:
    """A pty behind a stable link, which is swapped when it is plugged in again."""

    def __init__(self, link: Path, prefix: str = "") -> None:
        self.link = link
        self.url = prefix + str(link)
        self.master = self.slave = -1
        self.plug_in()

    def plug_in(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        fresh = self.link.with_suffix(".new")
        fresh.symlink_to(os.ttyname(self.slave))
        fresh.replace(self.link)

    def send(self, data: bytes) -> None:
        assert os.write(self.master, data) == len(data)

    def receive(self, count: int) -> bytes:
        got = b""
        while len(got) < count:
            assert select.select([self.master], [], [], PATIENCE_S)[0], f"only {got!r} came"
            got += os.read(self.master, count - len(got))
        return got

    def vanish(self) -> None:
        # The link goes first, as udev's does: else a port that is opened anew may find another test's pty, which has
        # been given the same number.
        self.link.unlink(missing_ok=True)
        for descriptor in (self.master, self.slave):
            if descriptor >= 0:
                os.close(descriptor)
        self.master = self.slave = -1


class SocketEnd:
    """A serial-to-TCP box in raw mode, for one connection at a time."""

    scheme = "socket"

    def __init__(self) -> None:
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None
        self._number = 0
        self.plug_in()
        self.url = f"{self.scheme}://127.0.0.1:{self._number}"

    def plug_in(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self._number))
        self._listener.settimeout(PATIENCE_S)
        self._number = self._listener.getsockname()[1]

    def send(self, data: bytes) -> None:
        self._peer().sendall(data)

    def receive(self, count: int) -> bytes:
        got = b""
        while len(got) < count:
            data = self._peer().recv(count - len(got))
            assert data, f"closed after {got!r}"
            got += data
        return got

    def hang_up(self) -> None:
        """Close the connection and go on listening."""
        self._peer().close()
        self._connection = None

    def vanish(self) -> None:
        for open_one in (self._connection, self._listener):
            if open_one is not None:
                open_one.close()
        self._connection = self._listener = None

    def _peer(self) -> socket.socket:
        if self._connection is None:
            assert self._listener is not None
            self._connection, _ = self._listener.accept()
            self._connection.settimeout(PATIENCE_S)
        return self._connection


class AnsweringPortManager(rfc2217.PortManager):
    """pyserial's server half, which forgets to acknowledge two requests; other clients than pyserial's wait for it."""

    _ACKNOWLEDGEMENTS: Final = {
        rfc2217.SET_LINESTATE_MASK: rfc2217.SERVER_SET_LINESTATE_MASK,
        rfc2217.SET_MODEMSTATE_MASK: rfc2217.SERVER_SET_MODEMSTATE_MASK,
    }

    def _telnet_process_subnegotiation(self, suboption: bytes) -> None:
        base: Any = super()  # pyserial means this method to be inherited, and its stubs leave it out
        base._telnet_process_subnegotiation(suboption)  # noqa: SLF001  as the line above
        answer = self._ACKNOWLEDGEMENTS.get(suboption[1:2])
        if suboption[:1] == rfc2217.COM_PORT_OPTION and answer is not None:
            self.rfc2217_send_subnegotiation(answer, suboption[2:3])


class LineState:
    """What an RFC 2217 client may set, and what it asks for."""

    def __init__(self) -> None:
        self.baudrate, self.bytesize, self.parity, self.stopbits = 9600, 8, "N", 1
        self.xonxoff = self.rtscts = self.rts = self.dtr = self.break_condition = False
        self.cts = self.dsr = self.cd = True
        self.ri = False

    def reset_input_buffer(self) -> None:
        """Nothing waits here."""

    def reset_output_buffer(self) -> None:
        """Nothing waits here."""


class Rfc2217End:
    """A serial-to-TCP box that speaks RFC 2217; negotiates in a thread of its own."""

    def __init__(self) -> None:
        self.line = LineState()
        self._changed = threading.Condition()
        self._received = bytearray()
        self._number = 0
        self._connection: socket.socket | None = None
        self._manager: AnsweringPortManager | None = None
        self.plug_in()
        self.url = f"rfc2217://127.0.0.1:{self._number}"

    def plug_in(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self._number))
        self._number = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, args=(self._listener,), daemon=True)
        self._thread.start()

    def send(self, data: bytes) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._manager is not None, PATIENCE_S)
            assert self._manager is not None
            self.write(b"".join(self._manager.escape(data)))

    def receive(self, count: int) -> bytes:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._received) >= count, PATIENCE_S), bytes(self._received)
            got = bytes(self._received[:count])
            del self._received[:count]
            return got

    def vanish(self) -> None:
        for open_one in (self._listener, self._connection):
            if open_one is not None:
                with contextlib.suppress(OSError):
                    open_one.shutdown(socket.SHUT_RDWR)  # wakes the thread; closing alone does not
                open_one.close()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def write(self, data: bytes) -> None:
        """Called by the port manager."""
        assert self._connection is not None
        with contextlib.suppress(OSError):
            self._connection.sendall(data)

    def _serve(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._connection, _ = listener.accept()
                with self._connection:
                    self._converse(self._connection)

    def _converse(self, connection: socket.socket) -> None:
        both: Any = self
        line: Any = self.line
        manager = AnsweringPortManager(line, both)
        with self._changed:
            self._manager = manager
            self._changed.notify_all()
        try:
            while data := connection.recv(_CHUNK):
                with self._changed:
                    self._received += b"".join(manager.filter(data))
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._manager = None

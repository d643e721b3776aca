"""The other end of a line, over real transports: what a device or a serial-to-TCP box does."""

import os
import select
import socket
import threading
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from drivers.port import Port
from drivers.serial_port import SerialPort
from drivers.usb_port import UsbPort
from sim.clock import RealClock
from sim.rfc2217 import Rfc2217Wire
from sim.sim_thread import PumpedLine, SimulatorThread
from sim.usb import usb_wire
from sim.usb.server import UsbIpServer
from sim.wires.wire import Wire
from tests.kit.usb_backend import SimulatedBackend
from tests.kit.waiting import PATIENCE_S, eventually
from tests.sim.usb.usbip_client import UsbIpBackend


class FarEnd(Protocol):
    """A line's other end; ``url`` is what a port opens."""

    url: str

    def port(self) -> Port:
        """A new, closed port to it."""

    def send(self, data: bytes) -> None:
        """Send to the port, as soon as it has connected."""

    def receive(self, count: int) -> bytes:
        """Wait for exactly ``count`` bytes from the port."""

    def vanish(self) -> None:
        """Go without a word, as if unplugged or switched off."""

    def plug_in(self) -> None:
        """Be there again under the same name."""

    def end(self) -> None:
        """Let go of everything."""


class PtyEnd:
    """A pty behind a stable link, which is swapped when it is plugged in again."""

    def __init__(self, link: Path, prefix: str = "") -> None:
        self.link = link
        self.url = prefix + str(link)
        self.master = self.slave = -1
        self.plug_in()

    def port(self) -> Port:
        return SerialPort(self.url)

    def end(self) -> None:
        self.vanish()

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

    def port(self) -> Port:
        return SerialPort(self.url)

    def end(self) -> None:
        self.vanish()

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


class WireEnd:
    """A line of our simulator, with its thread. What comes back is a device's side of a real transport."""

    def __init__(self, wire: Wire, url: str, make_port: Callable[[], Port], server: PumpedLine | None = None) -> None:
        self.url = url
        self._wire = wire
        self._make_port = make_port
        self._changed = threading.Condition()
        self._received = bytearray()
        wire.listen(self._hear)
        moved: list[PumpedLine] = [wire] if server is None else [wire, server]
        self.station = SimulatorThread(RealClock(), moved, f"far end {url}")
        self.station.start()

    def port(self) -> Port:
        return self._make_port()

    def send(self, data: bytes) -> None:
        self.station.call(lambda: self._wire.send(data))

    def receive(self, count: int) -> bytes:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._received) >= count, PATIENCE_S), bytes(self._received)
            got = bytes(self._received[:count])
            del self._received[:count]
            return got

    def vanish(self) -> None:
        self.station.call(self._wire.unplug)

    def plug_in(self) -> None:
        self.station.call(self._wire.replug)

    def end(self) -> None:
        self.station.stop()

    def _hear(self, data: bytes) -> None:
        with self._changed:
            self._received += data
            self._changed.notify_all()


class Rfc2217End(WireEnd):
    """A serial-to-TCP box that speaks RFC 2217."""

    def __init__(self) -> None:
        self.wire = Rfc2217Wire()
        url = f"rfc2217://127.0.0.1:{self.wire.address[1]}"
        super().__init__(self.wire, url, lambda: SerialPort(url))

    def send(self, data: bytes) -> None:
        eventually(lambda: self.wire.is_connected, "the port has connected")
        super().send(data)


class UsbEnd(WireEnd):
    """A USB device with bulk pipes, on a bus inside the process."""

    def __init__(self, serial_number: str = "SHOE1", backend: SimulatedBackend | None = None) -> None:
        self.wire = usb_wire("bulk", serial_number, product="Bulk shoe")
        self.backend = backend or SimulatedBackend()
        self.backend.add(self.wire.device)
        pid = self.wire.device.function.product_id
        name = f"bulk:1209:{pid:04x}:{serial_number}"
        super().__init__(self.wire, name, lambda: UsbPort(name, backend=self.backend))


class UsbIpEnd(WireEnd):
    """The same device on another machine's bus, attached over USB/IP by the client of our tests."""

    def __init__(self, serial_number: str = "SHOE1") -> None:
        self.wire = usb_wire("bulk", serial_number, product="Bulk shoe")
        server = UsbIpServer([self.wire])
        self._backend = UsbIpBackend(server.address)
        name = f"bulk:1209:{self.wire.device.function.product_id:04x}:{serial_number}"
        super().__init__(self.wire, name, lambda: UsbPort(name, backend=self._backend), server)
        self._attach()

    def vanish(self) -> None:
        super().vanish()
        eventually(lambda: not self._attached.is_there, "the client has seen it go")

    def plug_in(self) -> None:
        super().plug_in()
        self._attach()

    def end(self) -> None:
        self._backend.close()
        super().end()

    def _attach(self) -> None:
        (self._attached,) = self._backend.attached()

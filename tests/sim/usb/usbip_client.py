"""A USB/IP client of the tests' own: a pyusb backend whose bus is a server's, over a socket."""

import errno
import socket
import struct
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sim.usb.device import DeviceDetached
from sim.usb.endpoints import IN, Transfer
from sim.usb.setup import SET_CONFIGURATION, TO_DEVICE, Setup, Stalled
from tests.kit.usb_attached import Attached, Description, enumerated
from tests.kit.usb_backend import HIGHEST_ADDRESS, HostBackend
from tests.kit.waiting import PATIENCE_S

OP_BYTES: Final = 8
DEVICE_BYTES: Final = 312
PDU_BYTES: Final = 48
SET_ADDRESS: Final = 5


@dataclass(frozen=True)
class Listed:
    """A device in a list: bus id, device id for transfers, vendor and product, interface classes."""

    bus_id: str
    device_id: int
    vendor: int
    product: int
    interfaces: tuple[bytes, ...] = ()


def connect(address: tuple[str, int]) -> socket.socket:
    """To a server."""
    connection = socket.create_connection(address, PATIENCE_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def receive(connection: socket.socket, count: int) -> bytes:
    """Exactly ``count`` bytes; ``ConnectionError`` if the server hangs up before."""
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionResetError(errno.ECONNRESET, f"the server hung up after {data.hex(' ')}")
        data += more
    return data


def list_devices(address: tuple[str, int]) -> list[Listed]:
    """The server's list of devices."""
    with connect(address) as connection:
        connection.sendall(bytes.fromhex("01 11 80 05 00 00 00 00"))
        head = receive(connection, OP_BYTES + 4)
        assert head[:OP_BYTES] == bytes.fromhex("01 11 00 05 00 00 00 00")
        found = []
        for _ in range(int.from_bytes(head[OP_BYTES:])):
            data = receive(connection, DEVICE_BYTES)
            listed = parse_device(data)
            interfaces = tuple(receive(connection, 4)[:3] for _ in range(data[-1]))
            found.append(Listed(listed.bus_id, listed.device_id, listed.vendor, listed.product, interfaces))
        return found


def parse_device(data: bytes) -> Listed:
    """The 312 bytes that lists and imports have in common."""
    bus, number, _speed, vendor, product = struct.unpack_from(">IIIHH", data, 288)
    return Listed(data[256:288].rstrip(b"\0").decode(), bus << 16 | number, vendor, product)


def import_device(connection: socket.socket, bus_id: str) -> Listed:
    """Import; ``OSError`` with the server's status if it refuses."""
    connection.sendall(bytes.fromhex("01 11 80 03 00 00 00 00") + bus_id.encode().ljust(32, b"\0"))
    version, code, status = struct.unpack(">HHI", receive(connection, OP_BYTES))
    assert (version, code) == (0x0111, 0x0003)
    if status:
        raise OSError(status, f"import of {bus_id} refused")
    return parse_device(receive(connection, DEVICE_BYTES))


@dataclass(eq=False)
class Waiting:
    """A request that is on its way."""

    transfer: Transfer
    over: threading.Event = field(default_factory=threading.Event)
    unlink: int = 0


class ImportedDevice:
    """An imported device; a thread of its own reads the answers. ``Attached`` says what the rest is for."""

    def __init__(self, server: tuple[str, int], bus_id: str, address: int) -> None:
        self.address: Final = address
        self.port: Final = int(bus_id.split("-")[1])
        self.bus_id: Final = bus_id
        self._connection = connect(server)
        try:
            self._device_id = import_device(self._connection, bus_id).device_id
        except OSError:
            self._connection.close()
            raise
        self._connection.settimeout(None)
        self._lock = threading.Lock()
        self._number = 0
        self._waiting: dict[int, Waiting] = {}
        self._numbers: dict[Transfer, int] = {}
        self._is_there = True
        self._reader = threading.Thread(target=self._read, name=f"usbip-client-{bus_id}", daemon=True)
        self._reader.start()
        self.description: Final[Description] = enumerated(lambda setup: self.control(setup, b""), address)

    @property
    def is_there(self) -> bool:
        return self._is_there

    def close(self) -> None:
        """Detach."""
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError as error:
            assert error.errno == errno.ENOTCONN  # noqa: PT017  # the server hung up first
        self._reader.join(PATIENCE_S)
        self._connection.close()

    def control(self, setup: Setup, data: bytes) -> bytes:
        if (setup.kind, setup.request) == (TO_DEVICE, SET_ADDRESS):
            return b""  # the far host controller's affair, as in Linux's vhci-hcd
        over = threading.Event()
        transfer = Transfer(setup.kind & IN, setup.length, lambda _transfer: over.set(), bytearray(data))
        packet = struct.pack("<BBHHH", setup.kind, setup.request, setup.value, setup.index, setup.length)
        self._submit(transfer, packet)
        assert over.wait(PATIENCE_S), f"no answer to {setup}"
        if transfer.status == errno.EPIPE:
            raise Stalled(setup)
        if transfer.status:
            raise DeviceDetached(self.bus_id)
        return bytes(transfer.data)

    def submit(self, transfer: Transfer) -> None:
        self._submit(transfer, bytes(8))

    def cancel(self, transfer: Transfer) -> bool:
        with self._lock:
            number = self._numbers.get(transfer)
            if number is None:
                return False
            waiting = self._waiting[number]
            self._number += 1
            waiting.unlink = self._number
            self._send(struct.pack(">IIIIII24x", 2, waiting.unlink, self._device_id, 0, 0, number))
        assert waiting.over.wait(PATIENCE_S), "no answer to an unlink"
        return transfer.status == errno.ECONNRESET

    def reset(self) -> None:
        value = self.description.configuration.bConfigurationValue
        self.control(Setup(TO_DEVICE, SET_CONFIGURATION, value), b"")

    def _submit(self, transfer: Transfer, setup: bytes) -> None:
        is_in = bool(transfer.endpoint & IN)
        with self._lock:
            if not self._is_there:
                transfer.end(errno.ENODEV)
                return
            self._number += 1
            self._waiting[self._number] = Waiting(transfer)
            self._numbers[transfer] = self._number
            head = struct.pack(">IIIII", 1, self._number, self._device_id, is_in, transfer.endpoint & 0xF)
            self._send(
                head
                + struct.pack(">IIIII", 0, transfer.length, 0, 0, 0)
                + setup
                + (b"" if is_in else bytes(transfer.data))
            )

    def _send(self, data: bytes) -> None:
        try:
            self._connection.sendall(data)
        except OSError:
            return  # the reader finds the end, and ends what is under way

    def _read(self) -> None:
        try:
            while True:
                self._take()
        except OSError:
            with self._lock:
                self._is_there = False
                lost = list(self._waiting.values())
                self._waiting.clear()
                self._numbers.clear()
            for waiting in lost:
                waiting.transfer.end(errno.ENODEV)
                waiting.over.set()

    def _take(self) -> None:
        head = receive(self._connection, PDU_BYTES)
        command, number = struct.unpack_from(">II", head)
        status, moved = struct.unpack_from(">iI", head, 20)
        with self._lock:
            if command == 4:
                found = [at for at, waiting in self._waiting.items() if waiting.unlink == number]
                number = found[0] if found else 0
            waiting = self._waiting.get(number)
        if waiting is None:
            assert command == 4, f"an answer to nothing: {head.hex(' ')}"
            return  # the transfer was over before the unlink came
        transfer = waiting.transfer
        has_data = command == 3 and transfer.endpoint & IN
        data = receive(self._connection, moved) if has_data else b""
        with self._lock:
            # Whole at once: who gives up now and finds it over takes what it holds.
            del self._waiting[number], self._numbers[transfer]
            if command == 3:
                transfer.moved = moved
                transfer.data += data
            transfer.end(-status)
        waiting.over.set()


class UsbIpBackend(HostBackend):
    """pyusb's bus is what the server at ``address`` lists. Close it at the end."""

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__()
        self._server = address
        self._attached: dict[str, ImportedDevice] = {}
        self._enumerated = 0

    def attached(self) -> Sequence[Attached]:
        with self._lock:
            for bus_id, device in list(self._attached.items()):
                if not device.is_there:
                    device.close()
                    del self._attached[bus_id]
            try:
                listed = list_devices(self._server)
            except ConnectionError:
                listed = []
            for one in listed:
                if (old := self._attached.pop(one.bus_id, None)) is not None:
                    # Free again at the server, before its reader has found the end.
                    old.close()
                self._enumerated = self._enumerated % HIGHEST_ADDRESS + 1
                self._attached[one.bus_id] = ImportedDevice(self._server, one.bus_id, self._enumerated)
            return [self._attached[bus_id] for bus_id in sorted(self._attached)]

    def close(self) -> None:
        """Detach from everything."""
        for device in self._attached.values():
            device.close()
        self._attached.clear()

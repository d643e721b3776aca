"""The USB/IP server, by hand over a socket: what it lists, lends, answers, and how it lets go."""

import errno
import shutil
import socket
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.usb import UsbWire, usb_wire
from sim.usb.connection import UsbIpConnection
from sim.usb.functions import BULK_IN, BULK_OUT
from sim.usb.server import UsbIpServer
from sim.usb.setup import Setup
from sim.usb.usbip import BUSY, NO_DEVICE
from tests.kit.waiting import PATIENCE_S, eventually
from tests.sim.usb.usbip_client import Listed, connect, import_device, list_devices, receive

CONFIGURE = bytes.fromhex("00 09 01 00 00 00 00 00")
SHORT_NOT_OK = 1
USBIP = shutil.which("usbip", path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")


@dataclass
class Served:
    """Two echoing devices."""

    station: SimulatorThread
    server: UsbIpServer
    bulk: UsbWire
    cdc: UsbWire


@pytest.fixture
def served() -> Iterator[Served]:
    bulk, cdc = usb_wire("bulk", "SN-1", product="Shuffler"), usb_wire("cdc", "SN-2", product="Shoe")
    for wire in (bulk, cdc):
        wire.listen(wire.send)
    server = UsbIpServer([bulk, cdc])
    with SimulatorThread(RealClock(), [bulk, cdc, server]) as station:
        yield Served(station, server, bulk, cdc)
    assert server.fds() == ()


class Host:
    """An attached host that says byte by byte what it wants, and reads answers one by one."""

    def __init__(self, served: Served, bus_id: str = "1-1") -> None:
        self.socket = connect(served.server.address)
        self.device = import_device(self.socket, bus_id)
        self.submit(1, 0, setup=CONFIGURE)
        assert self.answer() == (3, 1, 0, 0)

    def submit(
        self, number: int, endpoint: int, length: int = 0, data: bytes = b"", setup: bytes = bytes(8), flags: int = 0
    ) -> None:
        is_in = endpoint >> 7
        head = struct.pack(">IIIII", 1, number, self.device.device_id, is_in, endpoint & 0xF)
        self.socket.sendall(head + struct.pack(">IIIII", flags, length or len(data), 0, 0, 0) + setup + data)

    def unlink(self, number: int, victim: int) -> None:
        self.socket.sendall(struct.pack(">IIIIII24x", 2, number, self.device.device_id, 0, 0, victim))

    def answer(self) -> tuple[int, int, int, int]:
        """Command, number, status, length."""
        head = receive(self.socket, 48)
        command, number = struct.unpack_from(">II", head)
        status, length = struct.unpack_from(">iI", head, 20)
        return command, number, status, length

    def data(self, count: int) -> bytes:
        return receive(self.socket, count)

    def is_hung_up(self) -> bool:
        try:
            return not self.socket.recv(1)
        except ConnectionResetError:
            return True


@pytest.fixture
def host(served: Served) -> Iterator[Host]:
    made = Host(served)
    yield made
    made.socket.close()


def test_it_lists_what_is_plugged_in_and_not_lent(served: Served) -> None:
    bulk = Listed("1-1", 0x10001, 0x1209, 1, (b"\xff\x00\x00",))
    cdc = Listed("1-2", 0x10002, 0x1209, 2, (b"\x02\x02\x00", b"\x0a\x00\x00"))
    assert list_devices(served.server.address) == [bulk, cdc]
    served.station.call(served.cdc.unplug)
    assert list_devices(served.server.address) == [bulk]
    host = Host(served)
    assert served.server.attached == ("1-1",)
    assert list_devices(served.server.address) == []
    host.socket.close()
    eventually(lambda: served.server.attached == (), "the host is gone")
    served.station.call(served.cdc.replug)
    again = Listed("1-2", 0x10003, 0x1209, 2, cdc.interfaces)
    assert list_devices(served.server.address) == [bulk, again]


def test_imports_that_are_refused(served: Served, host: Host) -> None:
    with connect(served.server.address) as second:
        for bus_id, status in (("1-1", BUSY), ("1-3", NO_DEVICE), ("", NO_DEVICE)):
            with pytest.raises(OSError, match="refused") as caught:
                import_device(second, bus_id)
            assert caught.value.errno == status
        served.station.call(served.cdc.unplug)
        with pytest.raises(OSError, match="refused") as caught:
            import_device(second, "1-2")
        assert caught.value.errno == NO_DEVICE
        served.station.call(served.cdc.replug)
        assert import_device(second, "1-2").product == 2
    host.submit(2, 0x80, 1, setup=bytes.fromhex("80 08 00 00 00 00 01 00"))
    assert host.answer() == (3, 2, 0, 1)


def test_a_host_begins_with_a_device_that_was_reset(served: Served) -> None:
    served.bulk.device.control(Setup.parse(CONFIGURE))
    with connect(served.server.address) as first:
        import_device(first, "1-1")
        assert served.bulk.device.configuration == 0


def test_a_host_that_goes_leaves_a_device_that_was_reset(served: Served, host: Host) -> None:
    host.submit(2, BULK_IN, 64)
    eventually(lambda: served.bulk.device.is_awaited(BULK_IN), "a read")
    host.socket.close()
    eventually(lambda: served.server.attached == (), "the host is gone")
    assert served.bulk.device.configuration == 0
    assert not served.bulk.device.is_awaited(BULK_IN)
    second = Host(served)
    second.socket.close()


def test_control_and_bulk_transfers(served: Served, host: Host) -> None:
    host.submit(2, 0x80, 64, setup=bytes.fromhex("80 06 00 01 00 00 40 00"))
    assert host.answer() == (3, 2, 0, 18)
    assert host.data(18) == served.bulk.device.device_descriptor
    host.submit(3, BULK_IN, 512)
    host.submit(4, BULK_OUT, data=b"card")
    assert host.answer() == (3, 4, 0, 4)
    assert host.answer() == (3, 3, 0, 4)
    assert host.data(4) == b"card"
    host.submit(5, 0x80, 4, setup=bytes.fromhex("C0 55 00 00 00 00 04 00"))
    assert host.answer() == (3, 5, -errno.EPIPE, 0)
    host.submit(6, 0x83, 64)
    assert host.answer() == (3, 6, -errno.EPIPE, 0)


def test_a_short_read_is_an_error_if_the_host_says_so(served: Served, host: Host) -> None:
    host.submit(2, BULK_IN, 128, flags=SHORT_NOT_OK)
    served.station.call(lambda: served.bulk.send(b"card"))
    assert host.answer() == (3, 2, -errno.EREMOTEIO, 4)
    assert host.data(4) == b"card"
    host.submit(3, BULK_IN, 64, flags=SHORT_NOT_OK)
    served.station.call(lambda: served.bulk.send(bytes(64)))
    assert host.answer() == (3, 3, 0, 64)


def test_unlinking_a_transfer_under_way_is_its_only_answer(served: Served, host: Host) -> None:
    host.submit(2, BULK_IN, 64)
    host.submit(3, BULK_IN, 64)
    host.unlink(4, 2)
    assert host.answer() == (4, 4, -errno.ECONNRESET, 0)
    served.station.call(lambda: served.bulk.send(b"card"))
    assert host.answer() == (3, 3, 0, 4)


def test_unlinking_one_that_is_over_says_so(served: Served, host: Host) -> None:
    host.submit(2, BULK_IN, 64)
    served.station.call(lambda: served.bulk.send(b"card"))
    host.unlink(3, 2)
    assert host.answer() == (3, 2, 0, 4)
    assert host.data(4) == b"card"
    assert host.answer() == (4, 3, 0, 0)


def test_unplugging_hangs_up_and_answers_nothing(served: Served, host: Host) -> None:
    host.submit(2, BULK_IN, 64)
    eventually(lambda: served.bulk.device.is_awaited(BULK_IN), "a read")
    served.station.call(served.bulk.unplug)
    assert host.is_hung_up()
    assert served.server.attached == ()
    with connect(served.server.address) as again, pytest.raises(OSError, match="refused"):
        import_device(again, "1-1")


def test_two_hosts_two_devices(served: Served, host: Host) -> None:
    other = Host(served, "1-2")
    for one, data in ((host, b"shuffler"), (other, b"shoe")):
        one.submit(2, BULK_OUT, data=data)
        assert one.answer() == (3, 2, 0, len(data))
        one.submit(3, BULK_IN, 64)
        assert one.answer() == (3, 3, 0, len(data))
        assert one.data(len(data)) == data
    served.station.call(served.cdc.unplug)
    assert other.is_hung_up()
    host.submit(4, BULK_OUT, data=b"x")
    assert host.answer() == (3, 4, 0, 1)
    other.socket.close()


@pytest.mark.parametrize(
    "nonsense",
    [
        "47 45 54 20 2F 20 48 54",
        "00 00 00 01" + "00" * 44,
    ],
    ids=["no operation", "a transfer before the import"],
)
def test_whoever_speaks_something_else_is_hung_up_on(served: Served, nonsense: str) -> None:
    with connect(served.server.address) as stranger:
        stranger.sendall(bytes.fromhex(nonsense))
        assert stranger.recv(1) == b""
    assert len(list_devices(served.server.address)) == 2


@pytest.mark.parametrize("nonsense", ["00 00 00 07" + "00" * 44, "00000002 00000009 00010009" + "00" * 36])
def test_a_host_that_speaks_nonsense_loses_the_device(served: Served, host: Host, nonsense: str) -> None:
    host.socket.sendall(bytes.fromhex(nonsense))
    assert host.is_hung_up()
    eventually(lambda: served.server.attached == (), "the device is free again")


def test_a_host_that_breaks_off_loses_the_device(served: Served, host: Host) -> None:
    host.submit(2, BULK_IN, 64)
    host.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    host.socket.close()
    eventually(lambda: served.server.attached == (), "the device is free again")


def test_a_host_that_does_not_read_is_cut_off_and_blocks_nobody(served: Served) -> None:
    greedy = Host(served)
    greedy.socket.settimeout(None)
    descriptor = bytes.fromhex("80 06 00 02 00 00 FF 00")
    number = 1
    try:
        while True:
            number += 1
            greedy.submit(number, 0x80, 255, setup=descriptor)
    except OSError as error:
        assert error.errno in {errno.EPIPE, errno.ECONNRESET}  # noqa: PT017  # which call fails is the kernel's affair
    eventually(lambda: served.server.attached == (), "the device is free again")
    assert len(list_devices(served.server.address)) == 2
    greedy.socket.close()


def test_answers_that_find_no_room_come_later_and_whole(served: Served, host: Host) -> None:
    # 420 kB: more than both ends' buffers hold, less than the server's patience.
    count = 2000
    ask = bytes.fromhex("C0 20 00 00 07 00 FF 00")
    head = struct.pack(">III", host.device.device_id, 1, 0) + struct.pack(">IIIII", 0, 255, 0, 0, 0) + ask
    host.socket.sendall(b"".join(struct.pack(">II", 1, number) + head for number in range(2, 2 + count)))
    host.submit(1 << 20, BULK_IN, 64)
    eventually(lambda: served.bulk.device.is_awaited(BULK_IN), "all of it was read, and nothing of the answers")
    expected = served.bulk.device.control(Setup.parse(ask))
    assert len(expected) == 162
    for number in range(2, 2 + count):
        assert host.answer() == (3, number, 0, len(expected))
        assert host.data(len(expected)) == expected


def test_answers_are_sent_without_waiting_for_acknowledgements(served: Served) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, connect(listener.getsockname()):
        peer, _address = listener.accept()
        with peer:
            connection = UsbIpConnection(peer, served.server, lambda _connection, _is_unsent: None)
            assert connection.peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
            assert not connection.peer.getblocking()


def test_it_listens_on_this_machine_alone(served: Served) -> None:
    assert served.server.address[0] == "127.0.0.1"
    for everywhere in ("0.0.0.0", "::", "192.0.2.1"):  # noqa: S104  # it is refused
        with pytest.raises(ValueError, match=r"listen on 127\.0\.0\.1"):
            UsbIpServer([], host=everywhere)


def test_a_server_closes_its_hosts_and_its_port_and_leaves_the_devices() -> None:
    wire = usb_wire("bulk", "SN-1", product="Shuffler")
    server = UsbIpServer([wire])
    with SimulatorThread(RealClock(), [wire, server]) as station:
        host = Host(Served(station, server, wire, wire))
        station.call(server.close)
        assert host.is_hung_up()
        host.socket.close()
        assert wire.is_plugged
        wire.unplug()
        server.close()
        server.pump()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(server.address, PATIENCE_S)


@pytest.mark.skipif(USBIP is None, reason="needs apt-get install usbip")
def test_linux_own_tool_lists_them(served: Served) -> None:
    assert USBIP is not None
    host, port = served.server.address
    shown = subprocess.run(
        [USBIP, "--tcp-port", str(port), "list", "--remote", host], check=True, capture_output=True, text=True
    ).stdout
    assert "1-1:" in shown
    assert "(1209:0001)" in shown
    assert "(ff/00/00)" in shown
    assert "1-2:" in shown
    assert "(1209:0002)" in shown
    assert "(ef/02/01)" in shown
    assert "(02/02/00)" in shown
    assert "(0a/00/00)" in shown

"""The contract of `drivers.port`, held against every transport, each a real one."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from drivers.errors import PortLost
from drivers.port import Port
from drivers.serial_port import SerialPort
from tests.kit.far_ends import FarEnd, PtyEnd, Rfc2217End, SocketEnd, UsbEnd, UsbIpEnd
from tests.kit.waiting import PATIENCE_S, eventually

EVERY_BYTE = bytes(range(256))
FOR_EVER_S = 3600.0

# pyserial's RFC 2217 client starts its thread in a way that Python has deprecated.
pytestmark = pytest.mark.filterwarnings(r"ignore:set(Daemon|Name)\(\) is deprecated:DeprecationWarning")


def read_exactly(port: Port, count: int) -> bytes:
    got = b""
    while len(got) < count:
        data = port.read(PATIENCE_S)
        assert data, f"nothing more came after {got!r}"
        got += data
    assert len(got) == count
    return got


class PortContract:
    """A subclass says with its fixture `far_end` which transport it is about."""

    @pytest.fixture
    def port(self, far_end: FarEnd) -> Iterator[Port]:
        port = far_end.port()
        port.open()
        yield port
        port.close()

    def test_every_byte_value_arrives(self, port: Port, far_end: FarEnd) -> None:
        far_end.send(EVERY_BYTE)
        assert read_exactly(port, 256) == EVERY_BYTE

    def test_every_byte_value_goes_out(self, port: Port, far_end: FarEnd) -> None:
        port.write(EVERY_BYTE)
        assert far_end.receive(256) == EVERY_BYTE

    def test_a_read_returns_with_the_first_byte(self, port: Port, far_end: FarEnd) -> None:
        far_end.send(b"\x06")
        assert port.read(FOR_EVER_S) == b"\x06"

    def test_a_read_is_woken_by_a_byte(self, port: Port, far_end: FarEnd) -> None:
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(port.read, FOR_EVER_S)
            assert not reading.done()
            far_end.send(b"\x05")
            assert reading.result(PATIENCE_S) == b"\x05"

    @pytest.mark.parametrize("timeout_s", [0.0, 0.01, 0.12])
    def test_silence_is_an_empty_read(self, port: Port, timeout_s: float) -> None:
        assert port.read(timeout_s) == b""

    def test_after_silence_bytes_still_come(self, port: Port, far_end: FarEnd) -> None:
        assert port.read(0.01) == b""
        far_end.send(b"card")
        assert read_exactly(port, 4) == b"card"

    def test_a_vanished_line_is_never_silence(self, port: Port, far_end: FarEnd) -> None:
        far_end.vanish()
        for _ in range(3):
            with pytest.raises(PortLost) as caught:
                port.read(FOR_EVER_S)
            assert caught.value.port == far_end.url
        with pytest.raises(PortLost):
            port.write(b"x")

    def test_a_line_that_vanishes_ends_a_read(self, port: Port, far_end: FarEnd) -> None:
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(port.read, FOR_EVER_S)
            far_end.vanish()
            assert isinstance(reading.exception(PATIENCE_S), PortLost)

    def test_closing_in_another_thread_ends_a_read(self, port: Port) -> None:
        outcome: list[object] = []
        begun = threading.Event()

        def read() -> None:
            begun.set()
            try:
                outcome.append(port.read(FOR_EVER_S))
            except PortLost as error:
                outcome.append(type(error))

        reader = threading.Thread(target=read)
        reader.start()
        assert begun.wait(PATIENCE_S)
        port.close()
        reader.join(PATIENCE_S)
        assert outcome in ([b""], [PortLost])

    def test_a_read_is_ended_by_waking(self, port: Port, far_end: FarEnd) -> None:
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(port.read, FOR_EVER_S)
            port.wake()
            assert reading.result(PATIENCE_S) == b""
        far_end.send(b"card")
        assert read_exactly(port, 4) == b"card"

    def test_waking_a_closed_port_does_nothing(self, port: Port) -> None:
        port.close()
        port.wake()
        with pytest.raises(PortLost, match="not open"):
            port.read(FOR_EVER_S)

    def test_closed_means_lost(self, port: Port) -> None:
        port.close()
        port.close()
        with pytest.raises(PortLost, match="not open"):
            port.read(FOR_EVER_S)
        with pytest.raises(PortLost, match="not open"):
            port.write(b"x")

    def test_opening_twice_is_opening_once(self, port: Port, far_end: FarEnd) -> None:
        port.open()
        far_end.send(b"one")
        assert read_exactly(port, 3) == b"one"

    def test_it_can_be_opened_again_after_a_loss(self, port: Port, far_end: FarEnd) -> None:
        far_end.vanish()
        with pytest.raises(PortLost):
            port.read(FOR_EVER_S)
        port.close()
        far_end.plug_in()
        port.open()
        far_end.send(b"back")
        assert read_exactly(port, 4) == b"back"
        port.write(b"there")
        assert far_end.receive(5) == b"there"

    def test_no_descriptor_is_left_behind(self, far_end: FarEnd) -> None:
        port = far_end.port()
        before = open_descriptors()
        for _ in range(3):
            port.open()
            far_end.send(b"x")
            assert port.read(FOR_EVER_S) == b"x"
            far_end.vanish()
            with pytest.raises(PortLost):
                port.read(FOR_EVER_S)
            port.close()
            far_end.plug_in()
            eventually(lambda: open_descriptors() == before, "all descriptors closed")

    def test_the_name_is_the_configured_one(self, far_end: FarEnd) -> None:
        assert far_end.port().name == far_end.url


class TestPty(PortContract):
    @pytest.fixture
    def far_end(self, tmp_path: Path) -> Iterator[FarEnd]:
        yield from ended(PtyEnd(tmp_path / "shoe"))

    def test_what_came_before_opening_is_not_thrown_away(self, far_end: FarEnd) -> None:
        far_end.send(b"\x05early")
        bytes_from_before_are_read(far_end)

    def test_it_may_have_another_name_in_the_configuration(self, far_end: FarEnd) -> None:
        assert SerialPort(far_end.url, name="usb:0403:6001").name == "usb:0403:6001"


class TestSpy(PortContract):
    @pytest.fixture
    def far_end(self, tmp_path: Path) -> Iterator[FarEnd]:
        yield from ended(PtyEnd(tmp_path / "shoe", prefix="spy://"))

    def test_it_shows_what_moves(self, port: Port, far_end: FarEnd, capfd: pytest.CaptureFixture[str]) -> None:
        # pyserial took hold of standard error when the port was opened; so it is opened again, within capfd.
        port.close()
        port.open()
        far_end.send(b"\x06")
        assert port.read(FOR_EVER_S) == b"\x06"
        assert "RX" in capfd.readouterr().err


class TestSocket(PortContract):
    @pytest.fixture
    def far_end(self) -> Iterator[FarEnd]:
        yield from ended(SocketEnd())

    def test_what_a_box_kept_for_us_is_not_thrown_away(self, far_end: FarEnd) -> None:
        """A box may hold a card that came while nobody was connected, and send it at once."""
        for _ in range(3):
            with ThreadPoolExecutor(1) as pool:
                sending = pool.submit(far_end.send, b"\x05early")
                bytes_from_before_are_read(far_end, sending.result)
            assert isinstance(far_end, SocketEnd)
            far_end.hang_up()

    def test_a_peer_that_hangs_up_is_a_loss(self, port: Port, far_end: FarEnd) -> None:
        assert isinstance(far_end, SocketEnd)
        far_end.send(b"last")
        far_end.hang_up()
        assert read_exactly(port, 4) == b"last"
        with pytest.raises(PortLost):
            port.read(FOR_EVER_S)


class TestRfc2217(PortContract):
    @pytest.fixture
    def far_end(self) -> Iterator[FarEnd]:
        yield from ended(Rfc2217End())

    def test_it_sets_up_the_line_at_the_far_end(self, port: Port, far_end: FarEnd) -> None:
        assert isinstance(far_end, Rfc2217End)
        port.write(b"x")
        assert far_end.receive(1) == b"x"
        line = far_end.wire.line
        assert (line.baud, line.bytesize, line.parity, line.stopbits) == (4800, 8, "N", 1)


class TestUsbBulk(PortContract):
    @pytest.fixture
    def far_end(self) -> Iterator[FarEnd]:
        yield from ended(UsbEnd())

    def test_what_came_between_two_openings_is_not_thrown_away(self, port: Port, far_end: FarEnd) -> None:
        port.close()
        far_end.send(b"\x05early")
        bytes_from_before_are_read(far_end)


class TestUsbIp(PortContract):
    @pytest.fixture
    def far_end(self) -> Iterator[FarEnd]:
        yield from ended(UsbIpEnd())


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def ended(far_end: FarEnd) -> Iterator[FarEnd]:
    yield far_end
    far_end.end()


def bytes_from_before_are_read(far_end: FarEnd, sent: Callable[[], None] = lambda: None) -> None:
    port = far_end.port()
    port.open()
    sent()
    try:
        assert read_exactly(port, 6) == b"\x05early"
    finally:
        port.close()

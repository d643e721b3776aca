"""Reading and writing over a USB device's bulk pipes: stalls, packets of no length, losses, closing."""

import errno
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest

from drivers.errors import PortLost, PortMissing
from drivers.usb_port import UsbPort
from sim.usb import usb_wire
from sim.usb.endpoints import InEndpoint
from sim.usb.functions import BULK_IN, BULK_OUT, LIMIT_BYTES
from sim.usb.wire import UsbWire
from tests.drivers.usb_failures import NAME, failure_to_open
from tests.kit.far_ends import UsbEnd
from tests.kit.usb_backend import Handle, SimulatedBackend
from tests.kit.waiting import PATIENCE_S, eventually

FOR_EVER_S: Final = 3600.0


@pytest.fixture
def slow() -> UsbWire:
    """A device whose firmware never looks at what the host sends."""
    return usb_wire("bulk", "SHOE1", product="Slow shoe")


def test_a_packet_of_no_length_is_not_silence(end: UsbEnd, port: UsbPort) -> None:
    """It ends a transfer and says nothing: a read that has time goes on waiting."""
    end.send(bytes(64))  # ends with an empty packet
    assert port.read(FOR_EVER_S) == bytes(64)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(port.read, FOR_EVER_S)
        into = end.wire.device.function.endpoints[BULK_IN]
        assert isinstance(into, InEndpoint)
        eventually(lambda: into.taken_packets == len([64, 0]), "the empty packet is taken")
        assert not reading.done()
        end.send(b"next")
        assert reading.result(PATIENCE_S) == b"next"


def test_what_came_before_the_plug_was_pulled_is_read(end: UsbEnd, port: UsbPort) -> None:
    end.send(bytes(range(100)))
    assert port.read(FOR_EVER_S) == bytes(range(64))
    end.vanish()
    with pytest.raises(PortLost) as caught:
        port.read(FOR_EVER_S)
    assert caught.value.os_error is not None
    assert caught.value.os_error.errno == errno.ENODEV
    assert caught.value.__cause__ is not None


def test_a_stalled_read_is_set_going_once(end: UsbEnd, port: UsbPort) -> None:
    end.send(b"before")
    assert port.read(FOR_EVER_S) == b"before"
    for _ in range(3):  # each time a packet came in between
        end.wire.device.halt(BULK_IN)
        end.send(b"after")
        assert port.read(FOR_EVER_S) == b"after"


def test_a_stalled_write_is_set_going_and_repeated_exactly(end: UsbEnd, port: UsbPort) -> None:
    for _ in range(3):
        end.wire.device.halt(BULK_OUT)
        port.write(bytes(range(200)))
        assert end.receive(200) == bytes(range(200))
    end.wire.device.halt(BULK_OUT)
    port.write(bytes(64))
    port.write(b"x")
    assert end.receive(65) == bytes(64) + b"x"


class Moody(SimulatedBackend):
    """One read fails, as when the cable has a loose contact; after it everything would work again."""

    def __init__(self) -> None:
        super().__init__()
        self.failures = 1

    def bulk_read(self, dev_handle: Handle, ep: int, intf: int, buff: "array[int]", timeout: int) -> int:
        if self.failures:
            self.failures -= 1
            raise OSError(errno.EPROTO, "Protocol error")
        return super().bulk_read(dev_handle, ep, intf, buff, timeout)


def test_once_lost_is_lost_until_it_is_opened_again() -> None:
    """Bytes on their way are gone, so what comes after must not be joined with what came before."""
    end = UsbEnd(backend=(backend := Moody()))
    port = UsbPort(NAME, backend=backend)
    port.open()
    end.send(b"card")
    for _ in range(3):
        with pytest.raises(PortLost, match="Protocol error"):
            port.read(FOR_EVER_S)
    with pytest.raises(PortLost, match="Protocol error"):
        port.write(b"x")
    port.close()
    port.open()
    assert port.read(FOR_EVER_S) == b"card"
    port.close()
    end.end()


class Stubborn(SimulatedBackend):
    """A device whose halt cannot be cleared."""

    def clear_halt(self, dev_handle: Handle, ep: int) -> None:
        """Acknowledged, and nothing comes of it."""


@pytest.mark.parametrize(
    ("pipe", "move"),
    [(BULK_IN, lambda port: port.read(FOR_EVER_S)), (BULK_OUT, lambda port: port.write(b"x"))],
    ids=["reading", "writing"],
)
def test_a_pipe_that_stays_stalled_is_a_loss(pipe: int, move: Callable[[UsbPort], object]) -> None:
    end = UsbEnd(backend=(backend := Stubborn()))
    port = UsbPort(NAME, backend=backend)
    port.open()
    end.wire.device.halt(pipe)
    for _ in range(2):
        with pytest.raises(PortLost) as caught:
            move(port)
        assert caught.value.os_error is not None
        assert caught.value.os_error.errno == errno.EPIPE
    port.close()
    end.end()


def test_a_device_that_takes_nothing_is_lost(slow: UsbWire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.usb_port.port.WRITE_TIMEOUT_S", 0.1)
    port = UsbPort(NAME, backend=SimulatedBackend([slow.device]))
    port.open()
    port.write(bytes(LIMIT_BYTES))
    with pytest.raises(PortLost, match="timed out"):
        port.write(b"one more")
    port.close()


def test_a_device_that_is_slow_gets_everything_in_order(slow: UsbWire) -> None:
    heard = bytearray()
    slow.listen(heard.extend)
    port = UsbPort(NAME, backend=SimulatedBackend([slow.device]))
    port.open()
    sent = bytes(range(256)) * 256
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(port.write, sent)
        while not writing.done():
            slow.pump()
        writing.result()
    slow.pump()
    assert heard == sent
    port.close()


def test_closing_ends_a_write_that_waits(slow: UsbWire) -> None:
    port = UsbPort(NAME, backend=SimulatedBackend([slow.device]))
    port.open()
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(port.write, bytes(2 * LIMIT_BYTES))
        eventually(lambda: slow.device.function.has_received, "the first packets are over")
        port.close()
        assert isinstance(writing.exception(PATIENCE_S), PortLost)


def test_another_device_in_the_same_socket_is_not_the_one_that_was_lost(end: UsbEnd, port: UsbPort) -> None:
    end.vanish()
    with pytest.raises(PortLost):
        port.read(FOR_EVER_S)
    end.plug_in()
    for _ in range(2):  # until it is opened again
        with pytest.raises(PortLost):
            port.read(0)
        with pytest.raises(PortLost):
            port.write(b"x")
    port.close()
    port.open()
    end.send(b"card")
    assert port.read(FOR_EVER_S) == b"card"


def test_a_device_that_is_pulled_while_it_is_closed_is_let_go(end: UsbEnd, port: UsbPort) -> None:
    end.vanish()
    port.close()
    port.close()
    assert isinstance(failure_to_open(end.backend), PortMissing)

"""pyusb at the simulated devices, in this process and over USB/IP: one contract for both."""

import errno
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest
import usb.core
import usb.util

from sim.usb.functions import BULK_IN, BULK_OUT, INTERRUPT_IN, LIMIT_BYTES, CdcFunction
from tests.kit.usb_backend import SimulatedBackend
from tests.kit.waiting import PATIENCE_S, eventually
from tests.sim.usb.buses import Bus, in_process, over_usbip

PATIENCE_MS = int(PATIENCE_S * 1000)
SHORT_MS = 20


@pytest.fixture(params=[in_process, over_usbip], ids=["in process", "usbip"])
def bus(request: pytest.FixtureRequest) -> Iterator[Bus]:
    made: Callable[[], AbstractContextManager[Bus]] = request.param
    with made() as bus:
        yield bus


@pytest.fixture
def shuffler(bus: Bus) -> "usb.core.Device":
    device = bus.find("SN-1")
    device.set_configuration()
    return device


def error_number(act: Callable[[], object]) -> int | None:
    with pytest.raises(usb.core.USBError) as caught:
        act()
    number: int | None = caught.value.errno
    return number


def test_devices_are_found_with_their_names(bus: Bus) -> None:
    assert bus.serial_numbers() == ["SN-1", "SN-2"]
    shuffler, shoe = usb.core.find(backend=bus.backend, find_all=True, idVendor=0x1209)
    assert (shuffler.idProduct, shuffler.product, shuffler.manufacturer) == (1, "Shuffler", "cardshoe simulator")
    assert (shoe.idProduct, shoe.product, shoe.bDeviceClass) == (2, "Shoe", 0xEF)
    assert (shuffler.bus, shuffler.address, shuffler.port_numbers) == (1, 1, (1,))
    assert (shoe.address, shoe.port_number, shoe.speed) == (2, 2, usb.util.SPEED_FULL)
    assert shuffler.parent is None
    assert usb.core.find(backend=bus.backend, idVendor=0x1209, idProduct=3) is None


def test_endpoints_are_found_from_the_descriptors(shuffler: "usb.core.Device") -> None:
    interface = shuffler.get_active_configuration()[(0, 0)]
    assert interface.bInterfaceClass == 0xFF
    assert [(one.bEndpointAddress, one.bmAttributes, one.wMaxPacketSize, one.bInterval) for one in interface] == [
        (BULK_OUT, 2, 64, 0),
        (BULK_IN, 2, 64, 0),
        (INTERRUPT_IN, 3, 8, 8),
    ]


def test_functional_descriptors_stand_with_their_interface(bus: Bus) -> None:
    shoe = bus.find("SN-2")
    configuration = shoe.get_active_configuration()
    assert bytes(configuration.extra_descriptors) == bytes.fromhex("08 0B 00 02 02 02 00 00")
    assert bytes(configuration[(0, 0)].extra_descriptors) == bytes.fromhex(
        "05 24 00 20 01  05 24 01 00 01  04 24 02 06  05 24 06 00 01"
    )
    assert [one.bInterfaceClass for one in configuration] == [2, 10]


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 1000])
def test_an_echo_of_any_length(bus: Bus, count: int) -> None:
    for serial_number in ("SN-1", "SN-2"):
        device = bus.find(serial_number)
        data = bytes(at % 251 for at in range(count))
        assert device.write(BULK_OUT, data, PATIENCE_MS) == count
        heard = b""
        while len(heard) < count:
            heard += bytes(device.read(BULK_IN, 512, PATIENCE_MS))
        assert heard == data


def test_a_message_that_fills_its_packets_ends_a_long_read(bus: Bus, shuffler: "usb.core.Device") -> None:
    bus.station.call(lambda: bus.bulk.send(bytes(128)))
    assert len(shuffler.read(BULK_IN, 4096, PATIENCE_MS)) == 128


def test_a_read_is_woken_by_bytes(bus: Bus, shuffler: "usb.core.Device") -> None:
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(shuffler.read, BULK_IN, 64, PATIENCE_MS)
        eventually(lambda: bus.bulk.device.is_awaited(BULK_IN), "the read")
        bus.station.call(lambda: bus.bulk.send(b"card"))
        assert bytes(reading.result(PATIENCE_S)) == b"card"


def test_a_timeout_takes_nothing_with_it(bus: Bus, shuffler: "usb.core.Device") -> None:
    for endpoint in (BULK_IN, INTERRUPT_IN):
        with pytest.raises(usb.core.USBTimeoutError) as caught:
            shuffler.read(endpoint, 64, SHORT_MS)
        assert caught.value.errno == errno.ETIMEDOUT == 110
    assert not bus.bulk.device.is_awaited(BULK_IN)
    bus.station.call(lambda: bus.bulk.send(b"card"))
    assert bytes(shuffler.read(BULK_IN, 64, PATIENCE_MS)) == b"card"


def test_a_timeout_of_nought_waits_for_ever(bus: Bus, shuffler: "usb.core.Device") -> None:
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(shuffler.read, BULK_IN, 64, 0)
        eventually(lambda: bus.bulk.device.is_awaited(BULK_IN), "the read")
        bus.station.call(lambda: bus.bulk.send(b"card"))
        assert bytes(reading.result(PATIENCE_S)) == b"card"


def test_a_notice_when_bytes_wait(bus: Bus, shuffler: "usb.core.Device") -> None:
    bus.station.call(lambda: bus.bulk.send(b"card"))
    assert list(shuffler.read(INTERRUPT_IN, 8, PATIENCE_MS)) == [1]
    assert bytes(shuffler.read(BULK_IN, 64, PATIENCE_MS)) == b"card"


def test_a_read_smaller_than_a_packet_overflows(bus: Bus, shuffler: "usb.core.Device") -> None:
    bus.station.call(lambda: bus.bulk.send(b"card"))
    assert error_number(lambda: shuffler.read(BULK_IN, 2, PATIENCE_MS)) == errno.EOVERFLOW
    assert bytes(shuffler.read(BULK_IN, 64, PATIENCE_MS)) == b"card"


@pytest.mark.parametrize("endpoint", [BULK_IN, BULK_OUT])
def test_a_stall_lasts_until_it_is_cleared(bus: Bus, shuffler: "usb.core.Device", endpoint: int) -> None:
    bus.station.call(lambda: bus.bulk.device.halt(endpoint))

    def use() -> object:
        return shuffler.read(endpoint, 64, PATIENCE_MS) if endpoint == BULK_IN else shuffler.write(endpoint, b"x")

    for _ in range(2):
        assert error_number(use) == errno.EPIPE == 32
    shuffler.clear_halt(endpoint)
    bus.station.call(lambda: bus.bulk.send(b"card"))
    use()


def test_an_unknown_request_stalls(shuffler: "usb.core.Device") -> None:
    assert error_number(lambda: shuffler.ctrl_transfer(0xC0, 0x55, 0, 0, 4, PATIENCE_MS)) == errno.EPIPE
    assert error_number(lambda: shuffler.ctrl_transfer(0x40, 0x55, 0, 0, b"data", PATIENCE_MS)) == errno.EPIPE
    assert list(shuffler.ctrl_transfer(0x80, 8, 0, 0, 1, PATIENCE_MS)) == [1]


def test_line_coding_both_ways(bus: Bus) -> None:
    shoe = bus.find("SN-2")
    assert shoe.ctrl_transfer(0x21, 0x20, 0, 0, bytes.fromhex("C0 12 00 00 00 00 08"), PATIENCE_MS) == 7
    assert bytes(shoe.ctrl_transfer(0xA1, 0x21, 0, 0, 7, PATIENCE_MS)) == bytes.fromhex("C0 12 00 00 00 00 08")
    function = bus.cdc.device.function
    assert isinstance(function, CdcFunction)
    assert function.line_coding.baud == 4800


@pytest.mark.parametrize("endpoint", [BULK_IN, INTERRUPT_IN])
def test_unplugging_ends_a_read_at_once(bus: Bus, shuffler: "usb.core.Device", endpoint: int) -> None:
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(shuffler.read, endpoint, 64, 0)
        eventually(lambda: bus.bulk.device.is_awaited(endpoint), "the read")
        bus.station.call(bus.bulk.unplug)
        assert error_number(lambda: reading.result(PATIENCE_S)) == errno.ENODEV == 19
    # What was closed is known to the host a moment later, over a socket.
    eventually(lambda: bus.serial_numbers() == ["SN-2"], "it is gone")
    for act in (
        lambda: shuffler.read(endpoint, 64, PATIENCE_MS),
        lambda: shuffler.write(BULK_OUT, b"x", PATIENCE_MS),
        lambda: shuffler.ctrl_transfer(0x80, 8, 0, 0, 1, PATIENCE_MS),
        lambda: shuffler.clear_halt(BULK_IN),
        shuffler.reset,
    ):
        assert error_number(act) == errno.ENODEV


def test_plugged_in_again_it_is_another_device(bus: Bus, shuffler: "usb.core.Device") -> None:
    old_address = shuffler.address
    bus.station.call(bus.bulk.unplug)
    bus.station.call(bus.bulk.replug)
    eventually(lambda: sorted(bus.serial_numbers()) == ["SN-1", "SN-2"], "it is back")
    eventually(lambda: bus.find("SN-1").address != old_address, "as another")
    assert error_number(lambda: shuffler.write(BULK_OUT, b"x", PATIENCE_MS)) == errno.ENODEV
    again = bus.find("SN-1")
    assert again.port_numbers == shuffler.port_numbers
    again.write(BULK_OUT, b"again", PATIENCE_MS)
    assert bytes(again.read(BULK_IN, 64, PATIENCE_MS)) == b"again"


def test_an_old_device_object_cannot_be_opened(bus: Bus) -> None:
    found = usb.core.find(backend=bus.backend, idProduct=1)
    bus.station.call(bus.bulk.unplug)
    bus.station.call(bus.bulk.replug)
    eventually(lambda: bus.find("SN-1").address != found.address, "it is back as another")
    assert error_number(found.set_configuration) == errno.ENODEV


def test_without_permission_it_is_found_and_not_opened(bus: Bus) -> None:
    bus.backend.allow(permission=False)
    found = usb.core.find(backend=bus.backend, idVendor=0x1209, idProduct=1)
    assert found is not None
    assert error_number(found.set_configuration) == errno.EACCES == 13
    assert error_number(lambda: usb.util.claim_interface(found, 0)) == errno.EACCES
    with pytest.raises(ValueError, match="langid"):
        _name = found.serial_number
    bus.backend.allow(permission=True)
    found.set_configuration()


def test_an_interface_has_one_owner(bus: Bus) -> None:
    mine, yours = (usb.core.find(backend=bus.backend, idProduct=1) for _ in range(2))
    usb.util.claim_interface(mine, 0)
    assert error_number(lambda: usb.util.claim_interface(yours, 0)) == errno.EBUSY == 16
    assert error_number(yours.set_configuration) == errno.EBUSY
    assert error_number(lambda: yours.write(BULK_OUT, b"x")) == errno.EBUSY
    usb.util.release_interface(mine, 0)
    yours.write(BULK_OUT, b"x", PATIENCE_MS)
    usb.util.dispose_resources(yours)
    usb.util.claim_interface(mine, 0)


def test_a_transfer_claims_the_interface_on_the_spot(bus: Bus) -> None:
    backend = bus.backend
    node = next(backend.enumerate_devices())
    mine, yours = backend.open_device(node), backend.open_device(node)
    assert backend.bulk_write(mine, BULK_OUT, 0, array("B", b"card"), PATIENCE_MS) == 4
    assert error_number(lambda: backend.bulk_write(yours, BULK_OUT, 0, array("B", b"x"), PATIENCE_MS)) == errno.EBUSY
    backend.close_device(mine)
    assert backend.bulk_write(yours, BULK_OUT, 0, array("B", b"x"), PATIENCE_MS) == 1
    backend.close_device(yours)


def test_another_host_of_this_process_begins_anew(bus: Bus) -> None:
    assert bus.find("SN-1").get_active_configuration().bConfigurationValue == 1
    second = SimulatedBackend([bus.bulk.device])
    again = usb.core.find(backend=second, idProduct=1)
    again.write(BULK_OUT, b"again", PATIENCE_MS)
    assert bytes(again.read(BULK_IN, 64, PATIENCE_MS)) == b"again"


def test_what_the_host_does_not_have(bus: Bus, shuffler: "usb.core.Device") -> None:
    assert error_number(lambda: usb.util.claim_interface(shuffler, 1)) == errno.ENOENT
    assert not shuffler.is_kernel_driver_active(0)
    assert error_number(lambda: shuffler.detach_kernel_driver(0)) == errno.ENOENT
    assert error_number(lambda: shuffler.attach_kernel_driver(0)) == errno.ENOENT
    handle = bus.backend.open_device(next(bus.backend.enumerate_devices()))
    assert error_number(lambda: bus.backend.release_interface(handle, 0)) == errno.ENOENT
    with pytest.raises(IndexError):
        bus.backend.get_configuration_descriptor(handle.device, 1)
    with pytest.raises(IndexError):
        bus.backend.get_interface_descriptor(handle.device, 0, 1, 0)
    bus.backend.close_device(handle)


def test_reset_and_alternate_setting_leave_it_usable(bus: Bus, shuffler: "usb.core.Device") -> None:
    shuffler.write(BULK_OUT, b"before", PATIENCE_MS)
    shuffler.set_interface_altsetting(0, 0)
    shuffler.reset()
    eventually(lambda: bus.bulk.device.configuration == 1, "configured again")
    shuffler.write(BULK_OUT, b"after", PATIENCE_MS)
    heard = b""
    while b"after" not in heard:
        heard += bytes(shuffler.read(BULK_IN, 64, PATIENCE_MS))


def test_closing_while_another_thread_reads_ends_the_read(bus: Bus) -> None:
    backend = bus.backend
    handle = backend.open_device(next(backend.enumerate_devices()))
    backend.claim_interface(handle, 0)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(backend.bulk_read, handle, BULK_IN, 0, usb.util.create_buffer(64), 0)
        eventually(lambda: bus.bulk.device.is_awaited(BULK_IN), "the read")
        backend.close_device(handle)
        assert error_number(lambda: reading.result(PATIENCE_S)) == errno.EIO
    assert error_number(lambda: backend.bulk_read(handle, BULK_IN, 0, usb.util.create_buffer(64), 0)) == errno.EIO


def test_devices_may_come_later() -> None:
    with in_process() as bus:
        backend = type(bus.backend)()
        assert list(backend.enumerate_devices()) == []
        backend.add(bus.cdc.device)
        assert [one.idProduct for one in usb.core.find(backend=backend, find_all=True)] == [2]


def test_a_write_that_finds_no_room_times_out_with_what_went_over() -> None:
    """Without a station nobody takes what the host writes: the device says NAK."""
    with in_process() as bus:
        bus.station.stop()
        bus.bulk.replug()
        device = bus.find("SN-1")
        assert device.write(BULK_OUT, bytes(LIMIT_BYTES + 1), SHORT_MS) == LIMIT_BYTES
        with pytest.raises(usb.core.USBTimeoutError):
            device.write(BULK_OUT, b"x", SHORT_MS)
        bus.bulk.pump()
        assert device.write(BULK_OUT, b"x", SHORT_MS) == 1

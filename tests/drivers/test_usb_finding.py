"""Which USB device a name means, and which of its endpoints the bytes move over."""

from array import array
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

from drivers.adapters import ADAPTERS
from drivers.discovery import port_by_name
from drivers.errors import BadPortName, PortAmbiguous, PortForbidden, PortMissing
from drivers.port_names import PortCandidate, check_name, target_of
from drivers.usb_port import UsbPort, list_bulk_devices
from sim.usb import BulkFunction, usb_wire
from sim.usb import descriptors as d
from sim.usb.device import UsbDevice
from sim.usb.endpoints import Endpoint
from sim.usb.functions import BULK_IN, BULK_OUT, INTERRUPT_IN, PACKET_BYTES
from sim.usb.setup import SET_CONFIGURATION, TO_DEVICE, Setup
from sim.usb.wire import UsbWire
from tests.drivers.usb_failures import NAME, failure_to_open
from tests.kit.far_ends import UsbEnd
from tests.kit.usb_attached import Attached
from tests.kit.usb_backend import Handle, SimulatedBackend
from tests.kit.waiting import PATIENCE_S

FOR_EVER_S: Final = 3600.0


# --- which device -----------------------------------------------------------------------------------------------------


def test_a_name_without_serial_number_means_the_only_one(end: UsbEnd) -> None:
    port = UsbPort("bulk:1209:0001", backend=end.backend)
    port.open()
    end.send(b"card")
    assert port.read(FOR_EVER_S) == b"card"
    port.close()


def test_the_serial_number_chooses_between_two_of_a_kind(end: UsbEnd) -> None:
    other = UsbEnd("SHOE2", end.backend)
    port = UsbPort("bulk:1209:0001:SHOE2", backend=end.backend)
    port.open()
    end.send(b"wrong")
    other.send(b"right")
    assert port.read(FOR_EVER_S) == b"right"
    port.close()
    other.end()


def test_two_that_match_are_refused_and_named_by_their_serial_numbers(end: UsbEnd) -> None:
    end.backend.add(usb_wire("bulk", "SHOE2", product="Bulk shoe").device)
    error = failure_to_open(end.backend, "bulk:1209:0001")
    assert isinstance(error, PortAmbiguous)
    assert error.matches == (
        "/dev/bus/usb/001/001 (bulk:1209:0001:SHOE1)",
        "/dev/bus/usb/001/002 (bulk:1209:0001:SHOE2)",
    )
    assert "bulk:VID:PID:SERIAL" in error.remedy


@pytest.mark.parametrize("name", ["bulk:1209:0001:SHOE9", "bulk:1209:0002", "bulk:ffff:0001"])
def test_none_that_matches_is_missing_and_what_is_there_is_named(end: UsbEnd, name: str) -> None:
    error = failure_to_open(end.backend, name)
    assert isinstance(error, PortMissing)
    assert "/dev/bus/usb/001/001 (bulk:1209:0001:SHOE1)" in error.problem


def test_an_unplugged_device_is_missing(end: UsbEnd) -> None:
    end.vanish()
    assert "USB bulk devices there: none" in failure_to_open(end.backend).problem


def test_a_serial_port_on_usb_is_no_bulk_device() -> None:
    cdc = usb_wire("cdc", "SHOE1", product="Serial shoe")
    backend = SimulatedBackend([cdc.device])
    assert list_bulk_devices(backend) == []
    assert isinstance(failure_to_open(backend, "bulk:1209:0002"), PortMissing)


class FtdiLike(BulkFunction):
    """An FTDI chip, as it looks to somebody who does not know it."""

    product_id = 0x6001  # type: ignore[misc]  # final there, as for a device that is what it says


def test_a_serial_adapter_is_never_taken_for_a_bulk_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.usb.device.VENDOR_ID", 0x0403)
    backend = SimulatedBackend([UsbDevice(FtdiLike(), serial_number="A10K3XYZ", product="FT232R")])
    assert list_bulk_devices(backend) == []
    for vid, pid in ADAPTERS:
        with pytest.raises(BadPortName, match=f"is a serial adapter, write usb:{vid:04x}:{pid:04x}"):
            check_name(f"bulk:{vid:04X}:{pid:04x}")


def test_they_are_listed_with_the_name_to_write_down(end: UsbEnd) -> None:
    found = list_bulk_devices(end.backend)
    assert found == [
        PortCandidate("/dev/bus/usb/001/001", "Bulk shoe", 0x1209, 0x0001, "SHOE1", kind="bulk"),
    ]
    assert found[0].best_name() == NAME
    assert target_of(NAME, found) == "/dev/bus/usb/001/001"


def test_a_device_that_cannot_be_asked_is_listed_without_its_number(end: UsbEnd) -> None:
    end.backend.allow(permission=False)
    assert [one.best_name() for one in list_bulk_devices(end.backend)] == ["bulk:1209:0001"]


@pytest.fixture
def sysfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Linux's files about the first device on the simulated bus, as everybody sees them."""
    folder = tmp_path / "1-1"
    folder.mkdir()
    for name, value in {"idVendor": "1209", "idProduct": "0001", "devnum": "1", "serial": "LINUX1"}.items():
        (folder / name).write_text(f"{value}\n")
    monkeypatch.setattr("drivers.usb_port.finding._SYSFS", tmp_path)
    return folder


def test_linux_tells_the_serial_number_without_permission(end: UsbEnd, sysfs: Path) -> None:
    """So that of two devices the right one is said to be forbidden."""
    assert sysfs.is_dir()
    end.backend.add(usb_wire("bulk", "SHOE2", product="Bulk shoe").device)
    end.backend.allow(permission=False)
    assert [one.best_name() for one in list_bulk_devices(end.backend)] == ["bulk:1209:0001:LINUX1", "bulk:1209:0001"]
    error = failure_to_open(end.backend, "bulk:1209:0001:LINUX1")
    assert isinstance(error, PortForbidden)


@pytest.mark.parametrize(("name", "value"), [("idVendor", "0403"), ("idProduct", "0002"), ("devnum", "9")])
def test_what_linux_says_of_another_device_is_not_taken(end: UsbEnd, sysfs: Path, name: str, value: str) -> None:
    (sysfs / name).write_text(f"{value}\n")
    assert list_bulk_devices(end.backend)[0].serial_number == "SHOE1"


def test_a_bulk_name_makes_a_usb_port() -> None:
    for name in (NAME, f"unstable:{NAME}"):
        port = port_by_name(name)
        assert isinstance(port, UsbPort)
        assert port.name == NAME


@pytest.mark.parametrize("name", ["bulk:1209", "bulk:1209:1", "bulk:zzzz:0001", "bulk:1209:0001:", "/dev/ttyS0"])
def test_a_name_that_names_no_device_is_refused_at_once(name: str) -> None:
    with pytest.raises(BadPortName, match="four hex digits"):
        UsbPort(name)


# --- which endpoints --------------------------------------------------------------------------------------------------

KEYBOARD: Final = (3, 1, 1)
VENDOR: Final = (0xFF, 7, 9)


class OddFunction(BulkFunction):
    """The pipes on the second interface, behind its interrupt endpoint, at other addresses."""

    product_id = 0x0007  # type: ignore[misc]  # as above
    interface_count = 2  # type: ignore[misc]  # as above

    def __init__(self) -> None:
        super().__init__()
        moved = {BULK_OUT: 0x05, BULK_IN: 0x84, INTERRUPT_IN: 0x8F}
        self.endpoints: Mapping[int, Endpoint] = {  # type: ignore[misc]  # as above
            **{moved[address]: endpoint for address, endpoint in self.endpoints.items()},
        }

    def interfaces(self) -> bytes:
        return (
            d.interface(0, 1, KEYBOARD)
            + d.endpoint(0x83, d.INTERRUPT, 8, 10)
            + d.interface(1, 5, VENDOR)
            + d.endpoint(0x8F, d.INTERRUPT, 8, 8)
            + d.endpoint(0x84, d.BULK, PACKET_BYTES)
            + d.endpoint(0x05, d.BULK, PACKET_BYTES)
            + d.endpoint(0x86, d.BULK, PACKET_BYTES)  # of several the first
            + d.endpoint(0x07, d.BULK, PACKET_BYTES)
        )


def test_the_endpoints_are_those_of_the_descriptors() -> None:
    wire = UsbWire(UsbDevice(OddFunction(), serial_number="ODD", product="Odd shoe"))
    heard = bytearray()
    wire.listen(heard.extend)
    port = UsbPort("bulk:1209:0007:ODD", backend=SimulatedBackend([wire.device]))
    port.open()
    wire.send(b"card")
    assert port.read(FOR_EVER_S) == b"card"
    port.write(b"command")
    wire.pump()
    assert heard == b"command"
    port.close()


class InAlternate(SimulatedBackend):
    """The pipes are there only in the interface's second setting, as where bandwidth has to be asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.settings: list[tuple[int, int]] = []

    def get_interface_descriptor(self, dev: Attached, intf: int, alt: int, config: int) -> SimpleNamespace:
        found = SimpleNamespace(**vars(super().get_interface_descriptor(dev, intf, max(alt - 1, 0), config)))
        found.bAlternateSetting = alt
        if not alt:
            found.bNumEndpoints = 0
        return found

    def get_endpoint_descriptor(self, dev: Attached, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        assert alt == 1
        return super().get_endpoint_descriptor(dev, ep, intf, alt, config)

    def set_interface_altsetting(self, dev_handle: Handle, intf: int, altsetting: int) -> None:
        del dev_handle
        self.settings.append((intf, altsetting))


def test_pipes_in_another_setting_of_the_interface_are_switched_on() -> None:
    end = UsbEnd(backend=(backend := InAlternate()))
    port = UsbPort(NAME, backend=backend)
    port.open()
    assert backend.settings == [(0, 1)]
    end.send(b"card")
    assert port.read(FOR_EVER_S) == b"card"
    port.close()
    end.end()


class NoPipes(BulkFunction):
    """A vendor's interface without bulk OUT."""

    def interfaces(self) -> bytes:
        return d.interface(0, 1, VENDOR) + d.endpoint(BULK_IN, d.BULK, PACKET_BYTES)


class NoPackets(BulkFunction):
    """Pipes through which nothing fits."""

    def interfaces(self) -> bytes:
        return d.interface(0, 2, VENDOR) + d.endpoint(BULK_IN, d.BULK, 0) + d.endpoint(BULK_OUT, d.BULK, 0)


@pytest.mark.parametrize("function", [NoPipes, NoPackets])
def test_a_vendor_s_interface_without_both_pipes_is_passed_over(function: type[BulkFunction]) -> None:
    backend = SimulatedBackend([UsbDevice(function(), serial_number="X", product="Something")])
    assert list_bulk_devices(backend) == []


def test_a_device_that_is_not_configured_is_configured(end: UsbEnd) -> None:
    list(end.backend.enumerate_devices())
    end.wire.device.control(Setup(TO_DEVICE, SET_CONFIGURATION, 0))
    port = UsbPort(NAME, backend=end.backend)
    port.open()
    assert end.wire.device.configuration == d.CONFIGURATION_VALUE
    port.close()


class Counting(SimulatedBackend):
    """Counts how often a configuration is set by who uses it, and sees how much is asked for at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.configured = 0
        self.read_sizes: set[int] = set()
        self.written: list[int] = []

    def set_configuration(self, dev_handle: Handle, config_value: int) -> None:
        self.configured += 1
        super().set_configuration(dev_handle, config_value)

    def bulk_read(self, dev_handle: Handle, ep: int, intf: int, buff: "array[int]", timeout: int) -> int:
        assert timeout > 0  # nought is for ever
        self.read_sizes.add(len(buff))
        return super().bulk_read(dev_handle, ep, intf, buff, timeout)

    def bulk_write(self, dev_handle: Handle, ep: int, intf: int, data: "array[int]", timeout: int) -> int:
        assert timeout > 0
        self.written.append(len(data))
        return super().bulk_write(dev_handle, ep, intf, data, timeout)


def test_a_device_that_is_configured_is_not_configured_again() -> None:
    """Linux refuses it while another program uses another interface of the device."""
    end = UsbEnd(backend=(backend := Counting()))
    port = UsbPort(NAME, backend=backend)
    port.open()
    assert backend.configured == 0
    port.close()
    end.end()


@pytest.mark.parametrize(
    ("length", "packets"),
    [(1, [1]), (63, [63]), (64, [64, 0]), (65, [64, 1]), (192, [64, 64, 64, 0]), (242, [64, 64, 64, 50]), (0, [])],
)
def test_a_write_ends_with_a_short_packet(length: int, packets: list[int]) -> None:
    """docs/protocols/tdp.md, section 2: a multiple of the packet size is followed by a packet of length zero."""
    end = UsbEnd(backend=(backend := Counting()))
    port = UsbPort(NAME, backend=backend)
    port.open()
    port.write(bytes(length))
    assert backend.written == packets
    assert end.receive(length) == bytes(length)
    port.close()
    end.end()


def test_a_read_asks_for_whole_packets() -> None:
    """Less than a packet would be an overflow, in which the packet is lost."""
    end = UsbEnd(backend=(backend := Counting()))
    port = UsbPort(NAME, backend=backend)
    port.open()
    end.send(bytes(200))
    got = b""
    while len(got) < 200:
        got += port.read(PATIENCE_S)
    assert backend.read_sizes == {64}
    port.close()
    end.end()

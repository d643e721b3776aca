"""The requests of USB 2.0, chapter 9, and of the CDC class; halts, resets and the cable."""

import errno

import pytest

from sim.usb import CdcFunction, UsbWire, usb_wire
from sim.usb.device import DeviceDetached, UsbDevice
from sim.usb.endpoints import Transfer
from sim.usb.functions import BULK_IN, BULK_OUT, INTERRUPT_IN, LineCoding
from sim.usb.setup import Setup, Stalled

CONFIGURE = Setup(0x00, 9, 1)


def configured(kind: str = "bulk") -> UsbDevice:
    device = usb_wire("bulk" if kind == "bulk" else "cdc", "SN-1", product="Shuffler").device
    device.control(CONFIGURE)
    return device


def ended(_transfer: Transfer) -> None:
    """The status tells enough."""


def submitted(device: UsbDevice, endpoint: int, length: int = 64, data: bytes = b"") -> Transfer:
    transfer = Transfer(endpoint, length, ended, bytearray(data))
    device.submit(transfer, device.plug_count)
    return transfer


def test_it_starts_without_address_and_configuration() -> None:
    device = usb_wire("bulk", "SN-1", product="Shuffler").device
    assert device.control(Setup(0x80, 8, length=1)) == b"\x00"
    device.control(Setup(0x00, 5, 42))
    assert device.address == 42
    device.control(CONFIGURE)
    assert device.control(Setup(0x80, 8, length=1)) == b"\x01"
    assert device.address == 42
    device.control(Setup(0x00, 9, 0))
    assert device.control(Setup(0x80, 8, length=1)) == b"\x00"


def test_status() -> None:
    device = configured()
    assert device.control(Setup(0x80, 0, length=2)) == b"\x01\x00"
    assert device.control(Setup(0x81, 0, length=2)) == b"\x00\x00"
    assert device.control(Setup(0x82, 0, index=0, length=2)) == b"\x00\x00"
    assert device.control(Setup(0x81, 10, length=1)) == b"\x00"


@pytest.mark.parametrize(
    "setup",
    [
        Setup(0x80, 6, 0x0600, 0, 10),
        Setup(0x80, 6, 0x0304, 0x0409, 255),
        Setup(0x80, 6, 0x0201, 0, 255),
        Setup(0x80, 6, 0x2200, 0, 255),
        Setup(0x00, 7, 0x0100, 0, 18),
        Setup(0x00, 5, 128),
        Setup(0x00, 5, 7),
        Setup(0x00, 9, 2),
        Setup(0x00, 3, 1),
        Setup(0x00, 1, 1),
        Setup(0x81, 0, 0, 1, 2),
        Setup(0x81, 10, 0, 1, 1),
        Setup(0x01, 11, 1, 0),
        Setup(0x01, 11, 0, 1),
        Setup(0x82, 0, 0, 0x83, 2),
        Setup(0x02, 3, 0, 0x02),
        Setup(0x02, 3, 1, 0x81),
        Setup(0x02, 1, 1, 0x81),
        Setup(0x02, 3, 0, 0),
        Setup(0x82, 12, 0, 0x81, 2),
        Setup(0x21, 0x22, 3, 0),
        Setup(0xC0, 0x20, 0, 8, 255),
        Setup(0xC0, 0x21, 0, 7, 255),
        Setup(0x40, 0x20, 0, 7, 0),
    ],
    ids=str,
)
def test_what_it_does_not_know_it_stalls(setup: Setup) -> None:
    with pytest.raises(Stalled) as caught:
        configured().control(setup)
    assert caught.value.setup == setup


@pytest.mark.parametrize(
    "setup", [Setup(0x81, 0, length=2), Setup(0x81, 10, length=1), Setup(0x82, 0, 0, 0x81, 2)], ids=str
)
def test_before_it_is_configured_it_stalls_what_is_about_interfaces(setup: Setup) -> None:
    with pytest.raises(Stalled):
        usb_wire("bulk", "SN-1", product="Shuffler").device.control(setup)


def test_a_serial_port_has_no_bos_and_no_microsoft_descriptor() -> None:
    for setup in (Setup(0x80, 6, 0x0F00, 0, 5), Setup(0xC0, 0x20, 0, 7, 255)):
        with pytest.raises(Stalled):
            configured("cdc").control(setup)


def test_halt_by_the_host_and_its_end() -> None:
    device = configured()
    waiting = submitted(device, BULK_IN)
    device.control(Setup(0x02, 3, 0, BULK_IN))
    assert waiting.status == errno.EPIPE
    assert device.control(Setup(0x82, 0, 0, BULK_IN, 2)) == b"\x01\x00"
    device.send(b"card")
    assert submitted(device, BULK_IN).status == errno.EPIPE
    device.control(Setup(0x02, 1, 0, BULK_IN))
    assert device.control(Setup(0x82, 0, 0, BULK_IN, 2)) == b"\x00\x00"
    assert submitted(device, BULK_IN).data == b"card"
    device.control(Setup(0x02, 1, 0, 0))


def test_halt_of_out() -> None:
    device = configured()
    device.halt(BULK_OUT)
    assert submitted(device, BULK_OUT, 4, b"deal").status == errno.EPIPE
    assert device.consume() == (b"", False)
    device.control(Setup(0x02, 1, 0, BULK_OUT))
    assert submitted(device, BULK_OUT, 4, b"deal").status == 0
    assert device.consume() == (b"deal", False)


@pytest.mark.parametrize("setup", [CONFIGURE, Setup(0x01, 11, 0, 0)], ids=["set configuration", "set interface"])
def test_setting_it_up_anew_ends_transfers_and_halts_and_loses_what_waited(setup: Setup) -> None:
    device = configured()
    device.send(b"card")
    device.halt(BULK_OUT)
    notice = submitted(device, INTERRUPT_IN)
    assert notice.status == 0
    second = submitted(device, INTERRUPT_IN)
    device.control(setup)
    assert second.status == errno.ECONNRESET
    assert device.lost_bytes == 4
    read = submitted(device, BULK_IN)
    assert read.status is None
    assert submitted(device, BULK_OUT, 1, b"x").status == 0


def test_setting_one_interface_of_two_leaves_the_other_alone() -> None:
    device = configured("cdc")
    device.send(b"card")
    device.control(Setup(0x01, 11, 0, 0))
    assert submitted(device, BULK_IN).data == b"card"


def test_line_coding_lines_and_breaks() -> None:
    device = configured("cdc")
    function = device.function
    assert isinstance(function, CdcFunction)
    assert device.control(Setup(0xA1, 0x21, length=7)) == bytes.fromhex("00 C2 01 00 00 00 08")
    device.control(Setup(0x21, 0x20, length=7), bytes.fromhex("80 25 00 00 02 01 07"))
    assert function.line_coding == LineCoding(9600, stop_bits=2, parity=1, data_bits=7)
    assert device.control(Setup(0xA1, 0x21, length=7)) == bytes.fromhex("80 25 00 00 02 01 07")
    device.control(Setup(0x21, 0x22, 0b01))
    assert (function.dtr, function.rts) == (True, False)
    device.control(Setup(0x21, 0x22, 0b10))
    assert (function.dtr, function.rts) == (False, True)
    device.control(Setup(0x21, 0x23, 250))
    device.control(Setup(0x21, 0x23, 0xFFFF))
    assert function.breaks_ms == [250, 0xFFFF]


@pytest.mark.parametrize(
    ("setup", "data"),
    [
        (Setup(0x21, 0x20, length=6), bytes(6)),
        (Setup(0x21, 0x22, 1, 1), b""),
        (Setup(0x21, 0x24), b""),
        (Setup(0xA1, 0x20, length=7), b""),
    ],
    ids=["line coding too short", "data interface", "unknown", "wrong direction"],
)
def test_class_requests_that_are_stalled(setup: Setup, data: bytes) -> None:
    device = configured("cdc")
    with pytest.raises(Stalled):
        device.control(setup, data)


def test_without_a_configuration_nothing_moves() -> None:
    device = usb_wire("bulk", "SN-1", product="Shuffler").device
    device.send(b"card")
    assert device.lost_bytes == 4
    assert submitted(device, BULK_IN).status == errno.EPIPE
    device.control(CONFIGURE)
    assert submitted(device, 0x83).status == errno.EPIPE


def test_unplugged_everything_under_way_ends() -> None:
    device = configured()
    read, notice = submitted(device, BULK_IN), submitted(device, INTERRUPT_IN)
    device.unplug()
    device.unplug()
    assert read.status == notice.status == errno.ENODEV
    assert submitted(device, BULK_IN).status == errno.ENODEV
    with pytest.raises(DeviceDetached, match="SN-1 is unplugged"):
        device.control(Setup(0x80, 0, length=2))
    device.send(b"card")
    assert device.lost_bytes == 4


def test_plugged_in_again_it_is_new_and_knows_old_hosts_no_more() -> None:
    device = configured()
    before = device.plug_count
    device.unplug()
    device.plug()
    device.plug()
    assert device.plug_count == before + 1
    assert device.control(Setup(0x80, 8, length=1)) == b"\x00"
    device.control(CONFIGURE)
    old = Transfer(BULK_IN, 64, ended, bytearray())
    device.submit(old, before)
    assert old.status == errno.ENODEV


def test_watchers_hear_of_the_cable_once() -> None:
    device = configured()
    seen: list[bool] = []
    device.watch(lambda: seen.append(device.is_plugged))
    device.unplug()
    device.unplug()
    device.plug()
    device.plug()
    assert seen == [False, True]


def test_what_the_device_acknowledged_it_has_whatever_happens() -> None:
    wire = usb_wire("bulk", "SN-1", product="Shuffler")
    heard = bytearray()
    wire.listen(heard.extend)
    wire.device.control(CONFIGURE)
    submitted(wire.device, BULK_OUT, 4, b"deal")
    wire.unplug()
    wire.pump()
    assert heard == b"deal"


def test_a_wire_without_listener_drops() -> None:
    wire = UsbWire(configured())
    submitted(wire.device, BULK_OUT, 4, b"deal")
    wire.pump()
    assert wire.fds() == ()
    assert wire.device.consume() == (b"", False)

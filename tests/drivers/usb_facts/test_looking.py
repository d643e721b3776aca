"""Where facts come from: a tree as Linux keeps it, libusb, and the way from a port's name to its device."""

from pathlib import Path

import pytest

from drivers.usb_devices import UsbBus, pattern_of
from drivers.usb_facts.sysfs import has_usb, usb_devices
from sim.usb.hostile import DISK
from tests.firmware_bridge.usb_guard.sockets import NOWHERE, Tree, Unit, in_process


def test_both_ways_tell_the_same(tmp_path: Path) -> None:
    unit = Unit("SN-2", "cdc")
    unit.function.hide(DISK)
    unit.replug()
    tree = Tree(tmp_path)
    tree.plug(unit, "1-1")
    (by_linux,) = tree.bus.devices()
    (by_libusb,) = in_process(unit).devices()
    assert by_linux == by_libusb
    assert str(by_linux) == "1209:0002, serial number SN-2, at 1-1"
    assert by_linux.node == "/dev/bus/usb/001/001"
    assert [str(kind) for kind in by_linux.kinds()] == ["02:02:00", "08:06:50", "0a:00:00"]
    assert {value: len(kinds) for value, kinds in by_linux.configurations().items()} == {1: 2, 2: 1}


def test_root_hubs_and_interfaces_are_no_devices(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.plug(Unit("SN-1"), "1-1.4", removable="fixed")
    for name in ("usb1", "1-0:1.0", "1-1.4:1.0"):
        (tree.devices / name).mkdir()
    (found,) = tree.bus.devices()
    assert (found.path, found.is_fixed) == ("1-1.4", True)


@pytest.mark.parametrize("gone", ["devnum", "idVendor", "descriptors"])
def test_a_device_that_goes_while_it_is_read_is_left_out(gone: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    folder = tree.plug(Unit("SN-1"), "1-1")
    (folder / gone).unlink()
    assert tree.bus.devices() == []


def test_half_of_one_and_half_of_another_is_nobody(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    folder = tree.plug(Unit("SN-1"), "1-1")
    (folder / "idProduct").write_text("0009\n")
    assert tree.bus.devices() == []


def test_a_machine_without_usb() -> None:
    assert not has_usb(NOWHERE)
    assert usb_devices(NOWHERE) == []


def test_strings_that_may_not_be_read_are_not_taken_for_none() -> None:
    bus = in_process(Unit("SN-1"))
    bus.backend.allow(permission=False)
    (found,) = bus.devices()
    assert found.serial_number is None
    assert found.unreadable is not None


@pytest.mark.parametrize(
    ("name", "leads"),
    [
        ("usb:1209:0002:SN-2", ["SN-2"]),
        ("usb:1209:0002", ["SN-2"]),
        ("bulk:1209:0001", ["SN-1"]),
        ("unstable:/dev/ttyACM7", ["SN-2"]),
        ("spy:///dev/ttyACM7?all", ["SN-2"]),
        ("spy://usb:1209:0002", ["SN-2"]),
        ("usb:1209:0002:SN-9", []),
        ("/dev/ttyACM8", None),
        ("socket://192.0.2.7:4001", None),
        ("usb:12", None),
    ],
)
def test_from_a_port_s_name_to_its_device(name: str, leads: list[str] | None, tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.plug(Unit("SN-1"), "1-1")
    tree.plug(Unit("SN-2", "cdc"), "1-2.3", tty="ttyACM7")
    assert tree.bus.leads_to_usb(name) is (leads is not None)
    found = [one.serial_number for one in tree.bus.behind(name, tree.bus.devices())]
    assert found == (leads or [])


def test_without_linux_only_bulk_pipes_are_known() -> None:
    bus = UsbBus(NOWHERE)
    assert bus.leads_to_usb("bulk:1209:0001")
    assert not bus.leads_to_usb("usb:1209:0002")
    assert not bus.leads_to_usb("/dev/ttyACM7")


def test_a_name_that_is_wrong_is_said_elsewhere() -> None:
    assert pattern_of("bulk:0403:6001") is None  # a serial adapter
    assert pattern_of("usb:zz") is None

"""``usb`` of a device in a table's configuration, what the doctor says of it, and a start that is refused."""

from pathlib import Path
from typing import Final

import pytest

from cardshoe.cli.doctoring.findings import Level
from cardshoe.cli.doctoring.usb import usb
from cardshoe.cli.ports import PortsView, listing, port_views
from cardshoe.process.exits import Exit
from cardshoe.table.setup.config import BadConfig, DeviceSection, load
from cardshoe.table.setup.usb_opening import UsbRefused, check_usb
from cardshoe.table.setup.usb_section import allowed_of
from drivers.port_names import PortCandidate
from drivers.usb_devices import UsbBus
from firmware_bridge.usb_guard.guard import UsbGuard
from sim.usb.hostile import KEYBOARD, NETWORK
from tests.firmware_bridge.usb_guard.sockets import Tree, Unit
from tests.kit.running_table import write_config

AT: Final = "2026-11-21T12:00:00.000000Z"
PORT: Final = "usb:1209:0002:SN-2"
SHOE: Final = DeviceSection(name="shoe", family="angel_eye", port=PORT)


def configured(folder: Path, usb_section: str, port: str = PORT) -> DeviceSection:
    path = write_config(folder, port)
    path.write_text(path.read_text() + f"usb = {{ {usb_section} }}\n")
    return load(path, AT).devices[0]


def test_everything_that_can_be_fixed(tmp_path: Path) -> None:
    section = 'id = "1209:0002", serial = "SN-2", path = "3-1.4.2", interfaces = ["0a:00:00", "02:02:01"]'
    may_be = allowed_of(configured(tmp_path, section))
    assert (may_be.usb_id, may_be.serial_number, may_be.path) == ((0x1209, 2), "SN-2", "3-1.4.2")
    assert may_be.interfaces is not None
    assert [str(kind) for kind in may_be.interfaces] == ["02:02:01", "0a:00:00"]


def test_a_port_s_name_says_most_of_it(tmp_path: Path) -> None:
    may_be = allowed_of(configured(tmp_path, ""))
    assert (may_be.usb_id, may_be.serial_number, may_be.path, may_be.interfaces) == ((0x1209, 2), "SN-2", None, None)


@pytest.mark.parametrize(
    ("section", "port", "reason"),
    [
        ('id = "0403:6001"', PORT, "`id` is not the one in the port's name usb:1209:0002:SN-2"),
        ('serial = "SN-3"', PORT, "`serial` is not the one in the port's name usb:1209:0002:SN-2"),
        ('id = "12:2"', "/dev/shoe", "`id` is vendor and product, four hex digits each, such as 0403:6001, not '12:2'"),
        ('path = "usb1"', PORT, "`path` is a bus and its ports, such as 1-1.2, not 'usb1'"),
        ('interfaces = ["2:2:1"]', PORT, "'2:2:1' is no interface class"),
        (
            'interfaces = ["02:02:00", "0a:00:00", "03:01:01"]',
            PORT,
            "03:01:01 is keyboard or mouse, which no card device",
        ),
        ('interfaces = ["08:06:50"]', PORT, "08:06:50 is storage, which no card device may be"),
        ('path = "1-1"', "socket://192.0.2.7:4001", "`usb` does not apply to a port on the network; leave it out"),
    ],
)
def test_what_cannot_be_is_refused_and_named(section: str, port: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BadConfig) as refused:
        configured(tmp_path, section, port)
    assert refused.value.faults[0].key == "device.usb"
    assert reason in refused.value.faults[0].reason
    assert (
        f"table.toml, line {len((tmp_path / 'table.toml').read_text().splitlines())}: device.usb: "
        in refused.value.what
    )


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ('pth = "1-1"', "no such key; did you mean 'path'?"),
        ("colour = 1", "no such key; there are id, serial, path, interfaces"),
        ("interfaces = []", "length >= 1"),
        ('serial = ""', "length >= 1"),
    ],
)
def test_keys_that_are_none(section: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BadConfig) as refused:
        configured(tmp_path, section)
    assert reason in refused.value.faults[0].reason
    assert ".usb" in refused.value.faults[0].key


def test_a_table_does_not_open_with_it(tmp_path: Path) -> None:
    tree, unit = Tree(tmp_path), Unit("SN-2", "cdc")
    unit.function.wear(KEYBOARD, NETWORK)
    unit.replug()
    tree.plug(unit, "1-1")
    guard = UsbGuard([allowed_of(SHOE)], print, bus=tree.bus)
    with pytest.raises(UsbRefused) as refused:
        check_usb(guard)
    assert refused.value.code is Exit.DEVICE
    assert refused.value.what == (
        "device shoe: forbidden_interface: 1209:0002, serial number SN-2, at 1-1 is also: "
        "network (02:06:00); keyboard or mouse (03:01:01)"
    )
    assert "Who can resolve it: the technician together with surveillance." in refused.value.remedy


def test_the_doctor_says_what_the_guard_would(tmp_path: Path) -> None:
    tree, unit = Tree(tmp_path), Unit("SN-2", "cdc")
    assert list(usb([SHOE], tree.bus)) == []  # that it is missing is said of its port
    tree.plug(unit, "1-1")
    (found,) = usb([SHOE], tree.bus)
    assert (found.level, found.about) == (Level.OK, "usb shoe")
    assert found.what.startswith("1209:0002, serial number SN-2, at 1-1, interfaces 02:02:00 0a:00:00: nothing more")

    stranger, built_in = Unit("SN-9"), Unit("SN-8")
    for one in (stranger, built_in):
        one.function.wear(KEYBOARD)
        one.replug()
    tree.plug(stranger, "1-4")
    tree.plug(built_in, "1-5", removable="fixed")
    _, other = usb([SHOE], tree.bus)
    assert (other.level, other.what) == (
        Level.WARNING,
        "not a card device: 1209:0001, serial number SN-9, at 1-4 (keyboard or mouse)",
    )

    tree.pull("1-1")
    unit.function.wear(KEYBOARD)
    unit.replug()
    tree.plug(unit, "1-1")
    worst = next(iter(usb([SHOE], tree.bus)))
    assert (worst.level, worst.exit_code) == (Level.PROBLEM, 5)
    assert worst.what.startswith("forbidden_interface: ")


def test_the_doctor_where_usb_cannot_be_seen(tmp_path: Path) -> None:
    class Refusing:
        """A backend that cannot list."""

        def enumerate_devices(self) -> object:
            raise OSError(13, "no")

    (found,) = usb([DeviceSection(name="s", family="tdp", port="bulk:1209:0001")], UsbBus(tmp_path / "no", Refusing()))
    assert (found.level, found.exit_code) == (Level.PROBLEM, 5)
    assert found.what == "USB devices cannot be listed: [Errno 13] no"
    assert "/dev/bus/usb" in found.remedy


def test_ports_show_socket_and_interfaces(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.plug(Unit("SN-1"), "1-1")
    tree.plug(Unit("SN-2", "cdc"), "1-2.3", tty="ttyACM7")
    candidates = (
        PortCandidate("/dev/bus/usb/001/001", "", 0x1209, 1, "SN-1", kind="bulk"),
        PortCandidate("/dev/ttyACM7", "", 0x1209, 2, "SN-2"),
        PortCandidate("/dev/ttyACM8", "", 0x1209, 2, "SN-3"),
    )
    views = port_views(candidates, tree.folder)
    assert [(view.usb_path, list(view.interfaces)) for view in views] == [
        ("1-1", ["ff:00:00"]),
        ("1-2.3", ["02:02:00", "0a:00:00"]),
        (None, []),
    ]
    said = "\n".join(listing(PortsView(ports=views, families=[])))
    assert "    in socket 1-2.3, interfaces 02:02:00 0a:00:00\n" in said
    assert said.count("in socket") == 2

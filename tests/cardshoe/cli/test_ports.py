"""``cardshoe ports``: what is plugged in, and the name that stays."""

import json
from pathlib import Path

import pytest

from cardshoe.cli.ports import FamilyView, PortsView, listing, port_views
from drivers.port_names import PortCandidate, target_of
from tests.cardshoe.cli.support import cardshoe
from tests.kit.far_ends import PtyEnd

BY_ID = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10K3XYZ-if00-port0"
FTDI = PortCandidate(
    device="/dev/ttyUSB0",
    description="FT232R USB UART",
    vid=0x0403,
    pid=0x6001,
    serial_number="A10K3XYZ",
    stable_names=(BY_ID, "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0"),
)
BULK = PortCandidate("/dev/bus/usb/001/004", "Bulk shoe", 0x1209, 0x0001, "SHOE1", kind="bulk")
CHEAP = PortCandidate(device="/dev/ttyUSB1", description="USB Serial", vid=0x1A86, pid=0x7523)
FAMILY = FamilyView(name="angel_eye", summary="a shoe")


def listed(*candidates: PortCandidate) -> str:
    return "\n".join(listing(PortsView(ports=port_views(candidates), families=[FAMILY])))


def test_this_machine_s_ports_as_the_user_sees_them() -> None:
    done = cardshoe("ports")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\n\nDevice families:\n  angel_eye    Angel Eye" in done.stdout


def test_this_machine_s_ports_for_a_program() -> None:
    found = json.loads(cardshoe("ports", "--json").stdout)
    assert found.keys() == {"ports", "families", "bulk_problem"}
    assert [family["name"] for family in found["families"]] == ["angel_eye", "bee_tek", "tdp"]
    for port in found["ports"]:
        assert port.keys() == {
            "device",
            "port",
            "stable_names",
            "description",
            "usb",
            "serial_number",
            "kind",
            "held_by",
            "usb_path",
            "interfaces",
        }


def test_the_stable_name_is_what_a_configuration_should_say() -> None:
    said = listed(FTDI)
    assert said.startswith("DEVICE        USB        SERIAL NUMBER  WHAT IT IS\n")
    assert "/dev/ttyUSB0  0403:6001  A10K3XYZ       FT232R USB UART\n" in said
    assert f'    port = "{BY_ID}"\n' in said
    many = listed(FTDI, CHEAP, BULK, PortCandidate(device="/dev/ttyUSB2", vid=0x1A86, pid=0x7523))
    assert [line for line in many.splitlines() if len(line) > 80 and not line.startswith("    port = ")] == []


def test_without_a_link_the_usb_numbers_do() -> None:
    assert '    port = "usb:1a86:7523"\n' in listed(CHEAP)


@pytest.mark.parametrize("candidates", [(FTDI, CHEAP, BULK), (CHEAP,), (PortCandidate(device="/dev/ttyS0"),)])
def test_what_is_offered_opens_the_port_it_stands_under(candidates: tuple[PortCandidate, ...]) -> None:
    for view in port_views(candidates):
        assert view.port is not None
        assert target_of(view.port, candidates) in {view.device, *view.stable_names}


def test_two_adapters_that_look_the_same_have_no_name() -> None:
    twin = PortCandidate(device="/dev/ttyUSB2", vid=0x1A86, pid=0x7523)
    views = port_views([CHEAP, twin, FTDI])
    assert [view.port for view in views] == [None, None, BY_ID]
    said = listed(CHEAP, twin)
    assert said.count("udev rule (docs/drivers.md)") == 2
    assert '"unstable:/dev/ttyUSB2"' in said


def test_an_adapter_without_any_name_is_not_offered_under_a_passing_one() -> None:
    assert port_views([PortCandidate(device="/dev/ttyACM0")])[0].port is None


def test_without_ports_it_says_what_to_do() -> None:
    said = listed()
    assert "No serial ports here" in said
    assert "socket://HOST:PORT" in said
    assert "cardshoe sim --help" in said


def test_who_holds_a_port_is_named(tmp_path: Path) -> None:
    end = PtyEnd(tmp_path / "shoe")
    try:
        held = port_views([PortCandidate(device=end.url)])[0].held_by
        assert held
        said = " ".join(listed(PortCandidate(device=end.url)).split())  # it may go on in another line
        assert f"held by {' '.join(held[0].command.split())} (pid {held[0].pid})" in said
    finally:
        end.vanish()


def test_a_family_that_cannot_be_used_is_said() -> None:
    broken = FamilyView(name="lamp", summary="", problem="cardshoe-lamp cannot be used")
    assert "lamp         unusable: cardshoe-lamp cannot be used" in "\n".join(
        listing(PortsView(ports=[], families=[FAMILY, broken]))
    )


def test_a_usb_device_without_a_serial_port_is_listed_by_its_numbers() -> None:
    said = listed(FTDI, BULK)
    assert "/dev/bus/usb/001/004  1209:0001  SHOE1          Bulk shoe\n" in said
    assert '    port = "bulk:1209:0001:SHOE1"\n' in said
    assert "    no serial port but bulk pipes\n" in said


def test_two_usb_devices_that_look_the_same_have_no_name_and_no_rule_would_help() -> None:
    one = PortCandidate("/dev/bus/usb/001/005", vid=0x1209, pid=0x0001, kind="bulk")
    other = PortCandidate("/dev/bus/usb/001/006", vid=0x1209, pid=0x0001, kind="bulk")
    assert [view.port for view in port_views([one, other])] == [None, None]
    said = listed(one, other)
    assert said.count("unplug one") == 2
    assert "unstable:" not in said


def test_without_libusb_that_is_said_and_the_rest_is_listed() -> None:
    view = PortsView(ports=port_views([FTDI]), families=[FAMILY], bulk_problem="no libusb is installed. Install it.")
    said = "\n".join(listing(view))
    assert BY_ID in said
    assert "not listed: no libusb is installed. Install it." in said
    assert "not listed" not in listed(FTDI)

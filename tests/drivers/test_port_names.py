"""Which device a name means; real values, no machine asked."""

import pytest

from drivers.discovery import port_by_name, port_maker
from drivers.errors import BadPortName, PortAmbiguous, PortMissing, UnstablePortName
from drivers.port_names import PortCandidate, check_name, target_of
from drivers.serial_port import SerialSettings
from tests.kit.far_ends import PtyEnd
from tests.kit.waiting import PATIENCE_S

BY_ID = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10K3XYZ-if00-port0"
SHOE = PortCandidate("/dev/ttyUSB0", "FT232R USB UART", 0x0403, 0x6001, "A10K3XYZ", (BY_ID,))
SHUFFLER = PortCandidate("/dev/ttyUSB1", "FT232R USB UART", 0x0403, 0x6001, "B22L9ABC")
CHEAP = PortCandidate("/dev/ttyUSB2", "USB Serial", 0x1A86, 0x7523)
BOARD = PortCandidate("/dev/ttyS0", "ttyS0")
ALL = [SHOE, SHUFFLER, CHEAP, BOARD]


@pytest.mark.parametrize(
    ("name", "target"),
    [
        (BY_ID, BY_ID),
        ("/dev/shoe", "/dev/shoe"),
        ("./shoe", "./shoe"),
        ("/dev/ttyS0", "/dev/ttyS0"),
        ("/dev/pts/3", "/dev/pts/3"),
        ("usb:0403:6001:A10K3XYZ", "/dev/ttyUSB0"),
        ("usb:0403:6001:B22L9ABC", "/dev/ttyUSB1"),
        ("usb:1a86:7523", "/dev/ttyUSB2"),
        ("usb:1A86:7523", "/dev/ttyUSB2"),
        ("unstable:/dev/ttyUSB0", "/dev/ttyUSB0"),
        ("unstable:/dev/shoe", "/dev/shoe"),
        ("socket://192.0.2.7:4001", "socket://192.0.2.7:4001"),
        ("socket://[2001:db8::7]:4001", "socket://[2001:db8::7]:4001"),
        ("rfc2217://box:2217?timeout=1", "rfc2217://box:2217?timeout=1"),
        ("spy:///dev/shoe", "spy:///dev/shoe"),
        ("spy:///dev/shoe?file=/tmp/log", "spy:///dev/shoe?file=/tmp/log"),
        ("spy://usb:1a86:7523?color", "spy:///dev/ttyUSB2?color"),
    ],
)
def test_a_good_name_means_one_thing(name: str, target: str) -> None:
    assert target_of(name, ALL) == target
    check_name(name)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "no port has this name"),
        ("  ", "no port has this name"),
        ("/dev/sh\0oe", "no port has this name"),
        ("usb:403:6001", "four hex digits"),
        ("usb:0403", "four hex digits"),
        ("usb:0403:6001:", "four hex digits"),
        ("usb:gggg:6001", "four hex digits"),
        ("tcp://box:4001", "unknown scheme tcp://"),
        ("socket://box", "host or port number is missing"),
        ("socket://:4001", "host or port number is missing"),
        ("socket://box:0", "host or port number is missing"),
        ("socket://box:65536", "no number from 1 to 65535"),
        ("rfc2217://box:shoe", "no number from 1 to 65535"),
        ("spy://", "no port has this name"),
        ("spy://socket://box:4001", "not on a URL"),
    ],
)
def test_a_bad_name_is_refused_before_anything_is_opened(name: str, problem: str) -> None:
    with pytest.raises(BadPortName, match=problem) as caught:
        target_of(name, ALL)
    assert "cardshoe ports" in caught.value.remedy
    with pytest.raises(BadPortName, match=problem):
        check_name(name)


@pytest.mark.parametrize("name", ["/dev/ttyUSB0", "/dev/ttyACM12", "/dev/rfcomm0", "spy:///dev/ttyUSB0"])
def test_a_name_that_changes_hands_is_refused(name: str) -> None:
    with pytest.raises(UnstablePortName) as caught:
        target_of(name, ALL)
    bare = name.removeprefix("spy://")
    assert f"write unstable:{bare}" in caught.value.remedy
    with pytest.raises(UnstablePortName):
        check_name(name)
    assert target_of(name, ALL, allow_unstable=True) == name


def test_the_stable_names_of_the_same_device_are_offered() -> None:
    remedies = {}
    for name in ("/dev/ttyUSB0", "/dev/ttyUSB1", "/dev/ttyUSB9"):
        with pytest.raises(UnstablePortName) as caught:
            target_of(name, ALL)
        remedies[name] = (caught.value.stable_names, caught.value.remedy.partition(".")[0])
    assert remedies == {
        "/dev/ttyUSB0": ((BY_ID,), f"Use {BY_ID}"),
        "/dev/ttyUSB1": (("usb:0403:6001:B22L9ABC",), "Use usb:0403:6001:B22L9ABC"),
        "/dev/ttyUSB9": ((), "Give the adapter a name by a udev rule"),
    }


def test_two_of_a_kind_are_refused_and_named() -> None:
    with pytest.raises(PortAmbiguous) as caught:
        target_of("usb:0403:6001", ALL)
    assert caught.value.matches == (f"/dev/ttyUSB0 ({BY_ID})", "/dev/ttyUSB1 (usb:0403:6001:B22L9ABC)")
    assert "2 devices match" in caught.value.problem
    assert "serial number" in caught.value.remedy


def test_two_with_the_same_serial_number_are_refused_too() -> None:
    twin = PortCandidate("/dev/ttyUSB7", "clone", 0x0403, 0x6001, "A10K3XYZ")
    with pytest.raises(PortAmbiguous):
        target_of("usb:0403:6001:A10K3XYZ", [*ALL, twin])


@pytest.mark.parametrize("name", ["usb:0403:6001:C", "usb:1a86:7523:A10K3XYZ", "usb:0000:0000"])
def test_none_is_refused_and_what_is_there_is_named(name: str) -> None:
    with pytest.raises(PortMissing) as caught:
        target_of(name, ALL)
    for candidate in ALL:
        assert candidate.device in caught.value.problem


def test_what_is_there_is_named_of_the_kind_that_was_asked_for() -> None:
    bulk = PortCandidate("/dev/bus/usb/001/004", "Bulk shoe", 0x1209, 0x0001, "SHOE1", kind="bulk")
    with pytest.raises(PortMissing, match="USB bulk devices there: none"):
        target_of("bulk:1209:0001", ALL)
    with pytest.raises(PortMissing, match="serial ports there: none"):
        target_of("usb:1209:0001", [bulk])
    with pytest.raises(PortMissing, match=r"USB bulk devices there: /dev/bus/usb/001/004 \(bulk:1209:0001:SHOE1\)\."):
        target_of("bulk:1209:0002", [*ALL, bulk])
    assert target_of("bulk:1209:0001", [*ALL, bulk]) == "/dev/bus/usb/001/004"
    assert target_of("unstable:bulk:1209:0001", [bulk]) == "/dev/bus/usb/001/004"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("bulk:1209", "a USB pattern is bulk:VID:PID or bulk:VID:PID:SERIAL, VID and PID four hex digits each"),
        ("bulk:10C4:EA60", "Silicon Labs CP210x is a serial adapter, write usb:10c4:ea60"),
        ("spy://bulk:1209:0001", "not on USB pipes"),
    ],
)
def test_a_bad_bulk_name_is_refused_before_anything_is_opened(name: str, problem: str) -> None:
    with pytest.raises(BadPortName, match=problem):
        check_name(name)


def test_none_at_all_says_so() -> None:
    with pytest.raises(PortMissing, match="serial ports there: none"):
        target_of("usb:0403:6001", [])


def test_the_best_name_is_the_most_stable() -> None:
    assert [candidate.best_name() for candidate in ALL] == [
        BY_ID,
        "usb:0403:6001:B22L9ABC",
        "usb:1a86:7523",
        "/dev/ttyS0",
    ]


def test_a_usb_name_is_opened_where_the_adapter_is_now(pty: PtyEnd) -> None:
    """The same name, and another device file after the re-plug."""
    name = "usb:0403:6001:A10K3XYZ"
    for _ in range(2):
        now = PortCandidate(str(pty.link.resolve()), "FT232R", 0x0403, 0x6001, "A10K3XYZ")
        port = port_by_name(name, SerialSettings(), candidates=[now])
        assert port.name == name
        port.open()
        pty.send(b"x")
        assert port.read(PATIENCE_S) == b"x"
        port.close()
        pty.vanish()
        pty.plug_in()


def test_a_port_maker_looks_at_the_machine_when_it_is_called() -> None:
    make_port = port_maker("usb:0000:0000")  # no maker has these numbers
    with pytest.raises(PortMissing):
        make_port()


def test_a_person_may_insist_on_an_unstable_name() -> None:
    assert port_maker("/dev/ttyUSB0", allow_unstable=True)().name == "/dev/ttyUSB0"
    with pytest.raises(UnstablePortName):
        port_maker("/dev/ttyUSB0")()

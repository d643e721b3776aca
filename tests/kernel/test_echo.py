"""Echoing devices at a real kernel: what it reads, moves, refuses and reports."""

from pathlib import Path

import pytest

from tests.kernel.uml import boot, needs_kernel, told
from tests.sim.usb.buses import BOS, MICROSOFT

IDENTITY = "1209 {} 0100"
FULL_SPEED = "12"  # Mbit/s


@needs_kernel
def test_two_devices_at_linux(tmp_path: Path) -> None:
    """One boot for all of it: a boot costs seconds."""
    seen = boot("echo", tmp_path)

    # Found, and shown as what they are.
    assert seen["listed"] == ["1-1 1209:0001", "1-2 1209:0002"]
    assert seen["bulk identity"] == ["1209", "0001", "0100", "cardshoe simulator", "echo bulk", "SN-1", FULL_SPEED, "1"]
    assert seen["bulk interface"] == ["ff", "03"]
    assert bytes.fromhex(str(seen["binary object store"])) == bytes.fromhex(BOS)
    assert bytes.fromhex(str(seen["microsoft"])) == bytes.fromhex(MICROSOFT)
    assert seen["cdc identity"] == ["1209", "0002", "0100", "cardshoe simulator", "echo cdc", "SN-2", FULL_SPEED, "2"]
    assert seen["drivers"] == ["cdc_acm", "cdc_acm"]

    # Without permission: found, and not opened; permission is what the rule gives.
    assert seen["without permission"] == [True, "USBError", 13]

    # Bytes go both ways, a message that fills its packets ends a longer read.
    for count in (4, 64, 200):
        assert seen[f"echo {count}"] == [count, count, True]
    assert seen["serial echo"] is True

    assert seen["packaged libusb"] == ["SN-1", 8, "packaged"]

    # Notices, timeouts and stalls.
    assert seen["notice while nothing waits"] == ["USBTimeoutError", 110]
    assert seen["notice"] == [1]
    assert seen["after the notice"] == "notice"
    assert seen["timeout"] == ["USBTimeoutError", 110]
    assert seen["after the timeout"] == "next"
    assert seen["unknown request"] == ["USBError", 32]
    assert seen["line"] == {"baud": 9600, "data bits": 7, "parity": 2, "stop bits": 0, "dtr": True, "rts": True}

    # The cable.
    assert seen["unplugged in a read"] == ["USBError", 19]
    assert seen["after the unplugging"] == ["USBError", 19]
    assert seen["another address"] is True
    assert seen["after the replug"] == "again"
    assert seen["serial unplugged"] == ["SerialException", None]
    assert seen["serial after the replug"] == "again"


@needs_kernel
def test_a_script_that_fails_fails_its_test_with_all_it_said(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"(?s)failing failed.*it said this.*ZeroDivisionError"):
        boot("failing", tmp_path)


def test_findings_are_read_between_other_lines() -> None:
    console = 'usb 2-1: new device\r\nRESULT:["one", [1, "x"]]\r\nRESULT:["two", null]\n'
    assert told(console) == {"one": [1, "x"], "two": None}
    with pytest.raises(AssertionError, match="one was told twice"):
        told('RESULT:["one", 1]\nRESULT:["one", 1]\n')

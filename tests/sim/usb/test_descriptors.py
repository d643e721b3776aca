"""The simulated devices' descriptors, byte by byte from USB 2.0, CDC 1.2 and Microsoft's OS 2.0 descriptors."""

import pytest

from sim.usb import usb_wire
from sim.usb.descriptors import string, walk
from sim.usb.setup import Setup
from tests.sim.usb.buses import BOS, BULK_CONFIGURATION, BULK_DEVICE, LONG, MICROSOFT

CDC_DEVICE = "12 01 00 02 EF 02 01 40 09 12 02 00 00 01 01 02 03 01"

CDC_CONFIGURATION = """
    09 02 4B 00 02 01 00 C0 00
    08 0B 00 02 02 02 00 00
    09 04 00 00 01 02 02 00 00
    05 24 00 20 01
    05 24 01 00 01
    04 24 02 06
    05 24 06 00 01
    07 05 82 03 10 00 10
    09 04 01 00 02 0A 00 00 00
    07 05 01 02 40 00 00
    07 05 81 02 40 00 00
"""


def bulk(setup: Setup) -> bytes:
    return usb_wire("bulk", "SN-1", product="Shuffler").device.control(setup)


def cdc(setup: Setup) -> bytes:
    return usb_wire("cdc", "SN-2", product="Shoe").device.control(setup)


def test_device_descriptors() -> None:
    assert bulk(Setup(0x80, 6, 0x0100, 0, LONG)) == bytes.fromhex(BULK_DEVICE)
    assert cdc(Setup(0x80, 6, 0x0100, 0, LONG)) == bytes.fromhex(CDC_DEVICE)


def test_configurations() -> None:
    assert bulk(Setup(0x80, 6, 0x0200, 0, LONG)) == bytes.fromhex(BULK_CONFIGURATION)
    assert cdc(Setup(0x80, 6, 0x0200, 0, LONG)) == bytes.fromhex(CDC_CONFIGURATION)


def test_an_answer_is_cut_to_what_was_asked_for() -> None:
    assert bulk(Setup(0x80, 6, 0x0200, 0, 9)) == bytes.fromhex(BULK_CONFIGURATION)[:9]


def test_strings() -> None:
    assert bulk(Setup(0x80, 6, 0x0300, 0, LONG)) == bytes.fromhex("04 03 09 04")
    maker = "cardshoe simulator".encode("utf-16-le")
    assert bulk(Setup(0x80, 6, 0x0301, 0x0409, LONG)) == b"\x26\x03" + maker
    assert cdc(Setup(0x80, 6, 0x0302, 0x0409, LONG)) == bytes.fromhex("0A 03 53 00 68 00 6F 00 65 00")
    assert cdc(Setup(0x80, 6, 0x0303, 0x0409, LONG)) == bytes.fromhex("0A 03 53 00 4E 00 2D 00 32 00")


def test_windows_is_told_to_bind_winusb() -> None:
    assert bulk(Setup(0x80, 6, 0x0F00, 0, LONG)) == bytes.fromhex(BOS)
    assert bulk(Setup(0xC0, 0x20, 0, 7, LONG)) == bytes.fromhex(MICROSOFT)


def test_a_string_too_long_for_usb_is_refused() -> None:
    assert string("x" * 126)[0] == 254
    with pytest.raises(ValueError, match="127 units of UTF-16"):
        usb_wire("bulk", "x" * 127, product="Shuffler")


@pytest.mark.parametrize("wrong", ["01", "09 02", "02 05 00", "00 00"])
def test_descriptors_that_do_not_add_up_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="descriptor at byte"):
        list(walk(bytes.fromhex(wrong)))

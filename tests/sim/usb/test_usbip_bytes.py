"""USB/IP by the byte; transfers as in the example of Linux's usbip_protocol.rst."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.usb import usbip
from sim.usb.usbip import Exported, ImportRequest, ListRequest, ProtocolBroken, Submit, Unlink, UsbIpDecoder

SUBMIT_IN = bytes.fromhex(
    "00000001 00000d05 0001000f 00000001 00000001 00000200 00000040 ffffffff 00000000 00000004 00000000 00000000"
)
SUBMIT_OUT = bytes.fromhex(
    "00000001 00000d06 0001000f 00000000 00000001 00000000 00000040 ffffffff 00000000 00000004 00000000 00000000"
    "ffffffff 860008a7 84ce5ae2 12376300 00000000 00000000 00000000 00000000"
    "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
)
RETURN_OUT = bytes.fromhex(
    "00000003 00000d06 00000000 00000000 00000000 00000000 00000040 ffffffff 00000000 00000000 00000000 00000000"
)
RETURN_IN = bytes.fromhex(
    "00000003 00000d05 00000000 00000000 00000000 00000000 00000040 ffffffff 00000000 00000000 00000000 00000000"
)
UNLINK = bytes.fromhex(
    "00000002 00000d07 0001000f 00000000 00000000 00000d05 00000000 00000000 00000000 00000000 00000000 00000000"
)
RETURN_UNLINK = bytes.fromhex(
    "00000004 00000d07 00000000 00000000 00000000 ffffff98 00000000 00000000 00000000 00000000 00000000 00000000"
)
LIST = bytes.fromhex("01 11 80 05 00 00 00 00")
IMPORT = bytes.fromhex("01 11 80 03 00 00 00 00 31 2D 31") + bytes(29)
DEVICE_DESCRIPTOR = bytes.fromhex("12 01 10 02 EF 02 01 40 09 12 02 00 00 01 01 02 03 01")
SHOE = Exported("1-2", 1, 7, 2, DEVICE_DESCRIPTOR, 1, ((2, 2, 0), (10, 0, 0)))
SHOE_BYTES = (
    b"/sys/devices/platform/cardshoe-sim/usb1/1-2".ljust(256, b"\0")
    + b"1-2".ljust(32, b"\0")
    + bytes.fromhex("00 00 00 01 00 00 00 07 00 00 00 02 12 09 00 02 01 00 EF 02 01 01 01 02")
)

SUBMITTED_IN = Submit(0xD05, 0x1000F, 0x81, 0x200, 0x40, 0xFFFFFFFF, 0, bytes(8), b"")
SUBMITTED_OUT = Submit(0xD06, 0x1000F, 0x01, 0, 0x40, 0xFFFFFFFF, 0, bytes(8), SUBMIT_OUT[48:])


def decoded(data: bytes, size: int, *, attached: bool) -> list[object]:
    decoder = UsbIpDecoder()
    decoder.is_attached = attached
    found: list[object] = []
    for at in range(0, len(data), size):
        decoder.push(data[at : at + size])
        while (request := decoder.next()) is not None:
            found.append(request)
    return found


@pytest.mark.parametrize("size", [1, 7, 48, 4096])
def test_requests_in_pieces_of_any_size(size: int) -> None:
    expected = [SUBMITTED_IN, SUBMITTED_OUT, Unlink(0xD07, 0x1000F, 0xD05), SUBMITTED_IN]
    assert decoded(SUBMIT_IN + SUBMIT_OUT + UNLINK + SUBMIT_IN, size, attached=True) == expected
    assert decoded(LIST + IMPORT, size, attached=False) == [ListRequest(), ImportRequest("1-1")]


def test_a_control_transfer_carries_its_setup_packet() -> None:
    head = "00000001 00000001 00010002 00000001 00000000 00000200 00000012 00000000 ffffffff 00000000"
    (request,) = decoded(bytes.fromhex(head + "80 06 00 01 00 00 12 00"), 48, attached=True)
    assert request == Submit(1, 0x10002, 0x80, 0x200, 18, 0, 0xFFFFFFFF, bytes.fromhex("8006000100001200"), b"")


def test_answers_to_transfers() -> None:
    assert usbip.submitted(SUBMITTED_IN, 0, 64, bytes(64)) == RETURN_IN + bytes(64)
    assert usbip.submitted(SUBMITTED_OUT, 0, 64) == RETURN_OUT
    stalled = bytearray(RETURN_OUT)
    stalled[20:28] = bytes.fromhex("FF FF FF E0 00 00 00 00")
    assert usbip.submitted(SUBMITTED_OUT, -32, 0) == stalled
    assert usbip.unlinked(Unlink(0xD07, 0x1000F, 0xD05), -104) == RETURN_UNLINK


def test_answers_to_operations() -> None:
    assert len(SHOE_BYTES) == 312
    head = bytes.fromhex("01 11 00 05 00 00 00 00 00 00 00 01")
    assert usbip.device_list([SHOE]) == head + SHOE_BYTES + bytes.fromhex("02 02 00 00 0A 00 00 00")
    assert usbip.device_list([]) == bytes.fromhex("01 11 00 05 00 00 00 00 00 00 00 00")
    assert usbip.import_granted(SHOE) == bytes.fromhex("01 11 00 03 00 00 00 00") + SHOE_BYTES
    assert usbip.import_refused(usbip.BUSY) == bytes.fromhex("01 11 00 03 00 00 00 02")
    assert usbip.import_refused(usbip.NO_DEVICE) == bytes.fromhex("01 11 00 03 00 00 00 04")
    assert SHOE.device_id == 0x10007


@pytest.mark.parametrize(
    ("data", "attached", "reason"),
    [
        ("01 06 80 05 00 00 00 00", False, "version 0106"),
        ("47 45 54 20 2F 20 48 54", False, "version 4745"),
        ("01 11 80 07 00 00 00 00", False, "operation 8007"),
        ("00000003" + "00" * 44, True, "command 00000003"),
        ("00000001 00000001 00010001 00000000 00000001 00000000 00100001" + "00" * 20, True, "too long"),
        (
            "00000001 00000001 00010001 00000001 00000001 00000000 00000040 00000000 00000008" + "00" * 12,
            True,
            "isochronous",
        ),
    ],
)
def test_what_is_no_request_is_said(data: str, attached: bool, reason: str) -> None:
    with pytest.raises(ProtocolBroken, match=reason) as caught:
        decoded(bytes.fromhex(data), 4096, attached=attached)
    assert bytes.fromhex(data).startswith(caught.value.raw)


@given(st.binary(max_size=400), st.integers(1, 60), st.booleans())
def test_no_bytes_break_the_decoder_but_by_saying_so(noise: bytes, size: int, attached: bool) -> None:
    try:
        found = decoded(noise, size, attached=attached)
    except ProtocolBroken:
        return
    # The shortest request has 8 bytes.
    assert len(found) <= len(noise) // 8

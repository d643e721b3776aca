"""Descriptors read from bytes written by hand after USB 2.0, 9.6: whole, damaged, and lying."""

import struct
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.usb_facts import InterfaceKind, UsbInterface
from drivers.usb_facts.descriptors import DescriptorsBroken, described

DEVICE: Final = bytes.fromhex("12 01 00 02 ef 02 01 40 09 12 02 00 00 01 01 02 03 01")
"""1209:0002, class of an association, one configuration."""
TWO: Final = DEVICE[:-1] + b"\x02"
ASSOCIATION: Final = bytes.fromhex("08 0b 00 02 02 02 00 00")
CONTROL: Final = bytes.fromhex("09 04 00 00 01 02 02 00 00") + bytes.fromhex("05 24 00 20 01 07 05 82 03 10 00 10")
DATA: Final = bytes.fromhex("09 04 01 00 02 0a 00 00 00") + bytes.fromhex("07 05 01 02 40 00 00 07 05 81 02 40 00 00")
KEYS: Final = bytes.fromhex("09 04 02 00 01 03 01 01 00") + bytes.fromhex(
    "09 21 11 01 00 01 22 3f 00 07 05 83 03 08 00 0a"
)
KEYS_ALTERNATE: Final = bytes.fromhex("09 04 01 01 00 03 01 01 00")
DISK: Final = bytes.fromhex("09 04 00 00 00 08 06 50 00")


def configuration(count: int, *parts: bytes, value: int = 1, length: int | None = None) -> bytes:
    body = b"".join(parts)
    total = 9 + len(body) if length is None else length
    return struct.pack("<BBHBBBBB", 9, 2, total, count, value, 0, 0xC0, 0) + body


SERIAL_PORT: Final = DEVICE + configuration(2, ASSOCIATION, CONTROL, DATA)


def kinds(data: bytes) -> list[str]:
    return [str(one.kind) for one in described(data).interfaces]


def test_a_serial_port() -> None:
    said = described(SERIAL_PORT)
    assert (said.vid, said.pid, str(said.kind)) == (0x1209, 0x0002, "ef:02:01")
    assert said.interfaces == (
        UsbInterface(1, 0, 0, InterfaceKind(2, 2, 0)),
        UsbInterface(1, 1, 0, InterfaceKind(10, 0, 0)),
    )


def test_what_is_shown_besides_is_found_wherever_it_stands() -> None:
    assert kinds(DEVICE + configuration(3, CONTROL, DATA, KEYS)) == ["02:02:00", "0a:00:00", "03:01:01"]
    alternate = described(DEVICE + configuration(2, CONTROL, DATA, KEYS_ALTERNATE)).interfaces
    assert alternate[-1] == UsbInterface(1, 1, 1, InterfaceKind(3, 1, 1))
    second = described(TWO + configuration(2, CONTROL, DATA) + configuration(1, DISK, value=2)).interfaces
    assert second[-1] == UsbInterface(2, 0, 0, InterfaceKind(8, 6, 0x50))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "byte 0: no device descriptor"),
        (DEVICE[:17], "byte 0: no device descriptor"),
        (b"\x11" + DEVICE[1:], "byte 0: no device descriptor"),
        (b"\x13" + DEVICE[1:] + b"\x00", "byte 0: no device descriptor"),
        (DEVICE, "byte 18: 1 configurations announced, 0 there"),
        (TWO + configuration(1, DISK), "byte 36: 2 configurations announced, 1 there"),
        (DEVICE + configuration(1, DISK) * 2, "byte 36: configuration 1 comes twice"),
        (DEVICE + DISK, "byte 18: no configuration descriptor"),
        (SERIAL_PORT[:-1], "byte 18: a configuration of 61 bytes, 60 are there"),
        (DEVICE + configuration(1, DISK, length=8), "byte 18: a configuration of 8 bytes, 18 are there"),
        (DEVICE + configuration(1, b"\x00\x04", DISK), "byte 27: a descriptor of 0 bytes, 11 are left"),
        (DEVICE + configuration(1, DISK, b"\x05\x24"), "byte 36: a descriptor of 5 bytes, 2 are left"),
        (
            DEVICE + configuration(1, bytes.fromhex("05 04 00 00 00")),
            "byte 27: an interface descriptor that is too short",
        ),
        (DEVICE + configuration(1, CONTROL, DATA), "byte 18: 1 interfaces announced, 2 there"),
        (DEVICE + configuration(2, CONTROL), "byte 18: 2 interfaces announced, 1 there"),
    ],
)
def test_what_makes_no_sense_is_refused_and_says_where(data: bytes, message: str) -> None:
    with pytest.raises(DescriptorsBroken) as broken:
        described(data)
    assert str(broken.value) == message


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, len(SERIAL_PORT) - 1), st.integers(0, 255)), max_size=4), st.integers(0, 80))
def test_nothing_else_is_raised(changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(SERIAL_PORT)
    for at, value in changes:
        data[at] = value
    broken: DescriptorsBroken | None = None
    try:
        described(bytes(data[:cut]))
    except DescriptorsBroken as error:
        broken = error
    assert broken is None or 0 <= broken.offset <= len(data)


@pytest.mark.parametrize("text", ["", "02:02", "2:2:1", "02:02:01:00", "02:02:*", "gg:00:00", "02:02:01 "])
def test_a_kind_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="is no interface class: write class, subclass and protocol"):
        InterfaceKind.parsed(text)


def test_a_kind_reads_as_it_is_written() -> None:
    assert str(InterfaceKind.parsed("0A:00:ff")) == "0a:00:ff"

"""Descriptors as a device sends them (USB 2.0, chapter 9.6)."""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from drivers.usb_facts.facts import InterfaceKind, UsbInterface

DEVICE_BYTES: Final = 18
_DEVICE: Final = 1
_CONFIGURATION: Final = 2
_INTERFACE: Final = 4
_CONFIGURATION_BYTES: Final = 9
_INTERFACE_BYTES: Final = 9
_HEADER_BYTES: Final = 2


class DescriptorsBroken(ValueError):
    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(f"byte {offset}: {reason}")
        self.offset = offset
        self.reason = reason


class Described(NamedTuple):
    vid: int
    pid: int
    kind: InterfaceKind
    interfaces: tuple[UsbInterface, ...]


def described(data: bytes) -> Described:
    """Missing parts are an error: they may hide a keyboard.

    Raises:
        DescriptorsBroken: cut off, contradictory, or fewer parts than announced.
    """
    if len(data) < DEVICE_BYTES or (data[0], data[1]) != (DEVICE_BYTES, _DEVICE):
        raise DescriptorsBroken(0, "no device descriptor")
    kind = InterfaceKind(*data[4:7])
    vid, pid = struct.unpack_from("<HH", data, 8)
    announced = data[17]
    interfaces: list[UsbInterface] = []
    values: set[int] = set()
    at = DEVICE_BYTES
    while at < len(data):
        end, value, found = _configuration(data, at)
        if value in values:
            raise DescriptorsBroken(at, f"configuration {value} comes twice")
        values.add(value)
        interfaces += found
        at = end
    if len(values) != announced:
        raise DescriptorsBroken(at, f"{announced} configurations announced, {len(values)} there")
    return Described(vid, pid, kind, tuple(interfaces))


def _configuration(data: bytes, start: int) -> tuple[int, int, list[UsbInterface]]:
    if len(data) - start < _CONFIGURATION_BYTES or data[start + 1] != _CONFIGURATION:
        raise DescriptorsBroken(start, "no configuration descriptor")
    (length,) = struct.unpack_from("<H", data, start + 2)
    announced, value = data[start + 4], data[start + 5]
    if not _CONFIGURATION_BYTES <= length <= len(data) - start:
        raise DescriptorsBroken(start, f"a configuration of {length} bytes, {len(data) - start} are there")
    interfaces = []
    for at, one in _walk(data, start, start + length):
        if one[1] != _INTERFACE:
            continue
        if len(one) < _INTERFACE_BYTES:
            raise DescriptorsBroken(at, "an interface descriptor that is too short")
        interfaces.append(UsbInterface(value, one[2], one[3], InterfaceKind(*one[5:8])))
    numbers = {one.number for one in interfaces}
    if len(numbers) != announced:
        raise DescriptorsBroken(start, f"{announced} interfaces announced, {len(numbers)} there")
    return start + length, value, interfaces


def _walk(data: bytes, at: int, end: int) -> Iterator[tuple[int, bytes]]:
    while at < end:
        length = data[at]
        if length < _HEADER_BYTES or at + length > end:
            raise DescriptorsBroken(at, f"a descriptor of {length} bytes, {end - at} are left")
        yield at, data[at : at + length]
        at += length

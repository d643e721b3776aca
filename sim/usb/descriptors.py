"""USB descriptors as bytes (USB 2.0, chapter 9; little-endian)."""

import struct
from collections.abc import Iterator
from typing import Final
from uuid import UUID

DEVICE: Final = 1
CONFIGURATION: Final = 2
STRING: Final = 3
INTERFACE: Final = 4
ENDPOINT: Final = 5
INTERFACE_ASSOCIATION: Final = 11
BOS: Final = 15
_DEVICE_CAPABILITY: Final = 16

BULK: Final = 2
INTERRUPT: Final = 3

_USB_2_0: Final = 0x0200
_USB_2_1: Final = 0x0210
ENGLISH_US: Final = 0x0409
CONFIGURATION_VALUE: Final = 1
_SELF_POWERED: Final = 0xC0
_HEADER_BYTES: Final = 2
_LONGEST_STRING: Final = 126
"""UTF-16 units: a descriptor's length is one byte, less 2 of header."""

_USB_2_EXTENSION: Final = 2
_PLATFORM: Final = 5
_MS_OS_20: Final = UUID("D8DD60DF-4589-4CC7-9CD2-659D9E648A9F")
_WINDOWS_8_1: Final = 0x06030000
MS_VENDOR_CODE: Final = 0x20
"""``bRequest`` for the Microsoft OS 2.0 set; any number would do."""
MS_OS_20_INDEX: Final = 7
_REG_MULTI_SZ: Final = 7


def device(
    triple: tuple[int, int, int],
    vendor: int,
    product: int,
    release: int,
    packet_bytes: int,
    *,
    has_bos: bool,
    has_serial_number: bool = True,
    configurations: int = 1,
) -> bytes:
    """Device descriptor; strings are 1 maker, 2 product, 3 serial number."""
    usb = _USB_2_1 if has_bos else _USB_2_0
    strings = (1, 2, 3 if has_serial_number else 0)
    return struct.pack(
        "<BBHBBBBHHHBBBB",
        18,
        DEVICE,
        usb,
        *triple,
        packet_bytes,
        vendor,
        product,
        release,
        *strings,
        configurations,
    )


def configuration(interfaces: bytes, count: int, value: int = CONFIGURATION_VALUE) -> bytes:
    return (
        struct.pack("<BBHBBBBB", 9, CONFIGURATION, 9 + len(interfaces), count, value, 0, _SELF_POWERED, 0) + interfaces
    )


def interface(number: int, endpoints: int, triple: tuple[int, int, int]) -> bytes:
    return struct.pack("<BBBBBBBBB", 9, INTERFACE, number, 0, endpoints, *triple, 0)


def association(first: int, count: int, triple: tuple[int, int, int]) -> bytes:
    return struct.pack("<BBBBBBBB", 8, INTERFACE_ASSOCIATION, first, count, *triple, 0)


def endpoint(address: int, kind: int, packet_bytes: int, interval: int = 0) -> bytes:
    """Endpoint descriptor; ``interval`` in milliseconds, as at full speed."""
    return struct.pack("<BBBBHB", 7, ENDPOINT, address, kind, packet_bytes, interval)


def string(text: str) -> bytes:
    """String descriptor.

    Raises:
        ValueError: more than 126 UTF-16 units.
    """
    data = text.encode("utf-16-le")
    if len(data) > 2 * _LONGEST_STRING:
        raise ValueError(f"{text!r} has {len(data) // 2} units of UTF-16; a USB string has {_LONGEST_STRING} at most")
    return bytes([2 + len(data), STRING]) + data


def languages() -> bytes:
    return struct.pack("<BBH", 4, STRING, ENGLISH_US)


def bos(ms_set_bytes: int) -> bytes:
    extension = struct.pack("<BBBI", 7, _DEVICE_CAPABILITY, _USB_2_EXTENSION, 0)
    platform = struct.pack("<BBBB", 28, _DEVICE_CAPABILITY, _PLATFORM, 0) + _MS_OS_20.bytes_le
    platform += struct.pack("<IHBB", _WINDOWS_8_1, ms_set_bytes, MS_VENDOR_CODE, 0)
    capabilities = extension + platform
    return struct.pack("<BBHB", 5, BOS, 5 + len(capabilities), 2) + capabilities


def ms_os_20(guid: UUID) -> bytes:
    """Microsoft OS 2.0 set: assigns the device to WinUSB, under the interface ``guid``."""
    compatible = struct.pack("<HH8s8s", 20, 3, b"WINUSB", b"")
    name = "DeviceInterfaceGUIDs\0".encode("utf-16-le")
    # A list of strings: each ends with a zero, and the list with one more.
    value = f"{{{str(guid).upper()}}}\0\0".encode("utf-16-le")
    registry = struct.pack("<HHHH", 10 + len(name) + len(value), 4, _REG_MULTI_SZ, len(name)) + name
    registry += struct.pack("<H", len(value)) + value
    total = 10 + len(compatible) + len(registry)
    return struct.pack("<HHIH", 10, 0, _WINDOWS_8_1, total) + compatible + registry


def walk(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        length = data[at]
        if length < _HEADER_BYTES or at + length > len(data):
            raise ValueError(f"descriptor at byte {at} says it has {length} bytes; {len(data) - at} are left")
        yield data[at : at + length]
        at += length

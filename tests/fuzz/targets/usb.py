"""A USB device's word about itself (USB 2.0, 9.6), and the verdict on it."""

from collections.abc import Iterable
from typing import Final

from drivers.usb_facts.descriptors import DescriptorsBroken, described
from drivers.usb_facts.facts import UsbFacts
from firmware_bridge.usb_guard.kinds import danger_of
from firmware_bridge.usb_guard.policy import allowed
from firmware_bridge.usb_guard.verdict import judge
from tests.fuzz.target import Target, must

_DEVICE: Final = bytes.fromhex("12 01 00 02 ef 02 01 40 09 12 02 00 00 01 01 02 03")
_SERIAL_PORT: Final = bytes.fromhex("09 02 1b 00 02 01 00 c0 00 09 04 00 00 00 02 02 00 00 09 04 01 00 00 0a 00 00 00")
_DISK: Final = bytes.fromhex("09 02 12 00 01 02 00 c0 00 09 04 00 00 00 08 06 50 00")
_MOST: Final = 400
"""Bytes of an input: four configurations of some interfaces."""


def check_descriptors(data: bytes) -> None:
    """Descriptors: refused with the place, or facts; and what is dangerous among them never passes."""
    try:
        said = described(data)
    except DescriptorsBroken as error:
        must(error.reason and 0 <= error.offset <= len(data), "the error does not say what is wrong, or where")
        return
    device = UsbFacts("1-1", "", said.vid, said.pid, "SN", device_kind=said.kind, interfaces=said.interfaces)
    refusals = judge(allowed("shoe", "/dev/shoe"), device, [device], None)
    if not refusals:
        assert device.interfaces
        assert not any(danger_of(one.kind) for one in device.interfaces)
        assert all(1 <= len(kinds) <= 2 for kinds in device.configurations().values())


def _seeds() -> Iterable[bytes]:
    return [_DEVICE + b"\x01" + _SERIAL_PORT, _DEVICE + b"\x02" + _SERIAL_PORT + _DISK]


TARGETS: Final = {"usb-descriptors": Target(check_descriptors, _seeds, 300, _MOST)}

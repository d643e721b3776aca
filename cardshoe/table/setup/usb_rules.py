"""Rules for usbguard and udev that restrict a host to its card devices. Pure.

usbguard decides before the kernel's drivers, first match (usbguard-rules.conf(5)); udev only afterwards.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from drivers.usb_facts.facts import UsbFacts
from firmware_bridge.usb_guard.kinds import MAKER_SHAPE, PATTERNS, SERIAL_SHAPES
from firmware_bridge.usb_guard.policy import UsbPolicy

_PLAIN: Final = re.compile(r"[\x20-\x7e]+")
_SPECIAL: Final = re.compile(r"[\"\\*?\[\]|]")


class Unwritable(ValueError):
    def __init__(self, device: str, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.device = device
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class RuleSubject:
    name: str
    usb_id: str
    serial_number: str | None
    path: str | None
    shapes: tuple[tuple[str, ...], ...]
    is_bulk: bool
    was_seen: bool


def subject_of(allowed: UsbPolicy, found: UsbFacts | None) -> RuleSubject:
    """The subject of rules."""
    usb_id = "{:04x}:{:04x}".format(*allowed.usb_id) if allowed.usb_id is not None else found and found.usb_id
    if not usb_id:
        remedy = 'Plug it in, or give its USB numbers: usb = { id = "VVVV:PPPP" }.'
        raise Unwritable(allowed.device, f"{allowed.port} does not say which USB device it is", remedy)
    serial_number = allowed.serial_number or (None if found is None else found.serial_number)
    if serial_number is not None and (not _PLAIN.fullmatch(serial_number) or _SPECIAL.search(serial_number)):
        remedy = "Name it by its socket instead: write a rule by hand with via-port."
        raise Unwritable(
            allowed.device, f"the serial number {serial_number!r} has signs that mean something in rules", remedy
        )
    if allowed.interfaces is not None:
        shapes: tuple[tuple[str, ...], ...] = (tuple(str(kind) for kind in allowed.interfaces),)
    elif found is not None:
        shapes = (tuple(str(kind) for kind in found.kinds()),)
    else:
        shapes = (MAKER_SHAPE,) if allowed.is_bulk else (MAKER_SHAPE, *SERIAL_SHAPES)
    open_to_what_is_there = (allowed.usb_id, allowed.serial_number, allowed.interfaces)
    return RuleSubject(
        name=allowed.device,
        usb_id=usb_id,
        serial_number=serial_number,
        path=allowed.path,
        shapes=shapes,
        is_bulk=allowed.is_bulk,
        was_seen=found is not None and None in open_to_what_is_there,
    )


def usbguard_rules(subjects: Sequence[RuleSubject]) -> Iterator[str]:
    ids = " ".join(sorted({one.usb_id for one in subjects}))
    patterns = " ".join(sorted(pattern for some in PATTERNS.values() for pattern in some))
    yield "# A card device that is also a disk, a keyboard, a network card or a hub."
    yield f"reject id one-of {{ {ids} }} with-interface one-of {{ {patterns} }}"
    for one in subjects:
        yield from _heading(one)
        serial = "" if one.serial_number is None else f' serial "{one.serial_number}"'
        port = "" if one.path is None else f' via-port "{one.path}"'
        for shape in one.shapes:
            yield f"allow id {one.usb_id}{serial}{port} with-interface equals {{ {' '.join(shape)} }}"
    yield "# Whatever else calls itself one of these."
    yield f"reject id one-of {{ {ids} }}"


def udev_rules(subjects: Sequence[RuleSubject]) -> Iterator[str]:
    for one in subjects:
        yield from _heading(one)
        vid, pid = one.usb_id.split(":")
        numbers = f'ATTR{{idVendor}}=="{vid}", ATTR{{idProduct}}=="{pid}"'
        own = "" if one.serial_number is None else f', ATTR{{serial}}=="{one.serial_number}"'
        own += "" if one.path is None else f', KERNEL=="{one.path}"'
        parents = numbers.replace("ATTR{", "ATTRS{")
        parents_own = own.replace("ATTR{", "ATTRS{").replace("KERNEL==", "KERNELS==")
        yield f'SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_device", {numbers}{own}, ENV{{ID_MM_DEVICE_IGNORE}}="1"' + (
            ', GROUP="plugdev", MODE="0660"' if one.is_bulk else ""
        )
        if not one.is_bulk:
            yield (
                f'SUBSYSTEM=="tty", SUBSYSTEMS=="usb", {parents}{parents_own}, '
                'ENV{ID_MM_DEVICE_IGNORE}="1", GROUP="dialout", MODE="0660"'
            )
        for pattern in (pattern for some in PATTERNS.values() for pattern in some):
            kind = _interface(pattern)
            yield f'SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_interface", {parents}, {kind}, ATTR{{authorized}}="0"'


def _heading(one: RuleSubject) -> Iterator[str]:
    yield f"# device {one.name}" + (
        ": as it is plugged in, where the configuration leaves it open" if one.was_seen else ""
    )


def _interface(pattern: str) -> str:
    names = ("bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol")
    parts = zip(names, pattern.split(":"), strict=True)
    return ", ".join(f'ATTR{{{name}}}=="{part}"' for name, part in parts if part != "*")

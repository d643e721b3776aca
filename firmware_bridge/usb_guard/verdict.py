"""Compares what is allowed, found now and found at the start. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from drivers.usb_facts.facts import InterfaceKind, UsbFacts
from firmware_bridge.usb_guard.kinds import dangers, is_maker_defined, is_serial_port
from firmware_bridge.usb_guard.policy import UsbPolicy
from firmware_bridge.usb_guard.refusals import FailedUsbCheck, RefusalCode

_UNPLUG: Final = "Unplug it, and find out what it is and who plugged it in."


def chosen(
    allowed: UsbPolicy, behind: Sequence[UsbFacts], there: Sequence[UsbFacts], approved: UsbFacts | None
) -> UsbFacts | None:
    """The device at its port, else of the same identity, else in its socket; None: unplugged."""
    path = allowed.path or (None if approved is None else approved.path)
    for found in (behind, [one for one in there if _is_same(one, approved)]):
        if found:
            # Of several the one that it was, or that sits where it was; the others are told as copies of it.
            return max(found, key=lambda one: (_is_same(one, approved), one.path == path))
    return next((one for one in there if one.path == path), None)


def _is_same(device: UsbFacts, approved: UsbFacts | None) -> bool:
    return approved is not None and device.identity == approved.identity


def judge(
    allowed: UsbPolicy, device: UsbFacts, there: Sequence[UsbFacts], approved: UsbFacts | None
) -> tuple[FailedUsbCheck, ...]:
    """Every reason; empty: it may play. ``approved`` None: this is the start."""
    return (
        *_identity(allowed, device, approved),
        *_place(allowed, device, there),
        *_interfaces(allowed, device, approved),
    )


def _identity(allowed: UsbPolicy, device: UsbFacts, approved: UsbFacts | None) -> Iterator[FailedUsbCheck]:
    usb_id = allowed.usb_id or (None if approved is None else (approved.vid, approved.pid))
    serial_number = allowed.serial_number or (None if approved is None else approved.serial_number)
    expected = []
    if usb_id not in (None, (device.vid, device.pid)):
        expected.append("{:04x}:{:04x}".format(*usb_id))
    if serial_number not in (None, device.serial_number):
        expected.append(f"serial number {serial_number}")
    if expected:
        yield FailedUsbCheck(
            RefusalCode.UNKNOWN_DEVICE,
            f"{device} is there, expected is {' with '.join(expected)}",
            "Plug in the device that belongs here; if this one is to be it, enter it in the configuration.",
        )


def _place(allowed: UsbPolicy, device: UsbFacts, there: Sequence[UsbFacts]) -> Iterator[FailedUsbCheck]:
    if allowed.path not in (None, device.path):
        yield FailedUsbCheck(
            RefusalCode.WRONG_PORT_PATH,
            f"{device} is not in its socket {allowed.path}",
            f'Plug it into the socket {allowed.path}, or enter `path = "{device.path}"` in its `usb`.',
        )
    if not (device.serial_number or "").strip():
        if allowed.path is None:
            yield FailedUsbCheck(
                RefusalCode.SERIAL_MISSING,
                f"{device} cannot be distinguished from another of its kind",
                f'Bind it to its socket: `path = "{device.path}"` in its `usb`.',
            )
        return
    clones = [one for one in there if one.identity == device.identity and one.path != device.path]
    if clones:
        yield FailedUsbCheck(
            RefusalCode.SERIAL_CLONED,
            f"{device} is there a second time, at {', '.join(one.path for one in clones)}",
            "One of them is a copy: unplug both, and find out which by what is printed on them.",
        )


def _interfaces(allowed: UsbPolicy, device: UsbFacts, approved: UsbFacts | None) -> Iterator[FailedUsbCheck]:
    if device.unreadable is not None:
        yield FailedUsbCheck(
            RefusalCode.DESCRIPTORS_UNREADABLE,
            f"what {device} says of its interfaces cannot be trusted: {device.unreadable}",
            "Unplug it and plug it in again. If that does not help, use another one.",
        )
        return
    found = dangers((device.device_kind, *device.kinds()))
    if found:
        named = "; ".join(f"{danger} ({words(kinds)})" for danger, kinds in found.items())
        yield FailedUsbCheck(RefusalCode.FORBIDDEN_INTERFACE, f"{device} is also: {named}", _UNPLUG)
    elif approved is not None and device.shape != approved.shape:
        yield FailedUsbCheck(
            RefusalCode.INTERFACE_CHANGED,
            f"{device} shows {words(device.kinds())}, at the start it was {words(approved.kinds())}",
            _UNPLUG,
        )
    elif not _is_expected(allowed, device):
        expected = "those of a card device" if allowed.interfaces is None else words(allowed.interfaces)
        yield FailedUsbCheck(
            RefusalCode.UNEXPECTED_INTERFACE,
            f"{device} shows {words(device.kinds())}, expected are {expected}",
            "If its maker says that this is right, enter them as `interfaces` in its `usb`.",
        )


def _is_expected(allowed: UsbPolicy, device: UsbFacts) -> bool:
    configurations = device.configurations().values()
    if allowed.interfaces is not None:
        fits = [kinds == allowed.interfaces for kinds in configurations]
    elif allowed.is_bulk:
        fits = [is_maker_defined(kinds) for kinds in configurations]
    else:
        fits = [is_maker_defined(kinds) or is_serial_port(kinds) for kinds in configurations]
    return bool(fits) and all(fits)


def words(kinds: Iterable[InterfaceKind]) -> str:
    return " ".join(str(kind) for kind in kinds) or "none"

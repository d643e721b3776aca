"""The USB section of a device, and the guard's settings."""

import re
from typing import Annotated, Final, Protocol

from msgspec import Meta, Struct

from drivers.usb_facts.facts import InterfaceKind
from firmware_bridge.usb_guard.kinds import danger_of
from firmware_bridge.usb_guard.policy import UsbPolicy, allowed

_ID: Final = re.compile(r"([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})")
_PATH: Final = re.compile(r"\d+-\d+(\.\d+)*")


class UsbSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``usb`` of a ``[[device]]``: fixed facts; others are fixed when found."""

    id: str | None = None
    serial: Annotated[str, Meta(min_length=1)] | None = None
    path: str | None = None
    interfaces: Annotated[list[str], Meta(min_length=1)] | None = None


class DeviceOnUsb(Protocol):
    """The guard's view of a device."""

    @property
    def name(self) -> str:
        """Name in the log."""

    @property
    def port(self) -> str:
        """Name of its port."""

    @property
    def usb(self) -> UsbSection | None:
        """USB settings."""


def allowed_of(device: DeviceOnUsb) -> UsbPolicy:
    """The USB policy of a device."""
    section = device.usb or UsbSection()
    if device.usb is not None and "://" in device.port.removeprefix("spy://"):
        raise ValueError("`usb` does not apply to a port on the network; leave it out")
    if section.path is not None and _PATH.fullmatch(section.path) is None:
        raise ValueError(f"`path` is a bus and its ports, such as 1-1.2, not {section.path!r}")
    return allowed(
        device.name,
        device.port,
        usb_id=None if section.id is None else _usb_id(section.id),
        serial_number=section.serial,
        path=section.path,
        interfaces=None if section.interfaces is None else tuple(_interface(text) for text in section.interfaces),
    )


def _usb_id(text: str) -> tuple[int, int]:
    match = _ID.fullmatch(text)
    if match is None:
        raise ValueError(f"`id` is vendor and product, four hex digits each, such as 0403:6001, not {text!r}")
    return int(match[1], 16), int(match[2], 16)


def _interface(text: str) -> InterfaceKind:
    kind = InterfaceKind.parsed(text)
    danger = danger_of(kind)
    if danger is not None:
        raise ValueError(f"{kind} is {danger}, which no card device may be")
    return kind

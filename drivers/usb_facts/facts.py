"""The facts about a USB device, from any source."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

_KIND: Final = re.compile(r"([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})")


class InterfaceKind(NamedTuple):
    """Class, subclass and protocol, 0 to 0xFF each (usb.org, Defined Class Codes)."""

    class_code: int
    subclass: int
    protocol: int

    def __str__(self) -> str:
        return ":".join(f"{part:02x}" for part in self)

    @classmethod
    def parsed(cls, text: str) -> Self:
        """Reads ``02:02:01``."""
        match = _KIND.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is no interface class: write class, subclass and protocol, such as 02:02:01")
        return cls(*(int(part, 16) for part in match.groups()))


PER_INTERFACE: Final = InterfaceKind(0, 0, 0)


@dataclass(frozen=True, slots=True)
class UsbInterface:
    """One setting of an interface.

    Attributes:
        alternate: 0 to 255; an alternate setting may be of another kind.
    """

    configuration: int
    number: int
    alternate: int
    kind: InterfaceKind


@dataclass(frozen=True, slots=True)
class UsbFacts:
    """A USB device that is plugged in.

    Attributes:
        path: its socket, ``1-1.2``: the bus and the port of each hub.
        node: ``/dev/bus/usb/001/004``; another one after each plug.
        serial_number: None: it has none, or it could not be read.
        unreadable: why its descriptors cannot be trusted; None if they can.
    """

    path: str
    node: str
    vid: int
    pid: int
    serial_number: str | None = None
    product: str = ""
    device_kind: InterfaceKind = PER_INTERFACE
    interfaces: tuple[UsbInterface, ...] = ()
    is_fixed: bool = False
    unreadable: str | None = None

    def __str__(self) -> str:
        serial = f"serial number {self.serial_number}" if self.serial_number else "without serial number"
        return f"{self.usb_id}, {serial}, at {self.path}"

    @property
    def usb_id(self) -> str:
        return f"{self.vid:04x}:{self.pid:04x}"

    @property
    def identity(self) -> tuple[int, int, str | None]:
        """No two devices may share vendor, product and serial number."""
        return self.vid, self.pid, self.serial_number

    @property
    def shape(self) -> frozenset[UsbInterface]:
        """All its interfaces, whatever their order."""
        return frozenset(self.interfaces)

    def kinds(self) -> tuple[InterfaceKind, ...]:
        """Each interface's kinds once, sorted."""
        return _kinds_of(self.interfaces)

    def configurations(self) -> dict[int, tuple[InterfaceKind, ...]]:
        """As :meth:`kinds`, for each configuration by its value."""
        values = dict.fromkeys(one.configuration for one in self.interfaces)
        return {value: _kinds_of([one for one in self.interfaces if one.configuration == value]) for value in values}


def _kinds_of(interfaces: Sequence[UsbInterface]) -> tuple[InterfaceKind, ...]:
    return tuple(
        kind for *_, kind in sorted({(one.configuration, one.number, one.kind) for one in interfaces}, key=_by_kind)
    )


def _by_kind(one: tuple[int, int, InterfaceKind]) -> tuple[InterfaceKind, int, int]:
    return one[2], one[0], one[1]

"""The part of a table's configuration about a card device on USB."""

from dataclasses import dataclass

from drivers.usb_devices import pattern_of
from drivers.usb_facts.facts import InterfaceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbPolicy:
    """The allowed card device; None: fixed by what is found at the start.

    Attributes:
        path: ``1-1.2``; needed without a serial number.
        interfaces: exactly these, sorted; None: the maker's own, or CDC-ACM.
    """

    device: str
    port: str
    usb_id: tuple[int, int] | None = None
    serial_number: str | None = None
    path: str | None = None
    interfaces: tuple[InterfaceKind, ...] | None = None

    @property
    def is_bulk(self) -> bool:
        pattern = pattern_of(self.port)
        return pattern is not None and pattern.kind == "bulk"


def allowed(
    device: str,
    port: str,
    *,
    usb_id: tuple[int, int] | None = None,
    serial_number: str | None = None,
    path: str | None = None,
    interfaces: tuple[InterfaceKind, ...] | None = None,
) -> UsbPolicy:
    """What is left out is taken from the port's name.

    Raises:
        ValueError: the port's name says something else.
    """
    pattern = pattern_of(port)
    if pattern is not None:
        if usb_id not in (None, (pattern.vid, pattern.pid)):
            raise ValueError(f"`id` is not the one in the port's name {port}")
        if serial_number is not None and pattern.serial_number not in (None, serial_number):
            raise ValueError(f"`serial` is not the one in the port's name {port}")
        usb_id = pattern.vid, pattern.pid
        serial_number = serial_number or pattern.serial_number
    return UsbPolicy(
        device=device,
        port=port,
        usb_id=usb_id,
        serial_number=serial_number,
        path=path,
        interfaces=None if interfaces is None else tuple(sorted(interfaces)),
    )

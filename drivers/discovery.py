"""From a stable name to a port, at each opening: device files change."""

from collections.abc import Callable, Iterable, Iterator

from drivers.driverless import plugged_without_port
from drivers.errors import PortBusy, PortMissing, PortUnusable
from drivers.port import Port
from drivers.port_holders import strangers
from drivers.port_names import UNSTABLE_PREFIX, PortCandidate, is_bulk, target_of
from drivers.serial_port import SerialPort, SerialSettings, list_serial_ports
from drivers.usb_port import UsbPort, list_bulk_devices

__all__ = [
    "PortCandidate",
    "check_unused",
    "list_bulk_ports",
    "list_everything",
    "list_ports",
    "port_by_name",
    "port_maker",
]

list_ports = list_serial_ports


def list_bulk_ports() -> tuple[list[PortCandidate], PortUnusable | None]:
    """And the error that hides them, mostly: no libusb."""
    try:
        return list_bulk_devices(), None
    except PortUnusable as error:
        return [], error


def list_everything() -> list[PortCandidate]:
    return list_serial_ports() + list_bulk_ports()[0]


def port_by_name(
    name: str,
    settings: SerialSettings | None = None,
    *,
    candidates: Iterable[PortCandidate] | None = None,
    allow_unstable: bool = False,
) -> Port:
    """The port that a name means, closed; ``settings`` default to 4800 8N1.

    Raises:
        BadPortName: invalid, or (``UnstablePortName``) it may mean another device tomorrow.
        PortMissing: no adapter matches.
        PortAmbiguous: more than one matches.
    """
    if is_bulk(name):
        return UsbPort(name.removeprefix(UNSTABLE_PREFIX))
    there = _machine() if candidates is None else candidates
    try:
        target = target_of(name, there, allow_unstable=allow_unstable)
    except PortMissing as missing:
        raise plugged_without_port(name) or missing from missing
    return SerialPort(target, settings, name=name)


def check_unused(name: str) -> None:
    """No other program may have it open, even without a lock; network and USB pipes are not checked.

    Raises:
        PortBusy: another program has it open, as far as this user may see.
        DriverError: an invalid name.
    """
    if is_bulk(name):
        return
    path = target_of(name, _machine()).removeprefix("spy://").partition("?")[0]
    if "://" not in path and (others := strangers(path)):
        raise PortBusy(name, others, path=path)


def port_maker(
    name: str,
    settings: SerialSettings | None = None,
    *,
    allow_unstable: bool = False,
) -> Callable[[], Port]:
    """It looks the name up, and reports a wrong one, at each call."""
    return lambda: port_by_name(name, settings, allow_unstable=allow_unstable)


def _machine() -> Iterator[PortCandidate]:
    yield from list_serial_ports()

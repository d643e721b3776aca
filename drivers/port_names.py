"""Kinds of port names and what they mean; candidates are an argument.

``/dev/ttyUSB0`` is refused, as the kernel numbers adapters as they come; ``unstable:`` insists.
"""

import contextlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from drivers.adapters import ADAPTERS
from drivers.errors import BadPortName, PortAmbiguous, PortMissing, UnstablePortName

UNSTABLE_PREFIX: Final = "unstable:"
_USB_PREFIX: Final = "usb:"
_BULK_PREFIX: Final = "bulk:"
_SPY_PREFIX: Final = "spy://"
_NETWORK_SCHEMES: Final = frozenset({"socket", "rfc2217"})
_NUMBERED_ON_PLUG: Final = re.compile(r"/dev/(ttyUSB|ttyACM|ttyXRUSB|rfcomm|hidraw)\d+")
_USB: Final = re.compile(r"(?P<vid>[0-9A-Fa-f]{4}):(?P<pid>[0-9A-Fa-f]{4})(?::(?P<serial>.+))?")


@dataclass(frozen=True, slots=True)
class PortCandidate:
    """A port of this machine.

    Attributes:
        device: it may mean another device tomorrow.
        vid: 0 to 0xFFFF; ``None``: not on USB.
    """

    device: str
    description: str = ""
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    stable_names: tuple[str, ...] = ()
    kind: Literal["serial", "bulk"] = "serial"

    def __str__(self) -> str:
        return f"{self.device} ({self.best_name()})"

    def best_name(self) -> str:
        """A stable link, else the USB pattern, else the device."""
        if self.stable_names:
            return self.stable_names[0]
        if self.vid is None or self.pid is None:
            return self.device
        serial = f":{self.serial_number}" if self.serial_number else ""
        prefix = _USB_PREFIX if self.kind == "serial" else _BULK_PREFIX
        return f"{prefix}{self.vid:04x}:{self.pid:04x}{serial}"


@dataclass(frozen=True, slots=True)
class UsbPattern:
    """``serial_number`` ``None``: any."""

    kind: Literal["serial", "bulk"]
    vid: int
    pid: int
    serial_number: str | None

    def fits(self, candidate: PortCandidate) -> bool:
        """True if a port matches."""
        return (candidate.kind, candidate.vid, candidate.pid) == (self.kind, self.vid, self.pid) and (
            self.serial_number in {None, candidate.serial_number}
        )


def is_bulk(name: str) -> bool:
    return name.removeprefix(UNSTABLE_PREFIX).startswith(_BULK_PREFIX)


def usb_pattern(name: str) -> UsbPattern:
    """The pattern of a ``usb:`` or ``bulk:`` name.

    Raises:
        BadPortName: not such a name, or a serial adapter as ``bulk:``.
    """
    kind: Literal["serial", "bulk"] = "bulk" if is_bulk(name) else "serial"
    prefix = _BULK_PREFIX if kind == "bulk" else _USB_PREFIX
    pattern = _USB.fullmatch(name.removeprefix(UNSTABLE_PREFIX).removeprefix(prefix))
    if pattern is None:
        wanted = f"{prefix}VID:PID or {prefix}VID:PID:SERIAL, VID and PID four hex digits each"
        raise BadPortName(name, f"a USB pattern is {wanted}")
    vid, pid = int(pattern["vid"], 16), int(pattern["pid"], 16)
    if kind == "bulk" and (vid, pid) in ADAPTERS:
        raise BadPortName(name, f"{ADAPTERS[vid, pid]} is a serial adapter, write usb:{vid:04x}:{pid:04x}")
    return UsbPattern(kind, vid, pid, pattern["serial"])


def usb_match(name: str, candidates: Iterable[PortCandidate]) -> PortCandidate:
    """The one port that the name means.

    Raises:
        BadPortName: as in :func:`usb_pattern`.
        PortMissing: none fits.
        PortAmbiguous: more than one fits.
    """
    pattern = usb_pattern(name)
    same_kind = [candidate for candidate in candidates if candidate.kind == pattern.kind]
    matches = [candidate for candidate in same_kind if pattern.fits(candidate)]
    if not matches:
        what, there = ("adapter", "serial ports") if pattern.kind == "serial" else ("device", "USB bulk devices")
        named = ", ".join(str(candidate) for candidate in same_kind) or "none"
        raise PortMissing(
            name,
            f"no {what} matches; {there} there: {named}",
            "Check cable and power; a table that runs looks for it again by itself.",
        )
    if len(matches) > 1:
        raise PortAmbiguous(name, [str(match) for match in matches])
    return matches[0]


def target_of(name: str, candidates: Iterable[PortCandidate], *, allow_unstable: bool = False) -> str:
    """Path or URL behind a port name; for ``bulk:`` the USB device's node.

    Raises:
        BadPortName: invalid.
        UnstablePortName: another device tomorrow, without ``allow_unstable``.
        PortMissing: none fits.
        PortAmbiguous: more than one fits.
    """
    if not name.strip() or "\0" in name:
        raise BadPortName(name or "(empty)", "no port has this name")
    if name.startswith(UNSTABLE_PREFIX):
        return target_of(name.removeprefix(UNSTABLE_PREFIX), candidates, allow_unstable=True)
    if name.startswith(_SPY_PREFIX):
        path, mark, options = name.removeprefix(_SPY_PREFIX).partition("?")
        if "://" in path:
            raise BadPortName(name, "spy:// shows what moves on a path, not on a URL")
        if is_bulk(path):
            raise BadPortName(name, "spy:// shows what moves on a serial line, not on USB pipes")
        return _SPY_PREFIX + target_of(path, candidates, allow_unstable=allow_unstable) + mark + options
    if name.startswith((_USB_PREFIX, _BULK_PREFIX)):
        return usb_match(name, candidates).device
    if "://" in name:
        return _checked_url(name)
    if not allow_unstable and _NUMBERED_ON_PLUG.fullmatch(name):
        same = [candidate for candidate in candidates if candidate.device == name]
        names = [candidate.best_name() for candidate in same]
        raise UnstablePortName(name, [stable for stable in names if stable != name])
    return name


def check_name(name: str, *, allow_unstable: bool = False) -> None:
    """Without access to the machine.

    Raises:
        BadPortName: as in :func:`target_of`.
        UnstablePortName: as in :func:`target_of`.
    """
    with contextlib.suppress(PortMissing):  # what is plugged in is not looked at
        target_of(name, (), allow_unstable=allow_unstable)


def _checked_url(name: str) -> str:
    try:
        parts = urlsplit(name)
    except ValueError as error:
        raise BadPortName(name, f"is no URL ({error})") from error
    if parts.scheme not in _NETWORK_SCHEMES:
        raise BadPortName(name, f"unknown scheme {parts.scheme}://")
    try:
        port_number = parts.port
    except ValueError as error:
        raise BadPortName(name, "the port number is no number from 1 to 65535") from error
    if not parts.hostname or not port_number:
        raise BadPortName(name, "host or port number is missing")
    return name

"""The USB devices of this machine, and which a port name leads to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from drivers.errors import DriverError
from drivers.port_names import UNSTABLE_PREFIX, UsbPattern, usb_pattern
from drivers.usb_facts.facts import UsbFacts
from drivers.usb_facts.sysfs import SYSFS, has_usb, is_on_usb, usb_device_of, usb_devices
from drivers.usb_port.backend import Backend
from drivers.usb_port.listing import list_usb_facts

__all__ = ["UsbBus", "UsbFacts", "pattern_of"]

_SPY_PREFIX = "spy://"


@dataclass(frozen=True, slots=True)
class UsbBus:
    sysfs: Path = SYSFS
    backend: Backend = None

    def devices(self) -> list[UsbFacts]:
        """The plugged devices, by their sockets.

        Raises:
            DriverError: no libusb where it is needed, or it refuses.
            OSError: Linux refuses.
        """
        return usb_devices(self.sysfs) if has_usb(self.sysfs) else list_usb_facts(self.backend)

    def leads_to_usb(self, port_name: str) -> bool:
        pattern = pattern_of(port_name)
        if pattern is not None:
            return pattern.kind == "bulk" or has_usb(self.sysfs)
        path = _path_of(port_name)
        return path is not None and is_on_usb(path, self.sysfs)

    def behind(self, port_name: str, there: Sequence[UsbFacts]) -> list[UsbFacts]:
        """Return the devices that a port name can mean now."""
        pattern = pattern_of(port_name)
        if pattern is not None:
            wanted = pattern.vid, pattern.pid
            found = [one for one in there if (one.vid, one.pid) == wanted]
            return [one for one in found if pattern.serial_number in {None, one.serial_number}]
        path = _path_of(port_name)
        device = None if path is None else usb_device_of(path, there, self.sysfs)
        return [] if device is None else [device]


def pattern_of(port_name: str) -> UsbPattern | None:
    bare = _bare(port_name)
    if not bare.startswith(("usb:", "bulk:")):
        return None
    try:
        return usb_pattern(bare)
    except DriverError:  # said with its remedy where the port is opened
        return None


def _bare(port_name: str) -> str:
    return port_name.removeprefix(UNSTABLE_PREFIX).removeprefix(_SPY_PREFIX).removeprefix(UNSTABLE_PREFIX)


def _path_of(port_name: str) -> Path | None:
    bare = _bare(port_name).partition("?")[0]
    return None if "://" in bare or bare.startswith(("usb:", "bulk:")) or not bare else Path(bare)

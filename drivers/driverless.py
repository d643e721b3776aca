"""An adapter without a port: driver missing, or taken by another program."""

import re
from pathlib import Path
from typing import Final

from drivers.errors import PortMissing
from drivers.usb_facts.facts import UsbFacts
from drivers.usb_facts.sysfs import SYSFS, usb_devices

_NUMBERS: Final = re.compile(r"(?:^usb:|^/dev/cardshoe/)([0-9A-Fa-f]{4})[:-]([0-9A-Fa-f]{4})(?:[:-](.+))?$")
_BY_ID: Final = "/dev/serial/by-id/"
_MODULES: Final = {0x0403: "ftdi_sio", 0x067B: "pl2303", 0x10C4: "cp210x", 0x1A86: "ch341"}
_TAKEN: Final = frozenset({"usbfs"})


def plugged_without_port(name: str, sysfs: Path = SYSFS) -> PortMissing | None:
    try:
        found = next((one for one in usb_devices(sysfs) if _is_meant(name, one)), None)
    except OSError:
        return None
    if found is None:
        return None
    drivers = _drivers(sysfs / "bus" / "usb" / "devices" / found.path)
    who = f"adapter {found.vid:04x}:{found.pid:04x} is plugged in at {found.path}"
    if drivers & _TAKEN:
        return PortMissing(
            name,
            f"{who}, and a program has taken it from the kernel's driver",
            "End that program. Without a braille display: `sudo apt remove brltty`. Then plug it in again.",
        )
    module = _MODULES.get(found.vid, "cdc_acm")
    return PortMissing(
        name,
        f"{who}, and no driver gives it a port",
        f"Load the driver: `sudo modprobe {module}`. If the port comes and goes, brltty takes it: "
        "`sudo apt remove brltty`. Then plug it in again.",
    )


def _is_meant(name: str, one: UsbFacts) -> bool:
    numbers = _NUMBERS.match(name)
    if numbers is not None:
        wanted = int(numbers[1], 16), int(numbers[2], 16)
        return (one.vid, one.pid) == wanted and numbers[3] in (None, one.serial_number)
    # udev writes the serial number between the model and the interface.
    return name.startswith(_BY_ID) and bool(one.serial_number) and f"_{one.serial_number}-" in name


def _drivers(folder: Path) -> set[str]:
    return {(one / "driver").resolve().name for one in folder.glob(f"{folder.name}:*") if (one / "driver").is_symlink()}

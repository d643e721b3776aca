"""Linux's records of the USB devices that are plugged in."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from drivers.usb_facts.descriptors import DescriptorsBroken, described
from drivers.usb_facts.facts import PER_INTERFACE, UsbFacts

SYSFS: Final = Path("/sys")
_DEVICE: Final = re.compile(r"\d+-\d+(\.\d+)*")


def has_usb(sysfs: Path = SYSFS) -> bool:
    return (sysfs / "bus" / "usb" / "devices").is_dir()


def usb_devices(sysfs: Path = SYSFS) -> list[UsbFacts]:
    """By their sockets; one that goes meanwhile is left out.

    Raises:
        OSError: they may not be listed.
    """
    folder = sysfs / "bus" / "usb" / "devices"
    try:
        names = sorted(one.name for one in folder.iterdir() if _DEVICE.fullmatch(one.name))
    except FileNotFoundError:
        return []
    found = (_facts(folder / name) for name in names)
    return [one for one in found if one is not None]


def usb_device_of(device_file: Path, there: Sequence[UsbFacts], sysfs: Path = SYSFS) -> UsbFacts | None:
    folder = (sysfs / "class" / "tty" / device_file.resolve().name / "device").resolve()
    by_path = {one.path: one for one in there}
    # From the port upwards: the device comes before the hubs that it hangs on.
    return next((by_path[one.name] for one in (folder, *folder.parents) if one.name in by_path), None)


def is_on_usb(device_file: Path, sysfs: Path = SYSFS) -> bool:
    folder = (sysfs / "class" / "tty" / device_file.resolve().name / "device").resolve()
    return any(_DEVICE.fullmatch(one.name) for one in (folder, *folder.parents))


def _facts(folder: Path) -> UsbFacts | None:
    numbers = [_line(folder / name) for name in ("idVendor", "idProduct", "busnum", "devnum")]
    if None in numbers:
        return None
    vid, pid, bus, address = (str(number) for number in numbers)
    try:
        said = described((folder / "descriptors").read_bytes())
        unreadable = None
    except FileNotFoundError:
        return None
    except (OSError, DescriptorsBroken) as error:
        said, unreadable = None, str(error)
    if said is not None and (said.vid, said.pid) != (int(vid, 16), int(pid, 16)):
        return None  # another device took its place between two reads; the next look will tell
    facts = UsbFacts(
        path=folder.name,
        node=f"/dev/bus/usb/{int(bus):03d}/{int(address):03d}",
        vid=int(vid, 16),
        pid=int(pid, 16),
        serial_number=_line(folder / "serial") or None,
        product=_line(folder / "product") or "",
        device_kind=PER_INTERFACE if said is None else said.kind,
        interfaces=() if said is None else said.interfaces,
        is_fixed=_line(folder / "removable") == "fixed",
        unreadable=unreadable,
    )
    # Gone, or another one, while it was read: half of the one and half of the other would be nobody's facts.
    return facts if _line(folder / "devnum") == address else None


def _line(file: Path) -> str | None:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return None

"""Simulated devices in sockets, and where a guard sees them: libusb in this process, or a tree as Linux keeps one."""

from pathlib import Path
from typing import Final, Literal

from drivers.usb_devices import UsbBus
from sim.usb import BulkFunction, CdcFunction
from sim.usb.device import MANUFACTURER, VENDOR_ID, UsbDevice
from sim.usb.hostile import GrownFunction
from tests.kit.usb_backend import SimulatedBackend

NOWHERE: Final = Path("/nowhere")
"""No sysfs: libusb is asked."""


class Unit:
    """A device that can grow, plugged in."""

    def __init__(self, serial_number: str, kind: Literal["bulk", "cdc"] = "bulk") -> None:
        self.function = GrownFunction(BulkFunction() if kind == "bulk" else CdcFunction())
        self.device = UsbDevice(self.function, serial_number=serial_number, product=f"Card {kind}")

    def replug(self) -> None:
        self.device.unplug()
        self.device.plug()


def in_process(*units: Unit) -> UsbBus:
    """The bus 1 of this process, a socket for each."""
    return UsbBus(NOWHERE, SimulatedBackend([unit.device for unit in units]))


class Tree:
    """A tree as Linux keeps it in /sys, made of what simulated devices say over the bus."""

    def __init__(self, folder: Path) -> None:
        self.bus = UsbBus(folder)
        self.folder = folder
        self.devices = folder / "bus" / "usb" / "devices"
        self.devices.mkdir(parents=True)
        self._plugs = 0

    def plug(self, unit: Unit, path: str, *, tty: str | None = None, removable: str = "removable") -> Path:
        """Puts a device into a socket; Linux gives it the next address, and a serial port its name."""
        self._plugs += 1
        said = unit.device
        folder = self.folder / "devices" / "pci0" / "usb1" / path
        folder.mkdir(parents=True)
        files = {
            "idVendor": f"{VENDOR_ID:04x}",
            "idProduct": f"{said.function.product_id:04x}",
            "busnum": path.split("-", maxsplit=1)[0],
            "devnum": str(self._plugs),
            "manufacturer": MANUFACTURER,
            "product": said.product,
            "removable": removable,
        }
        if said.serial_number:
            files["serial"] = said.serial_number
        for name, text in files.items():
            (folder / name).write_text(f"{text}\n")
        (folder / "descriptors").write_bytes(said.device_descriptor + b"".join(said.configuration_descriptors))
        (self.devices / path).symlink_to(folder)
        if tty is not None:
            interface = folder / f"{path}:1.0"
            (interface / "tty" / tty).mkdir(parents=True)
            (interface / "tty" / tty / "device").symlink_to(interface)
            (self.folder / "class" / "tty").mkdir(parents=True, exist_ok=True)
            (self.folder / "class" / "tty" / tty).symlink_to(interface / "tty" / tty)
        return folder

    def pull(self, path: str, *, tty: str | None = None) -> None:
        """Takes a device out of its socket."""
        folder = (self.devices / path).resolve()
        (self.devices / path).unlink()
        if tty is not None:
            (self.folder / "class" / "tty" / tty).unlink()
        for entry in sorted(folder.rglob("*"), reverse=True):
            entry.rmdir() if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        folder.rmdir()

"""A USB device that cannot be opened: each error with its text and its remedy; and libusb itself."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from drivers.errors import DriverError, LibusbMissing, PortBusy, PortForbidden, PortMissing, PortUnusable
from drivers.port_names import PortCandidate
from drivers.usb_errors import usb_open_failure
from drivers.usb_port import UsbPort, libusb, list_bulk_devices
from tests.drivers.usb_failures import NAME, failure_to_open
from tests.kit.far_ends import UsbEnd
from tests.kit.usb_attached import Attached
from tests.kit.usb_backend import Handle, SimulatedBackend

ROOT = Path(__file__).resolve().parent.parent.parent
FOR_EVER_S: Final = 3600.0


def test_without_permission_the_rule_is_said_with_the_device_s_own_numbers(end: UsbEnd) -> None:
    end.backend.allow(permission=False)
    error = failure_to_open(end.backend, "bulk:1209:0001")
    assert isinstance(error, PortForbidden)
    assert error.os_error is not None
    assert error.os_error.errno == errno.EACCES
    assert (
        "put this line into /etc/udev/rules.d/70-cardshoe.rules: "
        'SUBSYSTEM=="usb", ATTR{idVendor}=="1209", ATTR{idProduct}=="0001", GROUP="plugdev", MODE="0660" '
        "and run: sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=usb. "
    ) in error.remedy
    assert error.group == "plugdev"
    end.backend.allow(permission=True)
    port = UsbPort(NAME, backend=end.backend)
    port.open()
    port.close()


def test_without_permission_a_device_is_not_missing_because_its_number_cannot_be_read(end: UsbEnd) -> None:
    end.backend.allow(permission=False)
    assert isinstance(failure_to_open(end.backend), PortForbidden)
    assert isinstance(failure_to_open(end.backend, "bulk:1209:0009:SHOE1"), PortMissing)


def test_a_device_that_another_program_has_is_busy(end: UsbEnd, port: UsbPort) -> None:
    error = failure_to_open(end.backend)
    assert isinstance(error, PortBusy)
    assert "sudo fuser -v /dev/bus/usb/001/001" in error.remedy
    end.send(b"still")  # and who has it, keeps it
    assert port.read(FOR_EVER_S) == b"still"


def test_it_is_free_again_when_it_is_closed(end: UsbEnd, port: UsbPort) -> None:
    port.close()
    second = UsbPort(NAME, backend=end.backend)
    second.open()
    second.close()


class Refusing(SimulatedBackend):
    """The claim fails with an error of choice; counts the handles that are open."""

    error: Exception = OSError()

    def __init__(self) -> None:
        super().__init__()
        self.open_handles = 0

    def open_device(self, dev: Attached) -> Handle:
        self.open_handles += 1
        return super().open_device(dev)

    def close_device(self, dev_handle: Handle) -> None:
        self.open_handles -= 1
        super().close_device(dev_handle)

    def claim_interface(self, dev_handle: Handle, intf: int) -> None:
        del dev_handle, intf
        raise self.error


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (OSError(errno.ENODEV, "No such device"), PortMissing, "gone again"),
        (OSError(errno.EIO, "Input/output error"), PortUnusable, "Input/output error"),
        (NotImplementedError("Operation not supported"), PortUnusable, "WinUSB"),
    ],
)
def test_whatever_goes_wrong_is_one_of_ours(error: Exception, kind: type[DriverError], said: str) -> None:
    backend = Refusing()
    backend.error = error
    end = UsbEnd(backend=backend)
    found = failure_to_open(backend)
    assert type(found) is kind
    assert said in str(found)
    assert found.__traceback__ is not None  # whoever keeps the error keeps no device open
    assert backend.open_handles == 0
    end.end()


def test_a_node_that_is_open_to_a_group_names_the_group(tmp_path: Path) -> None:
    node = tmp_path / "004"
    node.touch()
    gid = next(gid for gid in (5, *os.getgroups()) if os.geteuid() == 0 or gid in os.getgroups())
    os.chown(node, -1, gid)
    node.chmod(0o660)
    device = PortCandidate(str(node), vid=0x1209, pid=1, kind="bulk")
    error = usb_open_failure(NAME, device, PermissionError(errno.EACCES, "Permission denied"))
    assert isinstance(error, PortForbidden)
    if gid:
        assert error.group == node.group()
        assert error.remedy.startswith(f"Add the user to group {node.group()}")


class Broken(SimulatedBackend):
    """Not even a list of devices."""

    def enumerate_devices(self) -> Iterator[Any]:
        raise OSError(errno.EIO, "no usbfs")


def test_devices_that_cannot_be_listed_are_said_so() -> None:
    error = failure_to_open(Broken())
    assert isinstance(error, PortUnusable)
    assert "cannot be listed" in error.problem


class UnderDriver(SimulatedBackend):
    """A driver of the kernel has the interface, as Linux does it: nobody else may claim it until it is detached."""

    def __init__(self) -> None:
        super().__init__()
        self.is_bound = True
        self.log: list[str] = []

    def is_kernel_driver_active(self, dev_handle: Handle, intf: int) -> bool:
        del dev_handle, intf
        return self.is_bound

    def detach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        del dev_handle, intf
        self.is_bound = False
        self.log.append("detached")

    def attach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        if intf in dev_handle.claimed:
            raise OSError(errno.EBUSY, "Resource busy")
        self.is_bound = True
        self.log.append("attached")

    def claim_interface(self, dev_handle: Handle, intf: int) -> None:
        if self.is_bound:
            raise OSError(errno.EBUSY, "Resource busy")
        super().claim_interface(dev_handle, intf)


def test_a_driver_of_the_kernel_is_sent_away_and_called_back() -> None:
    end = UsbEnd(backend=(backend := UnderDriver()))
    port = UsbPort(NAME, backend=backend)
    port.open()
    assert backend.log == ["detached"]
    end.send(b"card")
    assert port.read(FOR_EVER_S) == b"card"
    port.close()
    assert backend.log == ["detached", "attached"]
    end.end()


def test_a_driver_of_the_kernel_is_called_back_when_the_claim_fails() -> None:
    end = UsbEnd(backend=(backend := UnderDriver()))
    first = UsbPort(NAME, backend=backend)
    first.open()
    backend.is_bound = True  # of two that want it, the other one sends the driver away last
    assert isinstance(failure_to_open(backend), PortBusy)
    assert backend.log == ["detached", "detached", "attached"]
    first.close()
    end.end()


def test_without_libusb_it_is_said_how_to_install_it() -> None:
    with pytest.raises(LibusbMissing) as caught:
        libusb(NAME, [lambda: None, lambda: None])
    assert isinstance(caught.value, PortUnusable)
    assert caught.value.port == NAME
    assert "sudo apt install libusb-1.0-0" in caught.value.remedy
    assert "pip install libusb-package" in caught.value.remedy


def test_the_first_libusb_that_is_there_is_taken(end: UsbEnd) -> None:
    assert libusb(NAME, [lambda: None, lambda: end.backend]) is end.backend


def test_where_no_udev_tells_libusb_it_looks_anew_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen in a Linux without udev: what was plugged in after the first look was never found."""
    runs = tmp_path / "control"
    monkeypatch.setattr("drivers.usb_port.backend.UDEV_RUNS", runs)
    kept = libusb(NAME)
    assert libusb(NAME) is not kept
    runs.touch()
    kept = libusb(NAME)
    assert libusb(NAME) is kept


WITHOUT_LIBUSB: Final = """
import sys
import usb.backend.libusb1
usb.backend.libusb1._lib = usb.backend.libusb1._lib_object = None
import usb.libloader
def nowhere(*args, **kwargs):
    raise usb.libloader.NoLibraryCandidatesException("none")
usb.libloader.load_locate_library = nowhere
from drivers.discovery import list_bulk_ports, list_everything, list_ports, port_by_name
assert list_everything() == list_ports()
print(list_bulk_ports()[1])
try:
    port_by_name("bulk:1209:0001").open()
except Exception as error:
    print(type(error).__name__)
"""


def test_without_libusb_serial_ports_are_found_all_the_same() -> None:
    """The search itself is pyusb's own; only what it finds on the disk is taken away."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBUSB], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    problem, kind = done.stdout.splitlines()
    assert "no libusb is installed" in problem
    assert kind == "LibusbMissing"


def test_this_machine_s_libusb_can_be_asked() -> None:
    for candidate in list_bulk_devices():
        assert candidate.device.startswith("/dev/bus/usb/")

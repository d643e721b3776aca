"""Errors of the operating system and libusb about a USB device, as a ``DriverError``.

pyusb also raises ``ValueError`` and ``IndexError`` for invalid data from a device.
"""

import errno
from typing import Final

from drivers.errors import DriverError, PortBusy, PortForbidden, PortMissing, PortUnusable
from drivers.os_errors import group_of, innermost
from drivers.port_holders import holders
from drivers.port_names import PortCandidate

USB_ERRORS: Final = (OSError, NotImplementedError, ValueError, IndexError)

_GONE: Final = frozenset({errno.ENODEV, errno.ENOENT, errno.ENXIO, errno.ECONNREFUSED, errno.ECONNRESET})
_FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM})


def usb_open_failure(port: str, device: PortCandidate, error: Exception) -> DriverError:
    number, os_error = innermost(error)
    if number in _GONE:
        return PortMissing(
            port,
            f"{device.device} is gone again ({os_error})",
            "Check cable and power; a table that runs looks for it again by itself.",
            os_error,
        )
    if number in _FORBIDDEN:
        numbers = None if device.vid is None or device.pid is None else (device.vid, device.pid)
        return PortForbidden(port, group_of(device.device), os_error, usb=numbers)
    if number == errno.EBUSY:
        return PortBusy(port, holders(device.device), os_error, path=device.device)
    return PortUnusable(
        port,
        f"{device.device} cannot be used: {error}",
        "Unplug it and plug it in again. On Windows it needs the driver WinUSB. If that does not help, the device is "
        "defective, or it is not what it says it is.",
        os_error,
    )


def timed_out(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno == errno.ETIMEDOUT


def stalled(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno == errno.EPIPE

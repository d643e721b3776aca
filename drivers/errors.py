"""Errors of the drivers package, with texts that a person can act on."""

from collections.abc import Sequence

from drivers.port_holders import PortHolder

UDEV_RULE = 'SUBSYSTEM=="tty", ATTRS{idVendor}=="%s", ATTRS{idProduct}=="%s", GROUP="%s", MODE="0660"'

UDEV_USB_RULE = 'SUBSYSTEM=="usb", ATTR{idVendor}=="%04x", ATTR{idProduct}=="%04x", GROUP="%s", MODE="0660"'
"""For a USB device without a kernel driver."""

UDEV_RELOAD = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=%s"

DEFAULT_GROUP = "dialout"
"""On Debian, Ubuntu, Fedora and Raspberry Pi OS; Arch: ``uucp``."""

DEFAULT_USB_GROUP = "plugdev"
"""On Debian, Ubuntu and Raspberry Pi OS; elsewhere it has to be made."""


class DriverError(Exception):
    """Root of everything that this package raises."""

    def __init__(self, port: str, problem: str, remedy: str, os_error: OSError | None = None) -> None:
        super().__init__(f"{port}: {problem}. {remedy}")
        self.port = port
        self.problem = problem
        self.remedy = remedy
        self.os_error = os_error


class BadPortName(DriverError):
    def __init__(self, port: str, problem: str) -> None:
        super().__init__(
            port,
            problem,
            "Write a path like /dev/serial/by-id/…, usb:VID:PID[:SERIAL] (serial adapter), bulk:VID:PID[:SERIAL] (USB "
            "device without a serial port), socket://HOST:PORT or rfc2217://HOST:PORT. "
            "`cardshoe ports` lists what is plugged in.",
        )


class UnstablePortName(BadPortName):
    """Given by the kernel in the order of plugging in, such as ``/dev/ttyUSB0``."""

    def __init__(self, port: str, stable_names: Sequence[str]) -> None:
        stable = f"Use {' or '.join(stable_names)}" if stable_names else "Give the adapter a name by a udev rule"
        DriverError.__init__(
            self,
            port,
            "this name may mean another device after the next plug-in",
            f"{stable}. If it must be this name, write unstable:{port}.",
        )
        self.stable_names = tuple(stable_names)


class PortMissing(DriverError):
    """Nothing answers to the name."""


class PortAmbiguous(DriverError):
    def __init__(self, port: str, matches: Sequence[str]) -> None:
        remedy = (
            "Add the serial number (bulk:VID:PID:SERIAL); of two without one, unplug the other."
            if port.startswith("bulk:")
            else "Add the serial number (usb:VID:PID:SERIAL) or name one of them by its /dev/serial/by-id path."
        )
        super().__init__(port, f"{len(matches)} devices match: {', '.join(matches)}", remedy)
        self.matches = tuple(matches)


class PortForbidden(DriverError):
    """``group`` ``None``: it is open to none."""

    def __init__(
        self,
        port: str,
        group: str | None,
        os_error: OSError | None = None,
        *,
        usb: tuple[int, int] | None = None,
    ) -> None:
        wanted = group or (DEFAULT_GROUP if usb is None else DEFAULT_USB_GROUP)
        join = f"Add the user to group {wanted}: sudo usermod -aG {wanted} $USER, then log in again."
        rule = UDEV_RULE % ("VVVV", "PPPP", wanted) if usb is None else UDEV_USB_RULE % (*usb, wanted)
        where_from = " (`cardshoe ports` shows VVVV and PPPP)" if usb is None else ""
        open_it = (
            f"No group may open it: put this line into /etc/udev/rules.d/70-cardshoe.rules: {rule}{where_from} "
            f"and run: {UDEV_RELOAD % ('tty' if usb is None else 'usb')}. "
        )
        super().__init__(port, "permission denied", join if group else open_it + join, os_error)
        self.group = wanted


class PortBusy(DriverError):
    def __init__(
        self,
        port: str,
        holders: Sequence[PortHolder],
        os_error: OSError | None = None,
        *,
        path: str | None = None,
    ) -> None:
        named = ", ".join(f"{one.command} (pid {one.pid})" for one in holders)
        if any(one.is_table for one in holders):
            # Nobody must be told to kill a table at which a game is under way.
            remedy = "A table runs there. Name another port, or end that table between rounds: type `quit` at it."
        elif named:
            remedy = f"End it first: kill {' '.join(str(one.pid) for one in holders)}"
        else:
            remedy = f"Find out which with: sudo fuser -v {path or port}"
        super().__init__(port, f"held by {named}" if named else "held by another program", remedy, os_error)
        self.holders = tuple(holders)


class PortUnusable(DriverError):
    """Not a line that can be used with these settings."""


class LibusbMissing(PortUnusable):
    def __init__(self, port: str) -> None:
        super().__init__(
            port,
            "no libusb is installed, so USB bulk devices cannot be reached",
            "Install it: sudo apt install libusb-1.0-0, or into cardshoe's environment: pip install libusb-package. "
            "Serial adapters (usb:…) do not need it.",
        )


class PortLost(DriverError):
    """The line went away, the peer closed it, or it was not open."""


class PortHungUp(PortLost):
    """A serial-to-TCP box ends a connection within a second, before any byte."""

    def __init__(self, port: str, cause: PortLost) -> None:
        super().__init__(
            port,
            "the far end accepts the connection and ends it at once",
            "Another program may be connected to it: check the box's list of connections, and who may connect.",
            cause.os_error,
        )


class DeviceSilent(DriverError):
    """The port is open, and no device answers."""

    def __init__(self, port: str, problem: str = "no device answers") -> None:
        super().__init__(
            port,
            problem,
            "Check that the device is switched on, its cable is sound, and port and speed are the device's; "
            "a table that runs tries it again by itself.",
        )


class DeviceMismatch(DriverError):
    """Another device answers, or one without proof."""


class SendQueueFull(DriverError):
    """The line is slower than its input; nothing was queued."""


class CommandOutstanding(DriverError):
    """The device may still answer the previous command."""


class PortBlocked(DriverError):
    """The port stays closed until two people readmit the device."""

    problem = "the table cannot process a report of the device, and its port was closed"

    def __init__(self, port: str) -> None:
        super().__init__(
            port,
            self.problem,
            "Check what is connected to the line. If it is the device, repair or replace it; two persons let it in "
            "again with `device_readmitted`.",
        )


class OverBudget(PortBlocked):
    """It sent more than any real one; two people must readmit it."""

    problem = "the device says more than it may, and its port was closed"


class BadSetting(DriverError):
    def __init__(self, where: str, key: str, problem: str, expected: str) -> None:
        super().__init__(where, f"setting {key!r}: {problem}", f"Expected: {expected}.")
        self.key = key
        self.expected = expected


class InternalDriverError(DriverError):
    """An unexpected exception of a listener or port; the port is reopened."""

    def __init__(self, port: str, where: str, cause: Exception) -> None:
        super().__init__(
            port,
            f"defect in {where}: {type(cause).__name__}: {cause}",
            "The device's message of that moment was lost; the link is opened again. Report this with the log.",
        )
        self.__cause__ = cause


class UnknownFamily(DriverError):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(
            name,
            "no device family of this name",
            f"Known: {', '.join(known)}. A third party's family must be installed next to cardshoe.",
        )
        self.known = tuple(known)


class DuplicateFamily(DriverError):
    """Two things offer a family of one name; neither is used."""

    def __init__(self, name: str, origins: Sequence[str]) -> None:
        super().__init__(name, f"offered by {' and by '.join(origins)}", "Uninstall one of them.")
        self.origins = tuple(origins)


class BrokenFamily(DriverError):
    def __init__(self, name: str, origin: str, problem: str) -> None:
        super().__init__(name, f"{origin} cannot be used: {problem}", "Reinstall it or ask its maker.")
        self.origin = origin


class NoPart(DriverError):
    def __init__(self, name: str, part: str) -> None:
        super().__init__(name, f"the family has no {part}", f"Ask its maker: `Family.{part}` is empty.")
        self.part = part


class CaptureDamaged(DriverError):
    """``line`` counts from 1."""

    def __init__(self, path: str, line: int, problem: str) -> None:
        remedy = 'A line reads {"t_s": 0.125, "hex": "0531"}; request the file again.'
        super().__init__(f"{path}, line {line}", problem, remedy)
        self.line = line

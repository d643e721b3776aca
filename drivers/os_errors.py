"""Errors of the system or a library about a port become a ``DriverError``.

pyserial wraps errors without their number: it is taken from the chain of causes.
"""

import errno
import grp
import os
import stat
import termios
from typing import Final

from drivers.driverless import plugged_without_port
from drivers.errors import DriverError, PortBusy, PortForbidden, PortLost, PortMissing, PortUnusable
from drivers.port_holders import holders, strangers

LINE_ERRORS: Final = (OSError, termios.error, ValueError, TypeError, NotImplementedError)
"""``TypeError``: closed during a read; ``ValueError``, ``NotImplementedError``: settings."""


_MISSING: Final = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR, errno.EIO})
_FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM})
_BUSY: Final = frozenset({errno.EBUSY, errno.EAGAIN, errno.ETXTBSY})
_CABLE: Final = (
    "Check cable and power, then `cardshoe doctor`; a table that runs opens it by itself as soon as it is there."
)
_NETWORK: Final = (
    "Check address, port number, power and network cable of the serial-to-TCP box, and that no other program is "
    "connected to it; a table that runs tries it again by itself."
)


def open_failure(port: str, target: str, error: Exception) -> DriverError:
    number, os_error = innermost(error)
    said = os.strerror(number) if number > 0 else str(os_error or error)
    if "://" in target and not target.startswith("spy://"):
        if os_error is not None:
            return PortMissing(port, f"no connection: {said}", _NETWORK, os_error)
        return PortUnusable(port, f"connected, but: {error}", "Check that the box speaks this protocol there.")
    path = target.removeprefix("spy://").partition("?")[0]
    if number in _MISSING and (driverless := plugged_without_port(port)) is not None:
        return driverless
    if number in _MISSING:
        return PortMissing(port, _what_is_missing(path, said), _CABLE, os_error)
    if number in _FORBIDDEN:
        return PortForbidden(port, group_of(path), os_error)
    if number in _BUSY:
        return PortBusy(port, holders(path), os_error)
    return PortUnusable(
        port,
        f"cannot be used as a serial line: {said}",
        "Check that the name is a serial port's (`cardshoe ports`) and that it supports the baud rate and framing set.",
        os_error,
    )


def loss(port: str, error: Exception, path: str | None = None) -> PortLost:
    """Or another program reads it as well."""
    _, os_error = innermost(error)
    users = [] if path is None or not os.path.exists(path) else strangers(path)  # noqa: PTH110  as above
    if users:
        busy = PortBusy(port, users, os_error)
        return PortLost(port, f"the line was lost: {busy.problem}", busy.remedy, os_error)
    return PortLost(port, f"the line is gone ({os_error or error})", _CABLE, os_error)


def not_open(port: str) -> PortLost:
    return PortLost(port, "the line is not open", _CABLE)


def innermost(error: BaseException) -> tuple[int, OSError | None]:
    """Nearest to the operating system; 0 and ``None``: no error has a number."""
    found: tuple[int, OSError | None] = (0, None)
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, OSError) and link.errno is not None:
            found = (link.errno, link)
        elif isinstance(link, TimeoutError):  # a connection attempt of Python's own: without number
            found = (errno.ETIMEDOUT, link)
        elif isinstance(link, termios.error):
            found = (link.args[0], OSError(*link.args))
        link = link.__cause__ or link.__context__
    return found


def _what_is_missing(path: str, said: str) -> str:
    if os.path.islink(path) and not os.path.exists(path):  # noqa: PTH114, PTH110  paths here are text, as configured
        return f"the link is there, the device it points to ({os.path.realpath(path)}) is not"
    return f"nothing there ({said})"


def group_of(path: str) -> str | None:
    """It may read and write ``path``; ``None``: only root's may."""
    try:
        status = os.stat(path)  # noqa: PTH116  as above
        group = grp.getgrgid(status.st_gid).gr_name
    except (OSError, KeyError):
        return None
    both = stat.S_IRGRP | stat.S_IWGRP
    return group if status.st_gid != 0 and status.st_mode & both == both else None

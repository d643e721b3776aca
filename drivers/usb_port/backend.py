"""Access to libusb, and when to scan the bus again."""

import functools
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import usb.backend.libusb1

from drivers.errors import LibusbMissing

Backend: TypeAlias = Any
Device: TypeAlias = Any

UDEV_RUNS: Final = Path("/run/udev/control")
"""Without udev, libusb does not report devices plugged in after it was loaded."""

logging.getLogger("usb").setLevel(logging.CRITICAL)  # it prints what our errors say with a remedy


def _libusb_of_the_system() -> Backend:
    return usb.backend.libusb1.get_backend()


def _libusb_of_the_package() -> Backend:
    try:
        import libusb_package  # noqa: PLC0415  an extra, and needed only where the system has no libusb
    except ImportError:
        return None
    return usb.backend.libusb1.get_backend(find_library=libusb_package.find_library)


SEARCHES: Final[Sequence[Callable[[], Backend]]] = (_libusb_of_the_system, _libusb_of_the_package)


@functools.cache
def _found_libusb() -> Backend:
    return _first(SEARCHES)


def _first(searches: Sequence[Callable[[], Backend]]) -> Backend:
    return next((backend for search in searches if (backend := search()) is not None), None)


def _forget_libusb() -> None:
    _found_libusb.cache_clear()
    usb.backend.libusb1._lib_object = None  # noqa: SLF001  pyusb has no other way to ask for a new context


def libusb(port: str, searches: Sequence[Callable[[], Backend]] | None = None) -> Backend:
    if searches is None and not UDEV_RUNS.exists() and sys.platform == "linux":
        _forget_libusb()
    found = _found_libusb() if searches is None else _first(searches)
    if found is None:
        raise LibusbMissing(port)
    return found

"""Check the clock that dates the log."""

import ctypes
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning

FIRST_YEAR: Final = 2025

LAST_YEAR: Final = 2100

SLEPT_S: Final = 1.0
"""Tolerated difference of the kernel's two clocks."""

_UNSYNCHRONISED: Final = 0x40
"""``STA_UNSYNC`` of adjtimex(2)."""

_SET_CLOCK: Final = (
    "Set it: sudo timedatectl set-ntp true. If the error returns after a restart, replace the board's battery."
)


class _Timex(ctypes.Structure):
    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 512),
    )


def clock() -> Iterator[Finding]:
    yield year(datetime.now(UTC))
    yield synchronisation(synchronised())
    if hasattr(time, "CLOCK_BOOTTIME"):  # Linux
        yield sleep(time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC))


def year(now: datetime) -> Finding:
    text = now.strftime("%Y-%m-%d %H:%M:%S UTC")
    if FIRST_YEAR <= now.year <= LAST_YEAR:
        return fine("clock", text)
    return problem("clock", f"it says {text}", _SET_CLOCK)


def synchronisation(known: bool | None) -> Finding:  # noqa: FBT001  three answers of one question
    if known is None:
        return warning("clock", "the system does not say if a time server keeps it", "Look: timedatectl")
    if known:
        return fine("clock", "kept by a time server")
    return warning("clock", "no time server keeps it: the log's times will drift", "sudo timedatectl set-ntp true")


def synchronised() -> bool | None:
    try:
        adjtimex = ctypes.CDLL(None).adjtimex
    except (OSError, AttributeError):  # not Linux
        return None
    state = _Timex()  # modes 0: only asked, nothing is set
    if adjtimex(ctypes.byref(state)) < 0:
        return None
    return not state.status & _UNSYNCHRONISED


def sleep(slept_s: float) -> Finding:
    if slept_s < SLEPT_S:
        return fine("clock", "the computer has not slept since it was started")
    return warning(
        "clock",
        f"the computer has slept for {slept_s:.0f} s since it was started; devices are not polled then",
        "sudo systemctl mask sleep.target suspend.target hibernate.target hybrid-sleep.target",
    )

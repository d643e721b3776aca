"""The wall clock, as the log writes it, and whether somebody sets it."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

TOLERANCE_S: Final = 0.5
"""A difference of the two clocks that is no step: the process may have to wait between reading one and the other."""

SLEW: Final = 0.0005
"""By what part a time server may make the wall clock go faster or slower without a step: Linux allows 500 ppm."""


def wall_time() -> str:
    """Now: RFC 3339, UTC, microseconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def boot_time_s() -> float:
    """Seconds since the computer started, those in which it slept included where the system counts them."""
    if hasattr(time, "CLOCK_BOOTTIME"):  # Linux
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    """Compares the wall clock with the one that nobody can set.

    Args:
        boot_s: a clock that only goes forward and never stands still, in seconds.
    """

    def __init__(self, boot_s: Callable[[], float] = boot_time_s) -> None:
        self._boot_s: Final = boot_s
        self._last: tuple[datetime, float] | None = None

    def step_s(self, now: str) -> float | None:
        """How far the wall clock was set since it was looked at last; ``None`` if it was not.

        Args:
            now: what it says, RFC 3339, UTC.
        """
        wall, boot_s = datetime.fromisoformat(now), self._boot_s()
        before, self._last = self._last, (wall, boot_s)
        if before is None:
            return None
        passed_s = boot_s - before[1]
        step_s = (wall - before[0]).total_seconds() - passed_s
        return round(step_s, 3) if abs(step_s) > TOLERANCE_S + SLEW * passed_s else None


def went_back_s(last: str, now: str) -> float | None:
    """How far the clock went back while nobody looked: a log is taken up, and its last line is of a later time.

    Args:
        last: the time of the log's last line, RFC 3339, UTC.
        now: what the clock says.
    """
    behind_s = (datetime.fromisoformat(now) - datetime.fromisoformat(last)).total_seconds()
    return round(behind_s, 3) if behind_s < -TOLERANCE_S else None

"""The wall clock, and steps of it."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

TOLERANCE_S: Final = 0.5

SLEW: Final = 0.0005
"""Linux allows 500 ppm."""


def wall_time() -> str:
    """RFC 3339, UTC, microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def boot_time_s() -> float:
    if hasattr(time, "CLOCK_BOOTTIME"):  # Linux
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    """Detects steps of the wall clock against a monotonic clock."""

    def __init__(self, boot_s: Callable[[], float] = boot_time_s) -> None:
        self._boot_s: Final = boot_s
        self._last: tuple[datetime, float] | None = None
        self._told: tuple[datetime, float] | None = None

    def step_s(self, now: str) -> float | None:
        """Seconds by which the clock was set since the last check; ``None``: not set."""
        looked = datetime.fromisoformat(now), self._boot_s()
        last, self._last = self._last, looked
        if last is None or self._told is None:
            self._told = looked
            return None
        for before in (last, self._told):
            step_s = _step_s(before, looked)
            if step_s is not None:
                self._told = looked
                return step_s
        return None


def _step_s(before: tuple[datetime, float], now: tuple[datetime, float]) -> float | None:
    passed_s = now[1] - before[1]
    step_s = (now[0] - before[0]).total_seconds() - passed_s
    return round(step_s, 3) if abs(step_s) > TOLERANCE_S + SLEW * passed_s else None


def went_back_s(last: str, now: str) -> float | None:
    behind_s = (datetime.fromisoformat(now) - datetime.fromisoformat(last)).total_seconds()
    return round(behind_s, 3) if behind_s < -TOLERANCE_S else None

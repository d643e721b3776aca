"""The rate limit of one device: a bucket of events and one of bytes, each refilled at a steady rate.

A flooding device must not fill the memory or delay a person.

The limit is far above any real device; above it the port is closed.
"""

import threading
from collections.abc import Callable
from typing import Final

EVENTS: Final = 2_048
"""Events in a full bucket: a TDP device may repeat up to 1,024 after a reconnection."""
EVENTS_PER_S: Final = 200
"""Events refilled each second; a shoe draws some two cards in that time."""
BYTES_PER_S: Final = 64 * 1024
"""Bytes refilled each second: five times the rate of a line of 115200 baud."""
BYTES: Final = BYTES_PER_S * EVENTS // EVENTS_PER_S
"""Bytes in a full bucket: ten seconds, as the bucket of events."""


class Budget:
    """The rate limit of one device, on the clock of its port's thread.

    Args:
        exceeded: called in the port's thread once the port is closed for it.
    """

    def __init__(self, exceeded: Callable[[], None]) -> None:
        self.exceeded: Final = exceeded
        self._guard: Final = threading.Lock()
        self._events = float(EVENTS)
        self._bytes = float(BYTES)
        self._looked_s: float | None = None

    def received(self, size: int) -> None:
        """Count bytes from the line."""
        with self._guard:
            self._bytes -= size

    def count_events(self, events: int) -> None:
        """Count events for the table; from any thread."""
        with self._guard:
            self._events -= events

    def is_exceeded(self, now_s: float) -> bool:
        """True if the device has exceeded its limit.

        Args:
            now_s: seconds, monotonic; the buckets were refilled up to the last time that this was asked.
        """
        with self._guard:
            passed_s = 0.0 if self._looked_s is None else now_s - self._looked_s
            self._looked_s = now_s
            self._events = min(self._events + passed_s * EVENTS_PER_S, EVENTS)
            self._bytes = min(self._bytes + passed_s * BYTES_PER_S, BYTES)
            return self._events < 0 or self._bytes < 0

    def fill(self) -> None:
        """Refill both buckets."""
        with self._guard:
            self._events, self._bytes, self._looked_s = float(EVENTS), float(BYTES), None

"""The rate limit of one device: buckets of events and bytes, refilled steadily.

It is far above any real device; above it the port is closed.
"""

import threading
from collections.abc import Callable
from typing import Final

EVENTS: Final = 2_048
"""A TDP device may repeat up to 1,024 after a reconnection."""
EVENTS_PER_S: Final = 200
"""A shoe draws some two cards in a second."""
BYTES_PER_S: Final = 64 * 1024
"""Five times a line of 115200 baud."""
BYTES: Final = BYTES_PER_S * EVENTS // EVENTS_PER_S
"""Ten seconds, as the bucket of events."""


class Budget:
    """``exceeded`` is called in the port's thread once the port is closed."""

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
        """From any thread."""
        with self._guard:
            self._events -= events

    def is_exceeded(self, now_s: float) -> bool:
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

"""How much one device may say: a bucket of events and one of bytes, each refilled at a steady rate.

A device that floods its line, broken or hostile, must not fill the memory of the table's computer nor keep a person
waiting. What it may say is far more than a real one does, and its port is closed once it says more.
"""

import threading
from collections.abc import Callable
from typing import Final

EVENTS: Final = 2_048
"""Events in a full bucket: a TDP device lawfully tells up to 1,024 again when it comes back."""
EVENTS_PER_S: Final = 200
"""Events that come back into it each second; a shoe draws some two cards in that time."""
BYTES_PER_S: Final = 64 * 1024
"""Bytes that come back each second: five times what a line of 115200 baud carries."""
BYTES: Final = BYTES_PER_S * EVENTS // EVENTS_PER_S
"""Bytes in a full bucket: it empties and fills in the same time as the one of events, some ten seconds."""


class Budget:
    """The amount that one device may say, by the clock of its port's thread.

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
        """Counts bytes that came over the line."""
        with self._guard:
            self._bytes -= size

    def count_events(self, events: int) -> None:
        """Counts events for the table; from any thread."""
        with self._guard:
            self._events -= events

    def is_exceeded(self, now_s: float) -> bool:
        """True if the device has said more than it may.

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
        """Begins anew with full buckets."""
        with self._guard:
            self._events, self._bytes, self._looked_s = float(EVENTS), float(BYTES), None

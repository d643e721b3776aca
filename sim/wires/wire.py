"""The face that every simulated line shows to the device at its end."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

Sink = Callable[[bytes], None]
WRITE_LIMIT: Final = 65536
"""Bytes taken from a host at a time: more than any host says at once."""


class Wire(Protocol):
    """A line, plugged in or not. Bytes without a receiver are lost and counted, as on a serial line.

    ``sim.sim_thread`` waits on ``fds`` and calls ``pump``, which never waits, when one is readable or after a wake.
    """

    @property
    def is_plugged(self) -> bool:
        """True if the cable is in."""

    @property
    def lost_bytes(self) -> int:
        """Bytes from the device without a receiver."""

    def listen(self, sink: Sink) -> None:
        """Give what the host writes to ``sink``."""

    def send(self, data: bytes) -> None:
        """Send to the host."""

    def unplug(self) -> None:
        """Pull the cable: the host finds the line gone. Idempotent."""

    def replug(self) -> None:
        """Put the cable in again, under the same name. Idempotent."""

    def fds(self) -> Sequence[int]:
        """File descriptors to wait on now."""

    def pump(self) -> None:
        """Move what waits."""

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Call ``wake``, from any thread, when there is something to pump that ``fds`` do not show."""

    def close(self) -> None:
        """Let go of everything. Idempotent."""


def nothing_heard(_data: bytes) -> None:
    """Sink of a line before ``listen``."""


class CountingWire(Wire):
    """Base class of lines: the listener at the device's end, and the count of lost bytes."""

    def __init__(self) -> None:
        self._sink: Sink = nothing_heard
        self._lost = 0

    @property
    def lost_bytes(self) -> int:
        return self._lost

    def listen(self, sink: Sink) -> None:
        self._sink = sink

"""The interface of every simulated line at the device's end."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

Sink = Callable[[bytes], None]
WRITE_LIMIT: Final = 65536


class Wire(Protocol):
    """A line, plugged in or not. Bytes without a receiver are lost and counted.

    ``sim.sim_thread`` waits on ``fds`` and calls ``pump``, which never waits.
    """

    @property
    def is_plugged(self) -> bool:
        """True if the cable is in."""

    @property
    def lost_bytes(self) -> int:
        """Bytes from the device without a receiver."""

    def listen(self, sink: Sink) -> None:
        """Pass the host's bytes to ``sink``."""

    def send(self, data: bytes) -> None:
        """Send to the host."""

    def unplug(self) -> None:
        """Pull the cable. Idempotent."""

    def replug(self) -> None:
        """Put the cable in again, under the same name. Idempotent."""

    def fds(self) -> Sequence[int]:
        """File descriptors to wait on now."""

    def pump(self) -> None:
        """Move waiting bytes; never waits."""

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Call ``wake``, from any thread, when bytes wait that ``fds`` do not show."""

    def close(self) -> None:
        """Release everything. Idempotent."""


def was_quiet(_data: bytes) -> None:
    """Sink of a line before ``listen``."""


class CountingWire(Wire):
    def __init__(self) -> None:
        self._sink: Sink = was_quiet
        self._lost = 0

    @property
    def lost_bytes(self) -> int:
        return self._lost

    def listen(self, sink: Sink) -> None:
        self._sink = sink

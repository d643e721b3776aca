"""A line with a listener: every byte that the device sends or hears is told, with its direction."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from sim.wires.wire import Sink, Wire

Tap = Callable[[Literal["device", "host"], bytes], None]


class TappedWire:
    """A wire that tells of its bytes; everything else is the wire's own.

    Args:
        wire: the line.
        tap: is told who sent, and what, on the thread that moves the bytes. What the device sends while the cable is
            out is told as well.
    """

    def __init__(self, wire: Wire, tap: Tap) -> None:
        self.wire: Final = wire
        self._tap: Final = tap

    @property
    def is_plugged(self) -> bool:
        """Whether the cable is in."""
        return self.wire.is_plugged

    @property
    def lost_bytes(self) -> int:
        """Bytes from the device that nobody could get."""
        return self.wire.lost_bytes

    def listen(self, sink: Sink) -> None:
        """Give what the host writes to ``sink``, and tell of it."""

        def heard(data: bytes) -> None:
            self._tap("host", data)
            sink(data)

        self.wire.listen(heard)

    def send(self, data: bytes) -> None:
        """Send to the host, and tell of it."""
        self._tap("device", data)
        self.wire.send(data)

    def unplug(self) -> None:
        """Pull the cable."""
        self.wire.unplug()

    def replug(self) -> None:
        """Put the cable in again."""
        self.wire.replug()

    def fds(self) -> Sequence[int]:
        """The wire's."""
        return self.wire.fds()

    def pump(self) -> None:
        """Move what waits."""
        self.wire.pump()

    def on_wake(self, wake: Callable[[], None]) -> None:
        """As the wire does."""
        self.wire.on_wake(wake)

    def close(self) -> None:
        """Let go of the wire."""
        self.wire.close()

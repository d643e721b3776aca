"""A wire around a wire: what it does not change goes through; one that reports every byte."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from sim.wires.wire import Sink, Wire

Tap = Callable[[Literal["device", "host"], bytes], None]


class WrappedWire:
    """Passes everything on."""

    def __init__(self, wire: Wire) -> None:
        self.wire: Final = wire

    @property
    def is_plugged(self) -> bool:
        return self.wire.is_plugged

    @property
    def lost_bytes(self) -> int:
        """Bytes from the device without a receiver."""
        return self.wire.lost_bytes

    def listen(self, sink: Sink) -> None:
        """Give what the host writes to ``sink``."""
        self.wire.listen(sink)

    def send(self, data: bytes) -> None:
        """Send to the host."""
        self.wire.send(data)

    def unplug(self) -> None:
        """Pull the cable."""
        self.wire.unplug()

    def replug(self) -> None:
        """Put the cable in again."""
        self.wire.replug()

    def fds(self) -> Sequence[int]:
        """File descriptors to wait on now."""
        return self.wire.fds()

    def pump(self) -> None:
        """Move what waits."""
        self.wire.pump()

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` when there is something to pump that ``fds`` do not show."""
        self.wire.on_wake(wake)

    def close(self) -> None:
        """Let go of everything."""
        self.wire.close()


class TappedWire(WrappedWire):
    """A wire that copies its bytes to a tap.

    Args:
        tap: receives sender and bytes in the thread that moves them, also with the cable out.
    """

    def __init__(self, wire: Wire, tap: Tap) -> None:
        super().__init__(wire)
        self._tap: Final = tap

    def listen(self, sink: Sink) -> None:

        def on_host_bytes(data: bytes) -> None:
            self._tap("host", data)
            sink(data)

        super().listen(on_host_bytes)

    def send(self, data: bytes) -> None:
        self._tap("device", data)
        super().send(data)

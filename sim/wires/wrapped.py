"""A wire around a wire: forwarding, and one that reports every byte."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from sim.wires.wire import Sink, Wire

Tap = Callable[[Literal["device", "host"], bytes], None]


class WrappedWire:
    def __init__(self, wire: Wire) -> None:
        self.wire: Final = wire

    @property
    def is_plugged(self) -> bool:
        return self.wire.is_plugged

    @property
    def lost_bytes(self) -> int:
        return self.wire.lost_bytes

    def listen(self, sink: Sink) -> None:
        """Forwarded."""
        self.wire.listen(sink)

    def send(self, data: bytes) -> None:
        """Forwarded."""
        self.wire.send(data)

    def unplug(self) -> None:
        """Forwarded."""
        self.wire.unplug()

    def replug(self) -> None:
        """Forwarded."""
        self.wire.replug()

    def fds(self) -> Sequence[int]:
        """Forwarded."""
        return self.wire.fds()

    def pump(self) -> None:
        """Forwarded."""
        self.wire.pump()

    def on_wake(self, wake: Callable[[], None]) -> None:
        self.wire.on_wake(wake)

    def close(self) -> None:
        """Forwarded."""
        self.wire.close()


class TappedWire(WrappedWire):
    """Copy the bytes to a tap, in the thread that moves them, unplugged or not."""

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

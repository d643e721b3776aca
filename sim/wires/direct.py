"""A line without a line: bytes are handed over by a call, for virtual time."""

from collections.abc import Callable, Sequence

from sim.wires.wire import Sink, Wire, nothing_heard


class DirectWire(Wire):
    """Hands bytes to ``host`` as they are sent, on the caller's thread.

    Args:
        host: gets what the device sends.
    """

    def __init__(self, host: Sink) -> None:
        self._host = host
        self._sink: Sink = nothing_heard
        self._plugged = True
        self._lost = 0

    @property
    def is_plugged(self) -> bool:
        return self._plugged

    @property
    def lost_bytes(self) -> int:
        """Bytes sent while the cable was out."""
        return self._lost

    def listen(self, sink: Sink) -> None:
        """Give what the host writes to ``sink``."""
        self._sink = sink

    def send(self, data: bytes) -> None:
        """Hand ``data`` to the host."""
        if self._plugged:
            self._host(data)
        else:
            self._lost += len(data)

    def from_host(self, data: bytes) -> None:
        """Hand ``data`` to the device, as what the host writes."""
        if self._plugged:
            self._sink(data)

    def unplug(self) -> None:
        """Pull the cable."""
        self._plugged = False

    def replug(self) -> None:
        """Put the cable in again."""
        self._plugged = True

    def fds(self) -> Sequence[int]:
        """None."""
        return ()

    def pump(self) -> None:
        """Nothing ever waits."""

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Never needed."""

    def close(self) -> None:
        """Same as ``unplug``."""
        self.unplug()

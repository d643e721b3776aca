"""A line without a line: bytes are handed over by a call."""

from collections.abc import Callable, Sequence

from sim.wires.wire import CountingWire, Sink


class DirectWire(CountingWire):
    """Pass bytes to ``host`` on the caller's thread."""

    def __init__(self, host: Sink) -> None:
        super().__init__()
        self._host = host
        self._plugged = True

    @property
    def is_plugged(self) -> bool:
        return self._plugged

    def send(self, data: bytes) -> None:
        if self._plugged:
            self._host(data)
        else:
            self._lost += len(data)

    def from_host(self, data: bytes) -> None:
        """Pass the host's bytes to the device; lost while unplugged."""
        if self._plugged:
            self._sink(data)

    def unplug(self) -> None:
        self._plugged = False

    def replug(self) -> None:
        self._plugged = True

    def fds(self) -> Sequence[int]:
        return ()

    def pump(self) -> None:
        """Nothing ever waits."""

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Never needed."""

    def close(self) -> None:
        self.unplug()

"""A line inside the process, whose host end has the shape of a port: open, read, write, close."""

import threading
import time
from collections.abc import Callable, Sequence

from sim.wires.wire import Sink, was_quiet

LostFactory = Callable[[str], Exception]


class WireLost(ConnectionError):
    """The line is unplugged or was not opened."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: the simulated line is not open or unplugged; replug it and open it again")
        self.name = name


class _Line:
    """The state that both ends share, under one lock."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.to_host = bytearray()
        self.to_device = bytearray()
        self.plugged = True
        self.plug_count = 1
        self.lost = 0
        self.wake: Callable[[], None] = lambda: None


class PipePort:
    """The host's end. It keeps the promises of the drivers' port contract without knowing it."""

    def __init__(self, name: str, line: _Line, lost: LostFactory, missing: LostFactory) -> None:
        self._name = name
        self._line = line
        self._lost = lost
        self._missing = missing
        self._opened_as: int | None = None

    @property
    def name(self) -> str:
        """The port's name, the same across a re-plug."""
        return self._name

    def open(self) -> None:
        """Open the line. Raises what ``missing`` makes if it is unplugged."""
        with self._line.changed:
            if not self._line.plugged:
                raise self._missing(self._name)
            self._opened_as = self._line.plug_count

    def read(self, timeout_s: float) -> bytes:
        """Return what arrived; ``b""`` when ``timeout_s`` seconds are up. Raises what ``lost`` makes."""
        deadline_s = time.monotonic() + timeout_s
        with self._line.changed:
            while self._is_open():
                if self._line.to_host:
                    data = bytes(self._line.to_host)
                    self._line.to_host.clear()
                    return data
                left_s = deadline_s - time.monotonic()
                if left_s <= 0:
                    return b""
                self._line.changed.wait(left_s)
        raise self._lost(self._name)

    def write(self, data: bytes) -> None:
        """Hand over ``data``. Raises what ``lost`` makes."""
        with self._line.changed:
            if not self._is_open():
                raise self._lost(self._name)
            self._line.to_device.extend(data)
        self._line.wake()

    def close(self) -> None:
        """Close; a read in progress ends. Idempotent."""
        with self._line.changed:
            self._opened_as = None
            self._line.changed.notify_all()

    def _is_open(self) -> bool:
        return self._line.plugged and self._opened_as == self._line.plug_count


class PipeWire:
    """The device's end; ``host`` is the other."""

    def __init__(self, name: str = "pipe", lost: LostFactory = WireLost, missing: LostFactory = WireLost) -> None:
        self._line = _Line()
        self._sink: Sink = was_quiet
        self.host = PipePort(name, self._line, lost, missing)
        """The host's end, to be used in place of a serial port."""

    @property
    def is_plugged(self) -> bool:
        return self._line.plugged

    @property
    def lost_bytes(self) -> int:
        """Bytes sent while the cable was out, or unread when it was pulled."""
        return self._line.lost

    def listen(self, sink: Sink) -> None:
        """Give what the host writes to ``sink``."""
        self._sink = sink

    def send(self, data: bytes) -> None:
        """Send to the host; what it does not read waits."""
        with self._line.changed:
            if self._line.plugged:
                self._line.to_host.extend(data)
                self._line.changed.notify_all()
            else:
                self._line.lost += len(data)

    def unplug(self) -> None:
        """Pull the cable; what the host has not read is lost."""
        with self._line.changed:
            self._line.plugged = False
            self._line.lost += len(self._line.to_host)
            self._line.to_host.clear()
            self._line.to_device.clear()
            self._line.changed.notify_all()

    def replug(self) -> None:
        """Put the cable in again; the host has to open anew."""
        with self._line.changed:
            if not self._line.plugged:
                self._line.plugged = True
                self._line.plug_count += 1

    def fds(self) -> Sequence[int]:
        """None: the host's writes wake instead."""
        return ()

    def pump(self) -> None:
        """Hand over what the host wrote."""
        with self._line.changed:
            data = bytes(self._line.to_device)
            self._line.to_device.clear()
        if data:
            self._sink(data)

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` when the host wrote."""
        self._line.wake = wake

    def close(self) -> None:
        """Same as ``unplug``."""
        self.unplug()

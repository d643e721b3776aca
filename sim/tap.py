"""A line with a listener: every byte that the device sends or hears is told, with its direction."""

from collections.abc import Callable
from typing import Final, Literal

from sim.wires.wire import Sink, Wire
from sim.wires.wrapped import WrappedWire

Tap = Callable[[Literal["device", "host"], bytes], None]


class TappedWire(WrappedWire):
    """A wire that tells of its bytes; everything else is the wire's own.

    Args:
        wire: the line.
        tap: is told who sent, and what, on the thread that moves the bytes. What the device sends while the cable is
            out is told as well.
    """

    def __init__(self, wire: Wire, tap: Tap) -> None:
        super().__init__(wire)
        self._tap: Final = tap

    def listen(self, sink: Sink) -> None:

        def heard(data: bytes) -> None:
            self._tap("host", data)
            sink(data)

        super().listen(heard)

    def send(self, data: bytes) -> None:
        self._tap("device", data)
        super().send(data)

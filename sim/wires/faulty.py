"""A wire on which bytes are damaged, lost, doubled, split or delayed."""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

from sim.clock import Clock, Timer
from sim.wires.uart import misread
from sim.wires.wire import Sink, Wire, was_quiet
from sim.wires.wrapped import WrappedWire

End = Literal["device", "host"]
PIECE_GAP_S: Final = 0.005
"""A host reads each piece of a split write separately."""
_BITS_PER_BYTE: Final = 10


class FaultyLine:
    """One direction of a line.

    Attributes:
        damaged, lost, doubled: writes still to be affected.
        piece_bytes: 0: whole writes.
        baud: of sender and receiver; ``None``: equal, without transfer time.
    """

    def __init__(self, clock: Clock, sink: Callable[[], Sink]) -> None:
        self._clock: Final = clock
        self._sink: Final = sink
        self._coming: Final[list[Timer]] = []
        self._free_s = 0.0
        self.straighten()

    def straighten(self) -> None:
        """End all faults."""
        self.damaged = self.lost = self.doubled = self.piece_bytes = 0
        self.delay_s = 0.0
        self.baud: tuple[int, int] | None = None

    def cut(self) -> None:
        """Lose the bytes under way."""
        for timer in self._coming:
            timer.cancel()
        self._coming.clear()

    def carry(self, data: bytes) -> None:
        """Carry a write of the sender."""
        if self.lost:
            self.lost -= 1
            return
        if self.damaged:
            self.damaged -= 1
            middle = len(data) // 2
            data = data[:middle] + bytes(byte ^ 1 for byte in data[middle : middle + 1]) + data[middle + 1 :]
        copies = 1
        if self.doubled:
            self.doubled -= 1
            copies = 2
        for _ in range(copies):
            self._lay(data)

    def _lay(self, data: bytes) -> None:
        size = self.piece_bytes or max(len(data), 1)
        for begin in range(0, len(data), size):
            piece = data[begin : begin + size]
            lasts_s = PIECE_GAP_S if self.piece_bytes else 0.0
            if self.baud is not None:
                lasts_s += len(piece) * _BITS_PER_BYTE / self.baud[0]
                piece = misread(piece, *self.baud)
            now_s = self._clock.now_s()
            self._free_s = max(now_s + self.delay_s, self._free_s) + lasts_s
            if self._free_s <= now_s and not self._coming:
                self._sink()(piece)
            else:
                self._coming.append(self._clock.call_at(self._free_s, partial(self._arrive, piece)))

    def _arrive(self, piece: bytes) -> None:
        self._coming.pop(0)
        if piece:
            self._sink()(piece)


class FaultyWire(WrappedWire):
    def __init__(self, wire: Wire, clock: Clock) -> None:
        super().__init__(wire)
        self._hears: Sink = was_quiet
        self.lines: Final[dict[End, FaultyLine]] = {
            "device": FaultyLine(clock, lambda: self.wire.send),
            "host": FaultyLine(clock, lambda: self._hears),
        }

    def listen(self, sink: Sink) -> None:
        self._hears = sink
        super().listen(self.lines["host"].carry)

    def send(self, data: bytes) -> None:
        self.lines["device"].carry(data)

    def unplug(self) -> None:
        for line in self.lines.values():
            line.cut()
        super().unplug()

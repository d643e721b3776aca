"""A serial line of some speed before a device in virtual time."""

from collections import deque
from typing import Final

from cardshoe.cli.sim.virtual import Far

BITS: Final = 10
"""Of a byte: start, eight, stop."""
BATCH: Final = 16
"""Bytes that a UART hands over at once."""


class PacedFar(Far):
    """A device behind a line on which each byte takes its time, in both directions at once.

    Args:
        adapter_s: seconds that an adapter holds what the device sent.
    """

    def __init__(self, far: Far, baud: int, adapter_s: float = 0.0) -> None:
        self._adapter_s: Final = adapter_s
        self._far: Final = far
        self._byte_s: Final = BITS / baud
        self._heard: Final[deque[tuple[float, bytes]]] = deque()
        self._said: Final[deque[tuple[float, bytes]]] = deque()
        self._free_s = [0.0, 0.0]

    @property
    def is_plugged(self) -> bool:
        return self._far.is_plugged

    def now_s(self) -> float:
        return self._far.now_s()

    def write(self, data: bytes) -> None:
        self._queue(0, self._heard, data)

    def taken(self) -> bytes:
        self._collect()
        data = bytearray()
        while self._said and self._said[0][0] <= self.now_s():
            data += self._said.popleft()[1]
        return bytes(data)

    def step(self, until_s: float) -> None:
        arrivals = [queue[0][0] for queue in (self._heard, self._said) if queue]
        self._far.step(max(self.now_s(), min([until_s, *arrivals])))
        self._collect()
        while self._heard and self._heard[0][0] <= self.now_s():
            self._far.write(self._heard.popleft()[1])
            self._collect()

    def execute(self, line: str) -> str:
        answer = self._far.execute(line)
        if not self.is_plugged:
            self._heard.clear()
            self._said.clear()
        return answer

    def _collect(self) -> None:
        self._queue(1, self._said, self._far.taken())

    def _queue(self, way: int, queue: deque[tuple[float, bytes]], data: bytes) -> None:
        for at in range(0, len(data), BATCH):
            batch = data[at : at + BATCH]
            self._free_s[way] = max(self._free_s[way], self.now_s()) + len(batch) * self._byte_s
            queue.append((self._free_s[way] + way * self._adapter_s, batch))

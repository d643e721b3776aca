"""Single frames to and from a TDP device, without rules of the link."""

from collections import deque
from dataclasses import dataclass
from typing import Final

from conformance.bench import Bench
from protocols.garbage import Garbage
from protocols.tdp.framing import Frame, FrameDecoder, encode_frame

BITS: Final = 10
"""Start, eight, stop."""


@dataclass(frozen=True, slots=True)
class ReceivedFrame:
    at_s: float
    frame: Frame


class FrameLine:
    def __init__(self, bench: Bench, baud: int) -> None:
        self._bench: Final = bench
        self._byte_s: Final = BITS / baud
        self._written_until_s = 0.0
        self._decoder = FrameDecoder()
        self._waiting: deque[ReceivedFrame] = deque()
        self.heard: list[ReceivedFrame] = []
        self.garbage: list[Garbage] = []
        self.raw = bytearray()

    def begin(self) -> None:
        self._decoder = FrameDecoder()
        self._waiting.clear()
        self.heard = []
        self.garbage = []
        self.raw = bytearray()

    @property
    def more(self) -> bool:
        return bool(self._waiting)

    def send(self, *frames: Frame) -> None:
        self.send_raw(b"".join(encode_frame(frame) for frame in frames))

    def send_raw(self, data: bytes) -> None:
        self._bench.write(data)
        self._written_until_s = max(self._written_until_s, self._bench.now_s()) + len(data) * self._byte_s

    def drain(self, quiet_s: float) -> None:
        """Receive until all has left a serial line, and ``quiet_s`` more."""
        self.all_for(max(0.0, self._written_until_s - self._bench.now_s()) + quiet_s)

    def next(self, until_s: float) -> ReceivedFrame | None:
        """The next frame; None at ``until_s`` on the clock."""
        while not self._waiting:
            data = self._bench.read(until_s)
            if data:
                self._receive(data)
            elif self._bench.now_s() >= until_s:
                return None
        return self._waiting.popleft()

    def all_for(self, duration_s: float) -> list[Frame]:
        until_s = self._bench.now_s() + duration_s
        frames: list[Frame] = []
        while (heard := self.next(until_s)) is not None:
            frames.append(heard.frame)
        return frames

    def _receive(self, data: bytes) -> None:
        now_s = self._bench.now_s()
        self.raw += data
        for item in self._decoder.feed(data):
            if isinstance(item, Garbage):
                self.garbage.append(item)
                self._bench.health.garbage(len(item.raw))
            else:
                heard = ReceivedFrame(now_s, item)
                self.heard.append(heard)
                self._waiting.append(heard)
                self._bench.health.frame(encode_frame(item), now_s, sends_copies=False)

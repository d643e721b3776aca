"""A reliable byte stream within a session (``docs/protocols/tdp.md``, section 6).

Go back N: after the timer or a NAK the sender repeats all unacknowledged frames.
"""

from collections import deque
from typing import Final

from protocols.tdp.framing import SEQUENCES
from protocols.tdp.timing import ACK_WITHIN_S, GIVE_UP_S, RETRY_S

_NOT_OWED: Final = float("inf")


class Channel:
    def __init__(self, window: int, payload_max: int) -> None:
        self._window: Final = window
        self._payload_max: Final = payload_max
        self._queue = bytearray()
        self._is_urgent = False
        self._in_flight: deque[bytes] = deque()
        self._first = 0
        self._sent = 0
        self._timer_s = 0.0
        self._progress_s = 0.0
        self._owed_s = _NOT_OWED
        self._silent_until_s = 0.0
        self.expected = 0
        self.complains = False
        self.repeated = 0
        self.duplicates = 0

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent or acknowledged."""
        return len(self._queue) + sum(map(len, self._in_flight))

    @property
    def deadline_s(self) -> float | None:
        times = [self._owed_s] if self._owed_s < _NOT_OWED else []
        if self._in_flight:
            times += [self._timer_s + RETRY_S, self._progress_s + GIVE_UP_S]
        return min(times, default=None)

    def is_stuck(self, now_s: float) -> bool:
        return bool(self._in_flight) and self._progress_s + GIVE_UP_S <= now_s

    def queue(self, data: bytes, *, waits: bool = False) -> None:
        """``waits``: up to ``ACK_WITHIN_S`` for other bytes."""
        self._queue += data
        self._is_urgent |= not waits

    def owe(self, by_s: float) -> None:
        """Send an acknowledgement with the next frame, or alone at ``by_s``."""
        self._owed_s = min(self._owed_s, by_s)

    def owes(self, now_s: float) -> bool:
        """True if a waiting acknowledgement or message must be sent now."""
        return self._owed_s <= now_s

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        """The bytes of the expected ``DATA`` frame, else none; ``sequence`` is 0 to 255."""
        self.owe(now_s + ACK_WITHIN_S)
        ahead = (sequence - self.expected) % SEQUENCES
        if not ahead:
            self.expected = (self.expected + 1) % SEQUENCES
            self._silent_until_s = now_s
            return payload
        self.duplicates += 1
        if ahead < self._window:
            self.missed(now_s)
        return b""

    def missed(self, now_s: float) -> None:
        """Request a repetition after damage or a missing frame, unless one is already requested."""
        if self._silent_until_s <= now_s:
            self._silent_until_s = now_s + RETRY_S
            self.complains = True

    def acknowledged(self, expected: int, now_s: float) -> None:
        """Apply the acknowledgement of a frame."""
        count = (expected - self._first) % SEQUENCES
        if not 0 < count <= len(self._in_flight):
            return  # nothing new, or an old one that was overtaken
        for _ in range(count):
            self._in_flight.popleft()
        self._first = expected
        self._sent = max(0, self._sent - count)
        self._timer_s = self._progress_s = now_s

    def go_back(self) -> None:
        self._sent = 0

    def frames(self, now_s: float) -> list[tuple[int, bytes]]:
        """Sequence number and payload of each ``DATA`` frame; they count as sent."""
        if self._in_flight and self._timer_s + RETRY_S <= now_s:
            self.go_back()
        start = self._sent
        self.repeated += len(self._in_flight) - start
        if self._queue and not self._is_urgent:
            self.owe(now_s + ACK_WITHIN_S)
            # What goes anyway takes along what waits.
            self._is_urgent = self.complains or self.owes(now_s) or start < len(self._in_flight)
        if self._is_urgent:
            while self._queue and len(self._in_flight) < self._window:
                if not self._in_flight:
                    self._progress_s = self._timer_s = now_s
                self._in_flight.append(bytes(self._queue[: self._payload_max]))
                del self._queue[: self._payload_max]
            self._is_urgent = bool(self._queue)
        self._sent = len(self._in_flight)
        if not start < self._sent:
            return []
        if not start:
            self._timer_s = now_s
        return [((self._first + place) % SEQUENCES, self._in_flight[place]) for place in range(start, self._sent)]

    def frame_sent(self) -> None:
        self._owed_s = _NOT_OWED
        self.complains = False

"""A reliable, ordered stream of bytes in both directions within one session (``docs/protocols/tdp.md``, section 6).

The channel numbers, repeats, acknowledges and orders; it knows no session, opens nothing, and never gives up by itself.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

from protocols.tdp.framing import SEQUENCES
from protocols.tdp.timing import DUPLICATES, TRIES_MAX, RoundTrip


@dataclass(slots=True)
class _Sent:
    sequence: int
    payload: bytes
    sent_s: float
    tries: int = 1
    due: bool = False
    """To be sent again whatever the time."""


class Channel:
    """One end of the stream.

    Attributes:
        expected: the sequence number expected next; what acknowledgements carry.
        owes_acknowledgement: a ``DATA`` frame came since the last frame was sent.
        repeated: frames sent again.
        duplicates: frames that came again and were dropped.
        round_trip: the timeout and what it is made from.
    """

    def __init__(self, window: int, payload_max: int) -> None:
        """Start a stream.

        Args:
            window: frames under way at most, 1 to 4, as agreed when the session was opened.
            payload_max: bytes in a frame at most, 16 to 224, as agreed.
        """
        self._window: Final = window
        self._payload_max: Final = payload_max
        self._queue = bytearray()
        self._in_flight: deque[_Sent] = deque()
        self._next = 0
        self._early: dict[int, bytes] = {}
        self._unchanged = 0
        self.expected = 0
        self.owes_acknowledgement = False
        self.repeated = 0
        self.duplicates = 0
        self.round_trip: Final = RoundTrip()

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent or acknowledged."""
        return len(self._queue) + sum(len(sent.payload) for sent in self._in_flight)

    @property
    def deadline_s(self) -> float | None:
        """When the next frame is to be sent again, or None when nothing is under way."""
        if not self._in_flight:
            return None
        return min(sent.sent_s for sent in self._in_flight) + self.round_trip.timeout_s

    def exhausted(self, now_s: float) -> bool:
        """Whether a frame was sent as often as is allowed, and was not acknowledged the last time either."""
        latest_s = now_s - self.round_trip.timeout_s
        return any(sent.tries >= TRIES_MAX and sent.sent_s <= latest_s for sent in self._in_flight)

    def queue(self, data: bytes) -> None:
        """Append ``data`` to what is to be sent."""
        self._queue += data

    def data(self, sequence: int, payload: bytes) -> bytes:
        """Take a ``DATA`` frame; return the bytes that are now in order, perhaps none.

        Args:
            sequence: its number, 0 to 65535.
            payload: its bytes.
        """
        self.owes_acknowledgement = True
        ahead = (sequence - self.expected) % SEQUENCES
        if ahead >= self._window or sequence in self._early:
            # Behind us, and so known; or further ahead than the other end may be, and so not of this line.
            self.duplicates += 1
            return b""
        self._early[sequence] = payload
        ready = bytearray()
        while self.expected in self._early:
            ready += self._early.pop(self.expected)
            self.expected = (self.expected + 1) % SEQUENCES
        return bytes(ready)

    def acknowledged(self, expected: int, now_s: float, *, bare: bool) -> None:
        """Take the acknowledgement that every frame carries.

        Args:
            expected: the sequence number that the other end expects next.
            now_s: seconds.
            bare: the frame was an ``ACK``, sent because data came: only then does it show a gap if it says nothing new.
        """
        if not self._in_flight:
            return
        count = (expected - self._in_flight[0].sequence) % SEQUENCES
        if count > len(self._in_flight):
            return  # an old acknowledgement that was overtaken
        if count == 0:
            self._unchanged += bare
            if self._unchanged >= DUPLICATES:
                self._unchanged = 0
                self._in_flight[0].due = True
            return
        self._unchanged = 0
        done = [self._in_flight.popleft() for _ in range(count)]
        if all(sent.tries == 1 for sent in done):
            self.round_trip.measured(now_s - done[-1].sent_s)

    def hurry(self) -> None:
        """Send everything under way again at once: the other end was silent for a while, and now is there again."""
        for sent in self._in_flight:
            sent.due = True

    def frames(self, now_s: float) -> list[tuple[int, bytes]]:
        """Return sequence number and payload of each frame to be sent now: those that timed out, then new ones."""
        sending: list[tuple[int, bytes]] = []
        timeout_s = self.round_trip.timeout_s
        expired = False
        for sent in self._in_flight:
            late = sent.sent_s + timeout_s <= now_s
            expired |= late
            if late or sent.due:
                sent.tries += 1
                sent.sent_s = now_s
                sent.due = False
                sending.append((sent.sequence, sent.payload))
        self.repeated += len(sending)
        if expired:
            self.round_trip.expired()
        while self._queue and len(self._in_flight) < self._window:
            payload = bytes(self._queue[: self._payload_max])
            del self._queue[: self._payload_max]
            self._in_flight.append(_Sent(self._next, payload, now_s))
            sending.append((self._next, payload))
            self._next = (self._next + 1) % SEQUENCES
        return sending

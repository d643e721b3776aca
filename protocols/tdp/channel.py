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
    suspect: bool = False
    """Was under way when an older one timed out: to be sent again if that was all the other end lacked."""
    held: bool = False
    """The other end has it, and waits for one before it."""


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
        self._reports = 0
        self._timer_s = 0.0
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
        """When the oldest frame under way is to be sent again, or None when none is."""
        return self._timer_s + self.round_trip.timeout_s if self._in_flight else None

    @property
    def early(self) -> int:
        """What came too early and is held: bit 0 for the frame after the one expected, bit 1 for the next, ..."""
        return sum(1 << (number - self.expected - 1) % SEQUENCES for number in self._early)

    def exhausted(self, now_s: float) -> bool:
        """Whether a frame was sent as often as is allowed, and is due again, for whatever cause."""
        due_s = self.deadline_s
        if due_s is None or self._in_flight[0].tries < TRIES_MAX:
            return False
        return due_s <= now_s or self._in_flight[0].due

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

    def acknowledged(self, expected: int, early: int, now_s: float) -> None:
        """Take the acknowledgement that every frame carries.

        Args:
            expected: the sequence number that the other end expects next.
            early: what it holds beyond, as ``early``; 0 if the frame does not say.
            now_s: seconds.
        """
        if not self._in_flight:
            return
        count = (expected - self._in_flight[0].sequence) % SEQUENCES
        if count > len(self._in_flight):
            return  # an old acknowledgement that was overtaken
        if count:
            self._done(count, now_s)
        if early and self._in_flight:
            self._gap(early, now_s)

    def _done(self, count: int, now_s: float) -> None:
        self._reports = 0
        done = [self._in_flight.popleft() for _ in range(count)]
        if all(sent.tries == 1 for sent in done):
            self.round_trip.measured(now_s - done[-1].sent_s)
        self._timer_s = now_s
        if self._in_flight and self._in_flight[0].suspect:
            self._in_flight[0].due = True

    def _gap(self, early: int, now_s: float) -> None:
        for place, sent in enumerate(self._in_flight):
            sent.held |= place > 0 and bool(early >> place - 1 & 1)
        self._reports += 1
        oldest = self._in_flight[0]
        # Reports of what was under way when it was sent again say nothing about the new copy.
        if self._reports >= DUPLICATES and oldest.sent_s + (self.round_trip.smoothed_s or 0.0) <= now_s:
            self._reports = 0
            oldest.due = True

    def hurry(self) -> None:
        """Send again without waiting for the timeout: the other end was silent for a while, and now is there again."""
        self._again()

    def _again(self) -> None:
        # Only the oldest, and the others one by one as acknowledgements show that they lack too: on a slow line they
        # may all still stand in a queue, and a second copy of each would make it twice as slow.
        for place, sent in enumerate(self._in_flight):
            sent.due |= place == 0
            sent.suspect = place > 0 and not sent.held

    def frames(self, now_s: float) -> list[tuple[int, bytes]]:
        """Return sequence number and payload of each frame to be sent now: the oldest if due again, then new ones."""
        sending: list[tuple[int, bytes]] = []
        due_s = self.deadline_s
        if due_s is not None and due_s <= now_s:
            self.round_trip.expired()
            self._again()
        if not self._in_flight:
            self._timer_s = now_s
        elif self._in_flight[0].due:
            oldest = self._in_flight[0]
            oldest.due = oldest.suspect = False
            oldest.tries += 1
            oldest.sent_s = self._timer_s = now_s
            self.repeated += 1
            sending.append((oldest.sequence, oldest.payload))
        while self._queue and len(self._in_flight) < self._window:
            payload = bytes(self._queue[: self._payload_max])
            del self._queue[: self._payload_max]
            self._in_flight.append(_Sent(self._next, payload, now_s))
            sending.append((self._next, payload))
            self._next = (self._next + 1) % SEQUENCES
        return sending

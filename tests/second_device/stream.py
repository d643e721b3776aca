"""The stream, section 6: bytes arrive once and in order over frames that may be lost. Time is an argument."""

from collections import deque
from dataclasses import dataclass
from typing import Final

TIMEOUT_INITIAL_S: Final = 0.5
TIMEOUT_MIN_S: Final = 0.03
TIMEOUT_MAX_S: Final = 2.0
GRANULARITY_S: Final = 0.01
TRIES_MAX: Final = 12
DUPLICATES: Final = 2
MODULUS: Final = 1 << 16


class TooOftenError(Exception):
    """A frame was sent `TRIES_MAX` times in vain: the session is lost."""


@dataclass
class Flight:
    """A ``DATA`` frame under way.

    Args:
        sequence: its number.
        payload: its bytes.
        sent_at_s: when it was sent first.
        tries: how often it was sent.
        repeated_at_s: when it was sent again last.
        held: the other end holds it.
        suspect: it was under way when the timer expired.
    """

    sequence: int
    payload: bytes
    sent_at_s: float
    tries: int = 1
    repeated_at_s: float | None = None
    held: bool = False
    suspect: bool = False


class Timing:
    """The timeout of RFC 6298, within the bounds of the page; seconds throughout."""

    def __init__(self) -> None:
        self.timeout_s = TIMEOUT_INITIAL_S
        self.smoothed_s: float | None = None
        self._deviation_s = 0.0

    def measured(self, round_trip_s: float) -> None:
        if self.smoothed_s is None:
            self.smoothed_s = round_trip_s
            self._deviation_s = round_trip_s / 2
        else:
            self._deviation_s += (abs(self.smoothed_s - round_trip_s) - self._deviation_s) / 4
            self.smoothed_s += (round_trip_s - self.smoothed_s) / 8
        timeout_s = self.smoothed_s + max(GRANULARITY_S, 4 * self._deviation_s)
        self.timeout_s = min(max(timeout_s, TIMEOUT_MIN_S), TIMEOUT_MAX_S)

    def doubled(self) -> None:
        self.timeout_s = min(2 * self.timeout_s, TIMEOUT_MAX_S)

    @property
    def round_trip_s(self) -> float:
        """The smoothed one; before any was measured, the timeout."""
        return self.timeout_s if self.smoothed_s is None else self.smoothed_s


class Outgoing:
    """This end's half of the stream. What it wants sent it returns; the caller puts it into frames.

    Args:
        window: frames under way at most, 1 to 4.
        payload: bytes in a frame at most, 16 to 224.
    """

    def __init__(self, window: int, payload: int) -> None:
        self._window = window
        self._payload = payload
        self._queue = bytearray()
        self._next = 0
        self._reports = 0
        self.flights: deque[Flight] = deque()
        self.timing = Timing()
        self.expires_at_s: float | None = None

    def write(self, data: bytes) -> None:
        self._queue += data

    def new(self, now_s: float) -> list[Flight]:
        """What the window has room for."""
        sent = []
        while self._queue and len(self.flights) < self._window:
            if not self.flights:
                self.expires_at_s = now_s + self.timing.timeout_s
            flight = Flight(self._next, bytes(self._queue[: self._payload]), now_s)
            del self._queue[: self._payload]
            self._next = (self._next + 1) % MODULUS
            self.flights.append(flight)
            sent.append(flight)
        return sent

    def acknowledged(self, expected: int, bits: int | None, now_s: float) -> list[Flight]:
        """Take the acknowledgement of a frame.

        Args:
            expected: the field of that name.
            bits: frames held, of an ``ACK``; None of another frame.
            now_s: the time.

        Returns:
            Frames to be sent again at once.

        Raises:
            TooOftenError: as its name says.
        """
        base = self.flights[0].sequence if self.flights else self._next
        arrived = (expected - base) % MODULUS
        if arrived > len(self.flights):
            return []  # of what was not sent: an old one
        self._measure(arrived, now_s)
        for _ in range(arrived):
            self.flights.popleft()
        for bit in range(3):
            if bits and bits & (1 << bit) and bit + 1 < len(self.flights):
                flight = self.flights[bit + 1]
                if not flight.held and flight.tries == 1:
                    self.timing.measured(now_s - flight.sent_at_s)
                flight.held = True
        if arrived:
            self._reports = 0
            self.expires_at_s = now_s + self.timing.timeout_s if self.flights else None
            if self.flights and self.flights[0].suspect and not self.flights[0].held:
                return [self._again(self.flights[0], now_s)]
        if bits and self.flights:
            self._reports += 1
            if self._reports >= DUPLICATES and self._is_due_again(self.flights[0], now_s):
                self._reports = 0
                return [self._again(self.flights[0], now_s)]
        return []

    def expired(self, now_s: float) -> list[Flight]:
        """The timer has expired, or not yet.

        Returns:
            The oldest frame, to be sent again; nothing if it is too early.

        Raises:
            TooOftenError: as its name says.
        """
        if self.expires_at_s is None or now_s < self.expires_at_s:
            return []
        self.timing.doubled()
        for flight in list(self.flights)[1:]:
            flight.suspect = not flight.held
        return [self._again(self.flights[0], now_s)]

    def other_end_back(self, now_s: float) -> list[Flight]:
        """The other end was away and is heard again."""
        return [self._again(self.flights[0], now_s)] if self.flights else []

    def _measure(self, arrived: int, now_s: float) -> None:
        """By the newest frame that arrived in order; one that was held had its time reported when it came to be so."""
        if arrived:
            flight = self.flights[arrived - 1]
            if flight.tries == 1 and not flight.held:
                self.timing.measured(now_s - flight.sent_at_s)

    def _is_due_again(self, flight: Flight, now_s: float) -> bool:
        return flight.repeated_at_s is None or now_s - flight.repeated_at_s >= self.timing.round_trip_s

    def _again(self, flight: Flight, now_s: float) -> Flight:
        if flight.tries >= TRIES_MAX:
            message = f"frame {flight.sequence} was sent {flight.tries} times and not acknowledged"
            raise TooOftenError(message)
        flight.tries += 1
        flight.repeated_at_s = now_s
        flight.suspect = False
        self.expires_at_s = now_s + self.timing.timeout_s
        return flight


class Incoming:
    """The other end's half of the stream.

    Args:
        window: frames taken out of order at most, 1 to 4.
    """

    def __init__(self, window: int) -> None:
        self._window = window
        self._held: dict[int, bytes] = {}
        self.expected = 0

    def data(self, sequence: int, payload: bytes) -> bytes:
        """Take a frame.

        Returns:
            What has now arrived in order; nothing for a frame known, held, or beyond the window.
        """
        if (sequence - self.expected) % MODULUS >= self._window:
            return b""
        self._held.setdefault(sequence, payload)
        arrived = bytearray()
        while self.expected in self._held:
            arrived += self._held.pop(self.expected)
            self.expected = (self.expected + 1) % MODULUS
        return bytes(arrived)

    @property
    def bits(self) -> int:
        """Bit 0 for the frame after the one expected, and so on; 0: none is held."""
        return sum(1 << bit for bit in range(3) if (self.expected + 1 + bit) % MODULUS in self._held)

"""The stream, section 6: bytes arrive once and in order over frames that may be lost. Time is an argument."""

from typing import Final

RETRY_S: Final = 0.25
ACK_WITHIN_S: Final = 0.01
GIVE_UP_S: Final = 3.0
MODULUS: Final = 256

Numbered = tuple[int, bytes]
"""A ``DATA`` frame: its number and its payload."""


class Outgoing:
    """This end's half of the stream. What it wants sent it returns; the caller puts it into frames.

    Args:
        window: frames under way at most, 1 to 4.
        payload: bytes in a frame at most, 16 to 224.
    """

    def __init__(self, window: int, payload: int) -> None:
        self._window = window
        self._payload = payload
        self._waiting = bytearray()
        self._next = 0
        self._counted_from_s = 0.0
        self._heeded_s = 0.0
        self.under_way: list[Numbered] = []

    def write(self, data: bytes) -> None:
        self._waiting += data

    @property
    def expires_at_s(self) -> float | None:
        """When everything is to be sent again; None: nothing is under way."""
        return self._counted_from_s + RETRY_S if self.under_way else None

    def is_hopeless(self, now_s: float) -> bool:
        """True if nothing new was acknowledged for too long."""
        return bool(self.under_way) and now_s >= self._heeded_s + GIVE_UP_S

    def new(self, now_s: float) -> list[Numbered]:
        """Return as much as the window has room for."""
        if not self.under_way:
            self._counted_from_s = self._heeded_s = now_s
        begin = len(self.under_way)
        while self._waiting and len(self.under_way) < self._window:
            self.under_way.append((self._next, bytes(self._waiting[: self._payload])))
            del self._waiting[: self._payload]
            self._next = (self._next + 1) % MODULUS
        return self.under_way[begin:]

    def again(self, now_s: float) -> list[Numbered]:
        """Go back: all that is under way, and new ones behind."""
        self._counted_from_s = now_s
        old = list(self.under_way)
        return old + self.new(now_s)

    def acknowledged(self, expected: int, now_s: float) -> None:
        """Take the acknowledgement of a frame: the number that the other end expects."""
        known = [number for number, _ in self.under_way]
        last = (expected - 1) % MODULUS
        if last in known:
            del self.under_way[: known.index(last) + 1]
            self._counted_from_s = self._heeded_s = now_s


class Incoming:
    """The other end's half of the stream."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._quiet_until_s = 0.0
        self.expected = 0
        self.answer_by_s: float | None = None

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        """Take a frame; an answer is due then.

        Returns:
            Its bytes; nothing for one that was not expected.
        """
        if self.answer_by_s is None:
            self.answer_by_s = now_s + ACK_WITHIN_S
        if sequence != self.expected:
            return b""
        self.expected = (sequence + 1) % MODULUS
        self._quiet_until_s = now_s
        return payload

    def is_gap(self, sequence: int) -> bool:
        """True if frames before this one must have been lost."""
        return 0 < (sequence - self.expected) % MODULUS < self._window

    def complains(self, now_s: float) -> bool:
        """Something is missing: whether to say so now. The caller then does."""
        if now_s < self._quiet_until_s:
            return False
        self._quiet_until_s = now_s + RETRY_S
        return True

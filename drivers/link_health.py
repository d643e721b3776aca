"""The stages of a link: connected, bytes, frames, events; the last names the fault."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from drivers.errors import DriverError

REPEAT_WINDOW_S: Final = 1.0


UNFRAMED_S: Final = 3.0
"""From the first byte to the first frame at the right speed."""

UNFRAMED_BYTES: Final = 8
"""More than the noise of plugging in."""


ERRORS_KEPT: Final = 8
"""Runs of bytes that made no frame, the last ones: their length and reason, never a byte, which may be a card's."""


class UnframedBytes(NamedTuple):
    """Bytes that were part of no frame, at `at_s` of the device's monotonic clock."""

    at_s: float
    reason: str
    length: int


class LinkStage(IntEnum):
    DISCONNECTED = 0
    CONNECTED = 1
    BYTES = 2
    FRAMES = 3
    EVENTS = 4


ADVICE: Final[dict[LinkStage, str]] = {
    LinkStage.DISCONNECTED: "The port cannot be opened: the error says why.",
    LinkStage.CONNECTED: "The port is open, nothing arrives. Check the cable (the device's TX to our RX) and power.",
    LinkStage.BYTES: "Bytes arrive and make no frame: check baud rate and device family.",
    LinkStage.FRAMES: "Frames arrive without events: wait for the next card, or compare `security` at both ends.",
    LinkStage.EVENTS: "Events arrive.",
}


@dataclass(slots=True)
class LinkHealth:
    """Counters since the program started, and the stage of the present connection.

    Attributes:
        connected_since_s: monotonic; ``None`` without a connection.
        repeats: telegrams equal to the one before, within 1 s.
    """

    connected_since_s: float | None = None
    first_byte_s: float | None = None
    rung: LinkStage = LinkStage.DISCONNECTED
    connections: int = 0
    losses: int = 0
    bytes_in: int = 0
    frames: int = 0
    replies: int = 0
    stray_replies: int = 0
    repeats: int = 0
    events: int = 0
    garbage_bytes: int = 0
    last_error: DriverError | None = None
    errors: tuple[UnframedBytes, ...] = ()
    _unframed_bytes: int = 0
    _unframed_s: float | None = None
    _last_frame: bytes = b""
    _last_frame_s: float = float("-inf")

    def opened(self, now_s: float) -> None:
        """Count an opening at ``now_s``."""
        self.connected_since_s, self.first_byte_s = now_s, None
        self.framed()
        self.rung = LinkStage.CONNECTED
        self.connections += 1

    def lost(self, error: DriverError) -> None:
        """Count a loss, or record why the port cannot be opened."""
        if self.connected_since_s is not None:
            self.losses += 1
        self.connected_since_s = None
        self.rung = LinkStage.DISCONNECTED
        self.last_error = error

    def received(self, count: int, now_s: float, *, filling: int = 0) -> None:
        """Count received bytes."""
        if self.first_byte_s is None:
            self.first_byte_s = now_s
        self.bytes_in += count
        self._reach(LinkStage.BYTES)
        if count == filling:
            return
        is_old = self._unframed_s is not None and now_s - self._unframed_s >= UNFRAMED_S
        if self._unframed_s is None or (is_old and self._unframed_bytes < UNFRAMED_BYTES):
            # A few bytes of noise now and then are no telegram, however many they become in an hour.
            self._unframed_s, self._unframed_bytes = now_s, 0
        self._unframed_bytes += count - filling

    def framed(self) -> None:
        """Start counting unframed bytes."""
        self._unframed_s, self._unframed_bytes = None, 0

    def frame(self, raw: bytes, now_s: float, *, sends_copies: bool = True) -> None:
        """Count the telegram ``raw``, received at ``now_s``; copies count as repeats."""
        self.framed()
        self.frames += 1
        repeated = sends_copies and raw == self._last_frame and now_s - self._last_frame_s < REPEAT_WINDOW_S
        self._last_frame, self._last_frame_s = raw, now_s
        if repeated:
            self.repeats += 1
            self._reach(LinkStage.FRAMES)
        else:
            self.events += 1
            self._reach(LinkStage.EVENTS)

    def frames_came(self, count: int) -> None:
        self.frames += count
        if count:
            self.framed()
            self._reach(LinkStage.FRAMES)

    def event_came(self) -> None:
        self.events += 1
        self._reach(LinkStage.EVENTS)

    def reply(self, *, expected: bool) -> None:
        """Count an answer, to the outstanding command or to none."""
        self.framed()
        self.replies += 1
        self.stray_replies += not expected
        self._reach(LinkStage.FRAMES)

    def garbage(self, count: int, reason: str = "", now_s: float = 0.0) -> None:
        """Count ``count`` bytes that were part of no frame, 1 or more; with a reason it is kept as an error."""
        self.garbage_bytes += count
        if reason:
            self.errors = (*self.errors[1 - ERRORS_KEPT :], UnframedBytes(now_s, reason, count))

    def advice(self) -> str:
        """Return the advice for the stage reached."""
        if self.rung is LinkStage.DISCONNECTED and self.last_error is not None:
            return str(self.last_error)
        return ADVICE[self.rung]

    @property
    def unframed_from_s(self) -> float | None:
        return None if self._unframed_s is None else self._unframed_s + UNFRAMED_S

    def makes_no_frames(self, now_s: float) -> bool:
        enough = self._unframed_bytes >= UNFRAMED_BYTES
        return enough and (due_s := self.unframed_from_s) is not None and now_s >= due_s

    def outcome(self) -> str:
        """Return the summary of the link when a table ends."""
        if self.rung is not LinkStage.CONNECTED:
            return self.advice()
        return ADVICE[LinkStage.EVENTS] if self.events else "The port was open, and the device said nothing."

    def _reach(self, rung: LinkStage) -> None:
        self.rung = max(self.rung, rung)

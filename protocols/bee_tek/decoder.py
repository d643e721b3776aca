"""Decoder of Bee-Tek frames in a stream (``docs/protocols/bee-tek.md``, section 6).

The owner calls ``silence`` after a pause, for shoes whose lines have no end.
"""

import re
from collections.abc import Iterator
from typing import Final

from protocols.bee_tek.codec import FRAME, REPEATED, decode_frame
from protocols.bee_tek.messages import BeeTekMessage, CardDrawn, Mode
from protocols.errors import FrameError, FrameReason
from protocols.garbage import Garbage

LONGEST_LINE: Final = 128
"""Without its end; the longest frame has 77."""

_LINE_END: Final = re.compile(rb"[\r\n]")
_BRACKETS: Final = re.compile(rb"[\[\]<>]")


class LineDecoder:
    """The host's end.

    Attributes:
        damaged: runs that were, or may have been, part of a frame.
        pending: at most ``LONGEST_LINE`` bytes.
    """

    def __init__(self) -> None:
        self.bytes_fed = 0
        self.frames = 0
        self.damaged = 0
        self.garbage_bytes = 0
        self.filling = 0
        self.pending = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[BeeTekMessage | Garbage]:
        """Take bytes in the order they came; return what they completed, in that order."""
        self.bytes_fed += len(data)
        buffer = self.pending + data
        items: list[BeeTekMessage | Garbage] = []
        at = 0
        for end in _LINE_END.finditer(buffer):
            items += self._line(self._shortened(buffer[at : end.start()], items))
            self._skipping = False
            self.filling += 1
            at = end.end()
        self.pending = self._shortened(buffer[at:], items)
        return items

    def silence(self) -> list[BeeTekMessage | Garbage]:
        """Decode a whole frame without line end; later bytes keep waiting."""
        self._skipping = False
        frames = list(FRAME.finditer(self.pending))
        if not frames:
            return []
        end = _end_of(self.pending, frames[-1])
        whole, self.pending = self.pending[:end], self.pending[end:]
        return list(self._line(whole))

    def reset(self) -> list[Garbage]:
        pending, self.pending = self.pending, b""
        self._skipping = False
        return [self._skip(pending, "truncated")] if pending else []

    def _shortened(self, line: bytes, items: list[BeeTekMessage | Garbage]) -> bytes:
        # What is left to be read of a line once it is no longer than a line may be. Each step looks at the
        # first bytes alone, so that the pieces in which they came play no part.
        while line and not self._skipping and len(line) > LONGEST_LINE:
            frame = FRAME.search(line[: LONGEST_LINE + 1])
            if frame is None:
                self._skipping = True
            elif frame.start():
                items += self._between(line[: frame.start()])
                line = line[frame.start() :]
            else:
                end = _end_of(line[: LONGEST_LINE + 1], frame)
                items.append(self._frame(line[:end]))
                line = line[end:]
        if self._skipping and line:
            items.append(self._skip(line, "length"))
            line = b""
        return line

    def _line(self, line: bytes) -> Iterator[BeeTekMessage | Garbage]:
        at = 0
        while (frame := FRAME.search(line, at)) is not None:
            yield from self._between(line[at : frame.start()])
            at = _end_of(line, frame)
            yield self._frame(line[frame.start() : at])
        yield from self._between(line[at:])

    def _between(self, run: bytes) -> Iterator[Garbage]:
        stripped = run.strip(b" ")
        self.filling += len(run) - len(stripped)
        if stripped:
            # Whatever holds a bracket may be what is left of a frame.
            yield self._skip(stripped, "noise" if _BRACKETS.search(stripped) is None else "truncated")

    def _frame(self, raw: bytes) -> BeeTekMessage | Garbage:
        try:
            message = decode_frame(raw)
        except FrameError as error:
            return self._skip(raw, error.reason)
        self.frames += 1
        return message

    def _skip(self, raw: bytes, reason: FrameReason) -> Garbage:
        self.garbage_bytes += len(raw)
        if reason != "noise":
            self.damaged += 1
        return Garbage(raw, reason)


def _end_of(line: bytes, frame: re.Match[bytes]) -> int:
    repeated = REPEATED.match(line, frame.end())
    if repeated is None:
        return frame.end()
    try:
        message = decode_frame(frame[0])
    except FrameError:
        return frame.end()
    if not isinstance(message, CardDrawn) or message.mode is not Mode.GAME:
        return frame.end()
    # Another card's characters contradict the frame: both are given up together.
    return repeated.end()

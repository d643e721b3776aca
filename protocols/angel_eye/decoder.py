"""Decoders of Angel Eye frames in a stream (``docs/protocols/angel-eye.md``, section 9).

Every byte is returned once or waits in ``pending``, at most 63; after a lost port the owner calls
``reset``.
"""

import re
from typing import Final

from protocols.angel_eye import framing
from protocols.angel_eye.codec import decode_command, decode_reply, read_telegram
from protocols.angel_eye.messages import Ack, Command, Nak, NakCode, Rejected, ShoeMessage
from protocols.errors import FrameError, FrameReason
from protocols.garbage import Garbage, NotUnderstood

_HOST_STARTS: Final = re.compile(rb"[\x02\x05\x06\x15]")
_STX: Final = bytes([framing.STX])
HostItem = ShoeMessage | Ack | Nak | Garbage
# What a shoe answers to a frame that fails each check of decode_command (section 8).
_ANSWERS: Final[dict[FrameReason, NakCode]] = {
    "etx": NakCode.NO_ETX,
    "bcc": NakCode.BCC,
    "command": NakCode.COMMAND,
    "type": NakCode.TYPE,
    "payload": NakCode.FORMAT,
}


class TelegramDecoder:
    """The host's end: telegrams and replies, mixed."""

    def __init__(self) -> None:
        self.bytes_fed = 0
        self.not_understood = 0
        self.frames = 0
        self.replies = 0
        self.damaged = 0
        self.garbage_bytes = 0
        self.pending = b""
        # The shoe sends each telegram three times: the second and third copy cost a comparison.
        self._last: ShoeMessage | None = None
        self._last_raw = b""

    def feed(self, data: bytes) -> list[HostItem]:
        """Completed items in order; copies are not dropped."""
        self.bytes_fed += len(data)
        buffer = self.pending + data
        items: list[HostItem] = []
        at = 0
        while at < len(buffer):
            if self._last is not None and buffer.startswith(self._last_raw, at):
                self.frames += 1
                items.append(self._last)
                at += len(self._last_raw)
                continue
            found = self._next(buffer, at)
            if found is None:
                break
            item, at = found
            items.append(item)
        self.pending = buffer[at:]
        return items

    def _next(self, buffer: bytes, at: int) -> tuple[HostItem, int] | None:
        match buffer[at]:
            case framing.ENQ:
                span = framing.measure_telegram(buffer, at)
                if span is not None and span.reason is not None:
                    return self._unknown_or_damaged(buffer, at, span)
            case framing.NAK:
                span = framing.measure_nak(buffer, at)
            case framing.ACK:
                span = framing.FrameCandidate(at + 1, at, None)
            case framing.STX:
                answer = framing.measure_unknown(buffer, at)
                span = (
                    None
                    if answer is None
                    else framing.FrameCandidate(answer or at + 1, at, None if answer else "noise")
                )
            case _:
                start = _HOST_STARTS.search(buffer, at)
                span = framing.FrameCandidate(len(buffer) if start is None else start.start(), at, "noise")
        return None if span is None else (self._frame(buffer[at : span.end], span.reason), span.end)

    def _unknown_or_damaged(self, buffer: bytes, at: int, span: framing.FrameCandidate) -> tuple[HostItem, int] | None:
        end = framing.measure_unknown(buffer, at)
        if end is None or span.reason is None:
            return None
        if not end:
            return self._skip(buffer[at : span.end], span.reason), span.end
        return self._unknown(buffer[at:end], span.reason), end

    def reset(self) -> list[Garbage]:
        """Drop and return the beginning of a frame, after a lost line."""
        pending, self.pending = self.pending, b""
        if not pending:
            return []
        span = framing.measure_telegram(pending, 0) if pending[0] == framing.ENQ else None
        if span is None or span.reason is None:
            return [self._skip(pending, "truncated")]
        # It waited for the end of a telegram that the page does not have.
        rest = pending[span.end :]
        return [self._skip(pending[: span.end], span.reason), *([self._skip(rest, "noise")] if rest else [])]

    def _frame(self, raw: bytes, reason: FrameReason | None) -> HostItem:
        if reason is not None:
            return self._skip(raw, reason)
        if raw[0] != framing.ENQ:
            return self._reply(raw)
        try:
            message = read_telegram(raw)
        except FrameError as error:
            return self._unknown(raw, error.reason)
        self.frames += 1
        self._last = message
        self._last_raw = raw
        return message

    def _reply(self, raw: bytes) -> HostItem:
        try:
            reply = decode_reply(raw)
        except FrameError as error:
            return self._skip(raw, error.reason)
        self.replies += 1
        return reply

    def _unknown(self, raw: bytes, reason: FrameReason) -> Garbage:
        self.not_understood += 1
        self.garbage_bytes += len(raw)
        return NotUnderstood(raw, reason, f"{raw[framing.TYPE]:02X}")

    def _skip(self, raw: bytes, reason: FrameReason) -> Garbage:
        self.garbage_bytes += len(raw)
        if reason != "noise":
            self.damaged += 1
        return Garbage(raw, reason)


class CommandDecoder:
    """The shoe's end: commands; at most 9 bytes wait."""

    def __init__(self) -> None:
        self.commands = 0
        self.rejected = 0
        self.garbage_bytes = 0
        self.pending = b""

    def feed(self, data: bytes) -> list[Command | Rejected | Garbage]:
        """Decode the next bytes; return completed items in order."""
        buffer = self.pending + data
        items: list[Command | Rejected | Garbage] = []
        at = 0
        while at < len(buffer):
            if buffer[at] == framing.STX:
                end = at + framing.COMMAND_LENGTH
                restart = buffer.find(_STX, at + 1, end)
                if restart >= 0:
                    items.append(self._skip(buffer[at:restart], "truncated"))
                    at = restart
                    continue
                if end > len(buffer):
                    break
                items.append(self._frame(buffer[at:end]))
                at = end
            else:
                start = buffer.find(_STX, at)
                end = len(buffer) if start < 0 else start
                items.append(self._skip(buffer[at:end], "noise"))
                at = end
        self.pending = buffer[at:]
        return items

    def reset(self) -> list[Garbage]:
        pending, self.pending = self.pending, b""
        return [self._skip(pending, "truncated")] if pending else []

    def _frame(self, raw: bytes) -> Command | Rejected:
        try:
            command = decode_command(raw)
        except FrameError as error:
            self.rejected += 1
            return Rejected(raw, error.reason, _ANSWERS[error.reason])
        self.commands += 1
        return command

    def _skip(self, raw: bytes, reason: FrameReason) -> Garbage:
        self.garbage_bytes += len(raw)
        return Garbage(raw, reason)

"""Errors of ``protocols``: one root, attributes for programs, texts for people."""

from typing import Final, Literal

FrameReason = Literal[
    "noise",
    "truncated",
    "start",
    "length",
    "seq",
    "command",
    "type",
    "payload",
    "code",
    "etx",
    "bcc",
]

EXPLANATIONS: Final[dict[FrameReason, str]] = {
    "noise": "bytes outside any frame; check line settings, cable and grounding",
    "truncated": "the frame broke off before its end; check for lost bytes and overruns",
    "start": "the first byte is not the start byte of this kind of frame",
    "length": "the frame is shorter or longer than its type requires",
    "seq": "the sequence byte is out of range",
    "command": "the command letters are unknown",
    "type": "the message type is unknown; check the device's firmware version against the protocol page",
    "payload": "a field holds a value the protocol page does not allow",
    "code": "the reply code is unknown",
    "etx": "no end byte where this type of frame ends",
    "bcc": "the check characters do not match the bytes they cover; check cable and grounding",
}


class ProtocolError(Exception):
    """Root of every error raised by ``protocols``."""


class FrameError(ProtocolError):
    """Bytes that are not a frame.

    Attributes:
        offset: of the first wrong byte in ``raw``; ``len(raw)`` when bytes are missing.
    """

    def __init__(self, offset: int, raw: bytes, reason: FrameReason) -> None:
        super().__init__(offset, raw, reason)
        self.offset: Final = offset
        self.raw: Final = raw
        self.reason: Final[FrameReason] = reason

    def __str__(self) -> str:
        return f"{self.reason} at byte {self.offset} of [{self.raw.hex(' ').upper()}]: {EXPLANATIONS[self.reason]}"


class EncodeError(ProtocolError):
    """A programming error of the caller."""

    def __init__(self, subject: object, why: str) -> None:
        super().__init__(subject, why)
        self.subject: Final = subject
        self.why: Final = why

    def __str__(self) -> str:
        return f"{self.subject!r} cannot be encoded: {self.why}"

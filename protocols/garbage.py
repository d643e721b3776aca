"""Bytes that a decoder skipped."""

from dataclasses import dataclass

from protocols.errors import FrameReason


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes a decoder took from the stream and could not use, in their place between the messages.

    Attributes:
        raw: the bytes, at least one.
        reason: ``"noise"`` for bytes outside any frame, else the check a frame failed.
    """

    raw: bytes
    reason: FrameReason


@dataclass(frozen=True, slots=True)
class NotUnderstood(Garbage):
    """A frame with a valid check and unknown type or content, or bytes without a frame.

    Attributes:
        frame_type: the frame's type, two hexadecimal digits a byte; ``None``: the bytes make no frame.
    """

    frame_type: str | None

"""Bytes that a decoder skipped."""

from dataclasses import dataclass

from protocols.errors import FrameReason


@dataclass(frozen=True, slots=True)
class Garbage:
    """Unusable bytes, in their place between the messages.

    Attributes:
        reason: ``noise`` outside any frame, else the failed check.
    """

    raw: bytes
    reason: FrameReason


@dataclass(frozen=True, slots=True)
class NotUnderstood(Garbage):
    """A valid check and unknown content, or no frame.

    Attributes:
        frame_type: hexadecimal; ``None``: no frame.
    """

    frame_type: str | None

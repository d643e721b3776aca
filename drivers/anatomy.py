"""The content of a capture, frame by frame: each byte is part of a frame, or of a run that says why it is none.

For who looks for a bad cable or a wrong setting: of a damaged frame the first bad byte is named, with its place in the
whole capture and the time at which it was read.
"""

import bisect
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import accumulate
from typing import Final

from drivers.capture import CapturedRead
from protocols.angel_eye.codec import decode_reply, decode_telegram
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.bee_tek.codec import decode_frame as decode_line
from protocols.bee_tek.decoder import LineDecoder
from protocols.errors import EXPLANATIONS, FrameError, FrameReason
from protocols.garbage import Garbage
from protocols.tdp.framing import DELIMITER
from protocols.tdp.framing import decode_frame as decode_tdp

_NAK: Final = b"\x15"
_COBS_BYTES: Final = 1
"""Bytes that COBS puts before a frame of less than 254 bytes."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A frame, or a run of bytes that is none.

    Attributes:
        t_s: when its first byte was read, seconds since the capture began.
        offset: its first byte in the capture, from 0.
        raw: its bytes.
        what: what the frame says; of a run that is none, why.
        reason: why it is none, as the decoder names it; ``None`` of a frame.
        bad: the first bad byte in the capture, from 0; where something is missing, the place at which it should be.
    """

    t_s: float
    offset: int
    raw: bytes
    what: str
    reason: FrameReason | None = None
    bad: int | None = None


_Piece = tuple[bytes, str, FrameReason | None, int]
"""Bytes, what they say, why they are no frame, and the first bad one in them."""


def dissect(reads: Iterable[CapturedRead], family: str) -> list[Part]:
    """Takes a capture apart.

    Args:
        reads: of the capture, in order.
        family: whose frames are looked for, a key of :data:`FAMILIES`.
    """
    taken = list(reads)
    stream = b"".join(read.data for read in taken)
    begins = list(accumulate((len(read.data) for read in taken), initial=0))
    parts, at = [], 0
    for raw, what, reason, bad in FAMILIES[family](stream):
        offset = stream.index(raw, at)
        at = offset + len(raw)
        t_s = taken[bisect.bisect_right(begins, offset) - 1].t_s
        parts.append(
            Part(
                t_s=t_s, offset=offset, raw=raw, what=what, reason=reason, bad=None if reason is None else offset + bad
            )
        )
    return parts


def likely_family(reads: Iterable[CapturedRead]) -> str | None:
    """The family of whose frames most bytes are; ``None``: no family has a frame there.

    Args:
        reads: of the capture, in order.
    """
    taken = list(reads)
    framed = {
        family: sum(len(part.raw) for part in dissect(taken, family) if part.reason is None) for family in FAMILIES
    }
    best = max(framed, key=framed.__getitem__)
    return best if framed[best] else None


def _angel_eye(stream: bytes) -> Iterator[_Piece]:
    decoder = TelegramDecoder()
    for item in [*decoder.feed(stream), *decoder.reset()]:
        if isinstance(item, Garbage):
            yield _bad(item, decode_reply if item.raw.startswith(_NAK) else decode_telegram)
        else:
            yield item.raw, _said(item), None, 0


def _bee_tek(stream: bytes) -> Iterator[_Piece]:
    decoder = LineDecoder()
    for item in [*decoder.feed(stream), *decoder.silence(), *decoder.reset()]:
        if isinstance(item, Garbage):
            yield _bad(item, decode_line)
        else:
            yield item.raw, _said(item), None, 0


def _tdp(stream: bytes) -> Iterator[_Piece]:
    *whole, last = stream.split(DELIMITER)
    for run in filter(None, whole):
        try:
            frame = decode_tdp(run)
        except FrameError as error:
            # Its place counts in what COBS gave, where COBS could read it.
            shift = 0 if error.raw == run else _COBS_BYTES
            yield run, EXPLANATIONS[error.reason], error.reason, min(error.offset + shift, len(run))
        else:
            yield run, f"{frame.kind.name} of session {frame.session:08X}, {len(frame.payload)} bytes", None, 0
    if last:
        yield last, EXPLANATIONS["truncated"], "truncated", len(last)


FAMILIES: Final[Mapping[str, Callable[[bytes], Iterator[_Piece]]]] = {
    "angel_eye": _angel_eye,
    "bee_tek": _bee_tek,
    "tdp": _tdp,
}
"""How the bytes of each family are taken apart."""


def _bad(damage: Garbage, decode: Callable[[bytes], object]) -> _Piece:
    """Damage with its first bad byte: what broke off lacks the one after its end."""
    bad = 0
    if damage.reason in {"truncated", "length"}:
        bad = len(damage.raw)
    elif damage.reason != "noise":
        try:
            decode(damage.raw)
        except FrameError as error:
            bad = error.offset
    return damage.raw, EXPLANATIONS[damage.reason], damage.reason, bad


def _said(message: object) -> str:
    """A message in a line, without its bytes."""
    values = ((name, getattr(message, name)) for name in getattr(message, "__match_args__", ()) if name != "raw")
    said = " ".join(f"{name}={value.name.lower() if isinstance(value, Enum) else value}" for name, value in values)
    return f"{type(message).__name__} {said}".rstrip()

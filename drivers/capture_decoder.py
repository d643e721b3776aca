"""The content of a capture, frame by frame, with each first bad byte."""

import bisect
import dataclasses
from collections.abc import Iterable, Mapping
from itertools import accumulate

from drivers.capture import CapturedRead
from protocols.errors import FrameReason
from protocols.pieces import Frames


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class CapturePart:
    """A frame, or a run of other bytes.

    Attributes:
        t_s: seconds since the capture began.
        offset: from 0.
        bad: first bad byte, or the place of a missing one.
    """

    t_s: float
    offset: int
    raw: bytes
    what: str
    reason: FrameReason | None = None
    bad: int | None = None
    masked: str = ""


def dissect(reads: Iterable[CapturedRead], frames: Frames) -> list[CapturePart]:
    taken = list(reads)
    stream = b"".join(read.data for read in taken)
    begins = list(accumulate((len(read.data) for read in taken), initial=0))
    parts, at = [], 0
    for piece in frames(stream):
        offset = stream.index(piece.raw, at)
        at = offset + len(piece.raw)
        parts.append(
            CapturePart(
                t_s=taken[bisect.bisect_right(begins, offset) - 1].t_s,
                offset=offset,
                raw=piece.raw,
                what=piece.what,
                reason=piece.reason,
                bad=None if piece.reason is None else offset + piece.bad,
                masked=piece.masked or piece.what,
            )
        )
    return parts


def likely_family(reads: Iterable[CapturedRead], known: Mapping[str, Frames]) -> str | None:
    """That with most bytes in frames; ``None``: no frame."""
    taken = list(reads)
    framed = {
        name: sum(len(part.raw) for part in dissect(taken, frames) if part.reason is None)
        for name, frames in known.items()
    }
    best = max(framed, key=framed.__getitem__, default=None)
    return best if best is not None and framed[best] else None

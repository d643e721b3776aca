"""The content of a capture, frame by frame: each byte is part of a frame, or of a run that says why it is none.

For who looks for a bad cable or a wrong setting: of a damaged frame the first bad byte is named, with its place in the
whole capture and the time at which it was read.
"""

import bisect
import dataclasses
from collections.abc import Iterable, Mapping
from itertools import accumulate

from drivers.capture import CapturedRead
from protocols.errors import FrameReason
from protocols.pieces import Frames


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class CapturePart:
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


def dissect(reads: Iterable[CapturedRead], frames: Frames) -> list[CapturePart]:
    """Takes a capture apart.

    Args:
        reads: of the capture, in order.
        frames: cuts the bytes as the device's family does.
    """
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
            )
        )
    return parts


def likely_family(reads: Iterable[CapturedRead], known: Mapping[str, Frames]) -> str | None:
    """The family of whose frames most bytes are; ``None``: no family has a frame there.

    Args:
        reads: of the capture, in order.
        known: the families by name.
    """
    taken = list(reads)
    framed = {
        name: sum(len(part.raw) for part in dissect(taken, frames) if part.reason is None)
        for name, frames in known.items()
    }
    best = max(framed, key=framed.__getitem__, default=None)
    return best if best is not None and framed[best] else None

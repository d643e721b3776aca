"""A recorded TDP line, piece by piece."""

from collections.abc import Iterator
from typing import Final

from protocols.errors import EXPLANATIONS, FrameError
from protocols.pieces import Piece
from protocols.tdp.framing import DELIMITER, decode_frame

_COBS_BYTES: Final = 1
"""COBS puts one before a frame of less than 254 bytes."""


def frames(stream: bytes) -> Iterator[Piece]:
    *whole, last = stream.split(DELIMITER)
    for run in filter(None, whole):
        try:
            frame = decode_frame(run)
        except FrameError as error:
            # Its place counts in what COBS gave, where COBS could read it.
            shift = 0 if error.raw == run else _COBS_BYTES
            yield Piece(run, EXPLANATIONS[error.reason], error.reason, min(error.offset + shift, len(run)))
        else:
            yield Piece(run, f"{frame.kind.name} of session {frame.session:08X}, {len(frame.payload)} bytes")
    if last:
        yield Piece(last, EXPLANATIONS["truncated"], "truncated", len(last))

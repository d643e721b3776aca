"""A recorded Bee-Tek line, piece by piece."""

from collections.abc import Iterator

from protocols.bee_tek.codec import decode_frame
from protocols.bee_tek.decoder import LineDecoder
from protocols.pieces import Piece, pieces


def frames(stream: bytes) -> Iterator[Piece]:
    decoder = LineDecoder()
    return pieces([*decoder.feed(stream), *decoder.silence(), *decoder.reset()], lambda _raw: decode_frame)

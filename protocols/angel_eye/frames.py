"""A recorded Angel Eye line, piece by piece."""

from collections.abc import Iterator
from typing import Final

from protocols.angel_eye.codec import decode_reply, decode_telegram
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.pieces import Piece, pieces

_NAK: Final = b"\x15"


def frames(stream: bytes) -> Iterator[Piece]:
    decoder = TelegramDecoder()
    items = [*decoder.feed(stream), *decoder.reset()]
    return pieces(items, lambda raw: decode_reply if raw.startswith(_NAK) else decode_telegram)

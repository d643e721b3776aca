"""One frame to one card and back, frames out of a stream, and a recorded stream in pieces."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from protocols.errors import FrameError, FrameReason
from protocols.garbage import Garbage
from protocols.pieces import Piece, pieces
from regulations.events.cards import DECK, Card

LENGTH: Final = 6
CYCLE: Final = 255
"""The highest number; 1 follows."""
_START, _END = b"\x02", b"\x03"
_UNREAD: Final = b"??"
_CARDS: Final[dict[bytes, Card | None]] = {**{card.encode(): card for card in DECK}, _UNREAD: None}


@dataclass(frozen=True, slots=True)
class CardOut:
    """A card left the shoe; ``card`` is ``None`` if it was not read."""

    number: int
    card: Card | None
    raw: bytes = field(default=b"", compare=False)


def encode(number: int, card: Card | None) -> bytes:
    """The frame of a card."""
    body = bytes([number]) + (_UNREAD if card is None else card.encode())
    return _START + body + bytes([sum(body) % 256]) + _END


def decode(raw: bytes) -> CardOut:
    """The card of exactly one frame.

    Raises:
        FrameError: it is none.
    """
    if len(raw) != LENGTH:
        raise FrameError(min(len(raw), LENGTH), raw, "length")
    checks: tuple[tuple[int, bool, FrameReason], ...] = (
        (0, raw[:1] == _START, "start"),
        (4, raw[4] == sum(raw[1:4]) % 256, "bcc"),
        (5, raw[5:] == _END, "etx"),
        (2, raw[2:4] in _CARDS, "payload"),
    )
    for at, holds, reason in checks:
        if not holds:
            raise FrameError(at, raw, reason)
    return CardOut(raw[1], _CARDS[raw[2:4]], raw)


class Decoder:
    """Frames out of a stream; what is none comes out as ``Garbage``, in its place."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[CardOut | Garbage]:
        """Take bytes; return what they completed."""
        self._pending += data
        items: list[CardOut | Garbage] = []
        while self._pending:
            at = self._pending.find(_START)
            if at:
                items.append(Garbage(self._cut(at if at > 0 else len(self._pending)), "noise"))
            elif len(self._pending) < LENGTH:
                break
            else:
                raw = self._cut(LENGTH)
                try:
                    items.append(decode(raw))
                except FrameError as error:
                    items.append(Garbage(raw, error.reason))
        return items

    def reset(self) -> list[Garbage]:
        """Give out the beginning of a frame."""
        return [Garbage(self._cut(LENGTH), "truncated")] if self._pending else []

    def _cut(self, length: int) -> bytes:
        cut, self._pending = self._pending[:length], self._pending[length:]
        return cut


def frames(stream: bytes) -> Iterator[Piece]:
    """Cut a recorded stream into its pieces."""
    decoder = Decoder()
    return pieces([*decoder.feed(stream), *decoder.reset()], lambda _raw: decode)

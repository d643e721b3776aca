"""The Bee-Tek decoder and codec (``docs/protocols/bee-tek.md``)."""

from collections.abc import Iterable
from typing import Final

from protocols.bee_tek.codec import decode_frame, encode_line
from protocols.bee_tek.decoder import LONGEST_LINE, LineDecoder
from protocols.bee_tek.messages import BeeTekMessage, CardDrawn, CardNotRead
from protocols.errors import FrameError
from protocols.garbage import Garbage
from tests.fuzz.target import Target, must, pieces, streams
from tests.vectors.bee_tek import golden


def check_lines(data: bytes) -> None:
    """Any pieces, every byte accounted for, at most one line waiting, every message one of the codec."""
    parts, whole = LineDecoder(), LineDecoder()
    items: list[BeeTekMessage | Garbage] = []
    cut = pieces(data)
    for piece in cut:
        items += parts.feed(piece)
        assert len(parts.pending) <= LONGEST_LINE, "the buffer grows"
    stream = b"".join(cut)
    told = sum(len(item.raw) for item in items)
    assert told + parts.filling + len(parts.pending) == parts.bytes_fed == len(stream), "bytes are lost or invented"
    at_once = whole.feed(stream)
    assert _messages(items) == _messages(at_once), "the pieces matter"
    for item in _messages(items):
        assert decode_frame(item.raw) == item, "decoder and codec differ"
    # Whatever came before: the next line is heard.
    assert _messages(parts.feed(b"\r\n[Game]<Game>\r\n"))[-1:] == [CardNotRead()], "it does not find its way back"


def check_codec(data: bytes) -> None:
    """One frame: ``FrameError`` or a message that is read back as the same, with repeated characters or without."""
    try:
        message = decode_frame(data)
    except FrameError as error:
        must(error.raw == data and str(error), "the error does not show what was read")
        must(0 <= error.offset <= len(data), "the error points beyond its bytes")
        return
    assert _messages(LineDecoder().feed(encode_line(message))) == [message]
    if isinstance(message, CardDrawn) and message.mode.value == "Game":
        assert _messages(LineDecoder().feed(encode_line(message, repeat=True))) == [message]


def _messages(items: list[BeeTekMessage | Garbage]) -> list[BeeTekMessage]:
    return [item for item in items if not isinstance(item, Garbage)]


def _line_seeds() -> Iterable[bytes]:
    return streams(*(vector.frame + b"\r\n" for vector in golden.FRAMES + golden.READ_ONLY + golden.REFUSED))


def _frame_seeds() -> Iterable[bytes]:
    return [vector.frame for vector in golden.FRAMES + golden.READ_ONLY + golden.REFUSED]


_WORDS: Final = (
    b"[Game]",
    b"[GameAlarm]",
    b"[Manual Burn Cards]",
    b"<Card:",
    b"<Alarm:",
    b"<W0x",
    b"\r\n",
    b"10S",
    b">",
)

TARGETS: Final = {
    "bee-tek-lines": Target(check_lines, _line_seeds, 750, 1024, words=_WORDS),
    "bee-tek-codec": Target(check_codec, _frame_seeds, max_bytes=128, words=_WORDS),
}

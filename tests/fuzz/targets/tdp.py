"""TDP's frames, messages and handshake (``docs/protocols/tdp.md``, sections 3, 4 and 7)."""

from collections.abc import Callable, Iterable
from typing import Final

from cobs import cobs
from fastcrc import crc32

from protocols.errors import FrameError
from protocols.garbage import Garbage
from protocols.tdp import handshake
from protocols.tdp.codec import LENGTH_BYTES, MESSAGE_MAX, decode_message, encode_message
from protocols.tdp.framing import DELIMITER, ENCODED_MAX, PAYLOAD_MAX, Frame, FrameDecoder, decode_frame, encode_frame
from protocols.tdp.messages import Message
from protocols.tdp.reader import MessageReader
from tests.fuzz.target import Target, must, pieces, streams
from tests.vectors.tdp import golden

_HANDSHAKE_SEEDS: Final = ("01 01 04 E0 01", "01 04 E0 01", "01 01 01", "01 02 01 10 00 99", "05 01 01 07")


def check_frames(data: bytes, make: Callable[[], FrameDecoder] = FrameDecoder) -> None:
    """A stream: any pieces, every byte but delimiters out once, at most ``ENCODED_MAX`` waiting."""
    parts, whole = make(), make()
    items: list[Frame | Garbage] = []
    cut = pieces(data)
    for piece in cut:
        items += parts.feed(piece)
        assert len(parts.pending) <= ENCODED_MAX, "the buffer grows"
    stream = b"".join(cut)
    at_once = whole.feed(stream)
    assert [item for item in items if isinstance(item, Frame)] == [item for item in at_once if isinstance(item, Frame)]
    for decoder, given_out in ((parts, items), (whole, at_once)):
        skipped = sum(len(item.raw) for item in given_out if isinstance(item, Garbage))
        frames = sum(len(encode_frame(item)) - 2 for item in given_out if isinstance(item, Frame))
        assert decoder.garbage_bytes == skipped
        told = skipped + frames + len(decoder.pending) + stream.count(DELIMITER)
        assert told == decoder.bytes_fed == len(stream), "bytes are lost or invented"
    golden_frame = bytes.fromhex(golden.FRAMES[0].wire)
    assert parts.feed(golden_frame)[-1:] == [golden.FRAMES[0].frame], "it does not find its way back"


def check_sealed(data: bytes) -> None:
    """Check content between two delimiters whose checksum fits: the fuzzer would never find one by itself."""
    covered = data[: 6 + PAYLOAD_MAX]
    encoded = cobs.encode(covered + crc32.iscsi(covered).to_bytes(4, "big"))
    try:
        frame = decode_frame(encoded)
    except FrameError as error:
        _check_error(error)
        return
    assert encode_frame(frame) == DELIMITER + encoded + DELIMITER, "a frame is written otherwise than it was read"


def check_messages(data: bytes) -> None:
    """One message: ``FrameError`` or a message that is written as the same bytes."""
    try:
        message = decode_message(data)
    except FrameError as error:
        must(error.raw == data, "the error does not show what was read")
        _check_error(error)
        return
    assert encode_message(message)[LENGTH_BYTES:] == data, "a message is written otherwise than it was read"


def check_reader(data: bytes) -> None:
    """The stream of a session: any pieces, a bounded buffer, every byte out once."""
    parts, whole = MessageReader(), MessageReader()
    items: list[Message | Garbage] = []
    cut = pieces(data)
    for piece in cut:
        items += parts.feed(piece)
        assert len(parts.pending) <= MESSAGE_MAX + 1, "the buffer grows"
    stream = b"".join(cut)
    at_once = whole.feed(stream)
    assert _messages(items) == _messages(at_once), "the pieces matter"
    assert (parts.messages, parts.unreadable, parts.broken) == (whole.messages, whole.unreadable, whole.broken)
    told = sum(
        len(item.raw) if isinstance(item, Garbage) else len(encode_message(item)) - LENGTH_BYTES for item in items
    )
    lengths = LENGTH_BYTES * (parts.messages + parts.unreadable)
    assert told + lengths + len(parts.pending) == len(stream), "bytes are lost or invented"


def check_handshake(data: bytes) -> None:
    """Check ``OPEN``, ``ACCEPT`` and ``RESET``: ``FrameError`` or terms that are read back as the same."""
    try:
        offer = handshake.decode_offer(data)
        assert handshake.decode_offer(handshake.encode_offer(offer.terms)).terms == offer.terms
        assert handshake.agreed(offer.terms, handshake.Terms()).window <= offer.terms.window
    except FrameError as error:
        _check_error(error)
    try:
        terms = handshake.decode_answer(data)
        assert handshake.encode_answer(terms) == data[:4]
    except FrameError as error:
        _check_error(error)
    try:
        reset = handshake.decode_reset(data)
        assert handshake.encode_reset(reset) == data[:3]
    except FrameError as error:
        _check_error(error)


def _check_error(error: FrameError) -> None:
    assert 0 <= error.offset <= len(error.raw), "the error points beyond its bytes"
    assert str(error)


def _messages(items: list[Message | Garbage]) -> list[Message]:
    return [item for item in items if not isinstance(item, Garbage)]


def _frame_seeds() -> Iterable[bytes]:
    return streams(*(bytes.fromhex(vector.wire) for vector in golden.FRAMES), b"\x01" * (ENCODED_MAX + 9) + b"\x00")


def _sealed_seeds() -> Iterable[bytes]:
    return [bytes.fromhex(vector.plain) for vector in golden.FRAMES]


def _message_seeds() -> Iterable[bytes]:
    good = [bytes.fromhex(vector.wire)[LENGTH_BYTES:] for vector in golden.MESSAGES]
    return good + [bytes.fromhex(vector.raw) for vector in golden.REFUSED]


def _reader_seeds() -> Iterable[bytes]:
    return streams(*(bytes.fromhex(vector.wire) for vector in golden.MESSAGES), b"\x00\x00", b"\x04\x01\x00")


def _handshake_seeds() -> Iterable[bytes]:
    return [bytes.fromhex(payload) for payload in _HANDSHAKE_SEEDS]


TARGETS: Final = {
    "tdp-frames": Target(check_frames, _frame_seeds, 300, max_bytes=1024, words=(b"\x00", b"\x00\x00")),
    "tdp-sealed-frames": Target(check_sealed, _sealed_seeds, max_bytes=240),
    "tdp-messages": Target(check_messages, _message_seeds, max_bytes=640),
    "tdp-reader": Target(check_reader, _reader_seeds, 350, max_bytes=2048),
    "tdp-handshake": Target(check_handshake, _handshake_seeds, max_bytes=16),
}

"""The Angel Eye decoders and codec (``docs/protocols/angel-eye.md``)."""

from collections.abc import Callable, Iterable
from typing import Final

from protocols.angel_eye.codec import (
    decode_command,
    decode_reply,
    decode_telegram,
    encode_command,
    encode_reply,
    encode_telegram,
)
from protocols.angel_eye.decoder import CommandDecoder, HostItem, TelegramDecoder
from protocols.angel_eye.framing import COMMAND_LENGTH, LONGEST_UNKNOWN
from protocols.angel_eye.messages import Ack, Command, LockChanged, Nak, Rejected, RoundResult
from protocols.errors import EncodeError, FrameError
from protocols.garbage import Garbage
from tests.fuzz.target import Target, pieces, streams
from tests.protocols.angel_eye.streams import without_seams
from tests.vectors.angel_eye import golden

_BITS_NOT_LOOKED_AT: Final = (LockChanged, RoundResult)
"""Their payload has bits that a reader does not look at (Q6, Q7): written again, they may be others."""


def _frames(*vectors: tuple[golden.Telegram | golden.Order | golden.Answer | golden.Refused, ...]) -> list[bytes]:
    return [bytes.fromhex(vector.frame) for some in vectors for vector in some]


def _raw(item: HostItem | Command | Rejected) -> bytes:
    return encode_command(item) if isinstance(item, Command) else item.raw


def check_telegrams(data: bytes, make: Callable[[], TelegramDecoder] = TelegramDecoder) -> None:
    """The host's end: any pieces, every byte out once, at most 65 waiting, every message one of the codec."""
    parts, whole = make(), make()
    items: list[HostItem] = []
    cut = pieces(data)
    for piece in cut:
        items += parts.feed(piece)
        assert len(parts.pending) <= LONGEST_UNKNOWN + 1, "the buffer grows"
    stream = b"".join(cut)
    assert b"".join(_raw(item) for item in items) + parts.pending == stream, "bytes are lost or invented"
    assert without_seams(items) == without_seams(whole.feed(stream)), "the pieces matter"
    for item in items:
        if not isinstance(item, Garbage | Ack | Nak):
            assert decode_telegram(item.raw) == item, "decoder and codec differ"
    assert parts.bytes_fed == len(stream)
    parts.reset()
    assert not parts.pending


def check_commands(data: bytes) -> None:
    """The shoe's end, by the same rules."""
    parts, whole = CommandDecoder(), CommandDecoder()
    items: list[Command | Rejected | Garbage] = []
    cut = pieces(data)
    for piece in cut:
        items += parts.feed(piece)
        assert len(parts.pending) < COMMAND_LENGTH, "the buffer grows"
    stream = b"".join(cut)
    assert b"".join(_raw(item) for item in items) + parts.pending == stream, "bytes are lost or invented"
    assert without_seams(items) == without_seams(whole.feed(stream)), "the pieces matter"


def check_codec(data: bytes) -> None:
    """One frame: ``FrameError`` or a message that is written as the same bytes."""
    _check_telegram(data)
    _check_command(data)
    _check_reply(data)


def _check_telegram(data: bytes) -> None:
    try:
        message = decode_telegram(data)
    except FrameError as error:
        _check_error(error, data)
        return
    try:
        again = encode_telegram(message)
    except EncodeError:
        # A state of 3 to 7 in "d" is read as none of the three, and has no form of its own (section 4).
        assert data[2:3] == b"d", f"{message} was read and cannot be written"
        return
    assert decode_telegram(again) == message
    is_card = data[2:3] in (b"D", b"R", b"d")
    assert again == data or is_card or isinstance(message, _BITS_NOT_LOOKED_AT), f"{data.hex()} became {again.hex()}"
    # Of a card only the suit of one that was not read is not looked at.
    assert again == data or not is_card or data[4] & 0x0F == 0, f"{data.hex()} became {again.hex()}"


def _check_command(data: bytes) -> None:
    try:
        command = decode_command(data)
    except FrameError as error:
        _check_error(error, data)
        return
    assert encode_command(command) == data


def _check_reply(data: bytes) -> None:
    try:
        reply = decode_reply(data)
    except FrameError as error:
        _check_error(error, data)
        return
    # A code as one byte and an answer with data are read and never written (section 8).
    assert encode_reply(reply) == data or reply.raw == data
    assert decode_reply(encode_reply(reply)) == reply


def _check_error(error: FrameError, data: bytes) -> None:
    assert error.raw == data, "the error does not show what was read"
    assert 0 <= error.offset <= len(data), "the error points beyond its bytes"
    assert str(error)


def _telegram_seeds() -> Iterable[bytes]:
    return streams(*_frames(golden.TELEGRAMS, golden.READ_ONLY, golden.REPLIES, golden.REFUSED_TELEGRAMS))


def _command_seeds() -> Iterable[bytes]:
    return streams(*_frames(golden.COMMANDS, golden.REFUSED_COMMANDS))


def _codec_seeds() -> Iterable[bytes]:
    return _frames(
        golden.TELEGRAMS,
        golden.READ_ONLY,
        golden.REFUSED_TELEGRAMS,
        golden.COMMANDS,
        golden.REFUSED_COMMANDS,
        golden.REPLIES,
        golden.REFUSED_REPLIES,
    )


_WORDS: Final = (b"\x05", b"\x06", b"\x15", b"\x02OP", b"LK", b"EC", b"GP", b"\x03", b"\x05\x31D", b"FF")

TARGETS: Final = {
    "angel-eye-telegrams": Target(check_telegrams, _telegram_seeds, 250, words=_WORDS),
    "angel-eye-commands": Target(check_commands, _command_seeds, words=_WORDS),
    "angel-eye-codec": Target(check_codec, _codec_seeds, max_bytes=16, words=_WORDS),
}

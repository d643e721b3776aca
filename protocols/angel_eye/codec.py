"""One Angel Eye frame to one message and back (``docs/protocols/angel-eye.md``).

An encoded frame is never read differently by its counterpart.
"""

from functools import lru_cache
from typing import Any, Final

from protocols.angel_eye import framing, layout
from protocols.angel_eye.messages import Ack, Command, CommandType, Nak, NakCode, Reply, ShoeMessage
from protocols.angel_eye.rows import ROWS, BadField, TelegramSpec
from protocols.errors import EncodeError, FrameError
from protocols.layouts import PAYLOADS

_ROW_OF_FORM: Final[dict[tuple[int, int], TelegramSpec[Any]]] = {(row.kind, row.layout.size): row for row in ROWS}
_ROW_OF_MESSAGE: Final[dict[type, TelegramSpec[Any]]] = {row.message: row for row in ROWS}
_NAK_CODES: Final[dict[bytes, NakCode]] = {
    **{b"%02X" % code: code for code in NakCode},
    **{bytes([code]): code for code in NakCode},
}
"""Two digits, or one byte with the code as value (section 8)."""
_COMMAND_TYPES: Final[dict[bytes, CommandType]] = {kind.value.encode("ascii"): kind for kind in CommandType}
_COMMAND_LETTERS: Final = b"OP"
_COMMAND_DATA: Final = range(100)
_ACK: Final = bytes([framing.ACK])
_STX: Final = bytes([framing.STX])
_SEQ: Final = 1
_SEQ_ZERO: Final = 0x30
_SEQS: Final = range(1, 10)
_PAYLOAD: Final = framing.TYPE + 1
_PAYLOAD_END: Final = -1 - framing.BCC_LENGTH
_CHECK: Final = framing.COMMAND_LENGTH - framing.BCC_LENGTH


def encode_telegram(message: ShoeMessage) -> bytes:
    """The frame of ``message`` (sections 3 to 6); ``message.raw`` plays no part.

    Raises:
        EncodeError: a field is outside its range.
    """
    row = _ROW_OF_MESSAGE[type(message)]
    if message.seq not in _SEQS:
        raise EncodeError(message, "seq must be 1 to 9")
    try:
        return _frame(message.seq, row.kind, _payload((row.kind, row.layout.size), row.values(message)))
    except EncodeError as error:
        raise EncodeError(message, error.why) from error


def _frame(seq: int, kind: int, payload: bytes) -> bytes:
    covered = b"%c%c%b%c" % (_SEQ_ZERO + seq, kind, payload, framing.ETX)
    return b"%c%b%b" % (framing.ENQ, covered, framing.bcc(covered))


@lru_cache(PAYLOADS)
def _payload(form: tuple[int, int], values: tuple[Any, ...]) -> bytes:
    row = _ROW_OF_FORM[form]
    payload = row.layout.build(row.write(*values))
    try:
        read_back = row.values(decode_telegram(_frame(_SEQS[0], row.kind, payload)))
    except FrameError as error:
        raise EncodeError(values, str(error)) from error
    if read_back != values:
        raise EncodeError(values, f"its frame would be read as {read_back!r}")
    return payload


def decode_telegram(raw: bytes) -> ShoeMessage:
    """The message of one telegram, ENQ to BCC (sections 3 to 6).

    Raises:
        FrameError: not exactly one telegram, or a value outside sections 4 and 5.
    """
    if raw[:1] not in (b"", b"\x05"):
        raise FrameError(0, raw, "start")
    span = framing.measure_telegram(raw, 0)
    if span is None:
        raise FrameError(len(raw), raw, "length")
    if span.reason is not None:
        raise FrameError(span.fault, raw, span.reason)
    if span.end != len(raw):
        raise FrameError(span.end, raw, "length")
    return read_telegram(raw)


def read_telegram(raw: bytes) -> ShoeMessage:
    """The message of a telegram that ``measure_telegram`` found whole.

    Raises:
        FrameError: a value outside sections 4 and 5.
    """
    kind, payload = raw[framing.TYPE], raw[_PAYLOAD:_PAYLOAD_END]
    try:
        values = _values(kind, payload)
    except BadField as error:
        raise FrameError(_PAYLOAD + error.offset, raw, "payload") from error
    except FrameError as error:
        raise FrameError(_PAYLOAD + error.offset, raw, error.reason) from error
    message: ShoeMessage = _ROW_OF_FORM[kind, len(payload)].message(raw[_SEQ] - _SEQ_ZERO, *values, raw=raw)
    return message


@lru_cache(PAYLOADS)
def _values(kind: int, payload: bytes) -> tuple[Any, ...]:
    row = _ROW_OF_FORM[kind, len(payload)]
    return row.read(row.layout.parse(payload))


def encode_command(command: Command) -> bytes:
    """The frame of ``command`` (section 7).

    Raises:
        EncodeError: ``data`` is outside 0 to 99.
    """
    if command.data not in _COMMAND_DATA:
        raise EncodeError(command, "data must be 0 to 99")
    covered = layout.COMMAND.build(
        {"letters": _COMMAND_LETTERS, "type": command.type.value.encode("ascii"), "data": b"%02d" % command.data},
    )
    return covered + framing.bcc(covered)


def decode_command(raw: bytes) -> Command:
    """The command of one frame, STX to BCC (section 7).

    Raises:
        FrameError: not exactly one command.
    """
    if raw[:1] not in (b"", b"\x02"):
        raise FrameError(0, raw, "start")
    if len(raw) != framing.COMMAND_LENGTH:
        raise FrameError(min(len(raw), framing.COMMAND_LENGTH), raw, "length")
    if raw[_CHECK - 1] != framing.ETX:
        raise FrameError(_CHECK - 1, raw, "etx")
    if raw[_CHECK:] != framing.bcc(raw[:_CHECK]):
        raise FrameError(_CHECK, raw, "bcc")
    fields = layout.COMMAND.parse(raw[:_CHECK])
    if fields["letters"] != _COMMAND_LETTERS:
        raise FrameError(1, raw, "command")
    kind = _COMMAND_TYPES.get(fields["type"])
    if kind is None:
        raise FrameError(3, raw, "type")
    if not fields["data"].isdigit():
        raise FrameError(5, raw, "payload")
    return Command(kind, int(fields["data"]))


def encode_reply(reply: Reply) -> bytes:
    """The bytes of ``reply`` (section 8)."""
    if isinstance(reply, Ack):
        return _ACK
    return b"%c%02X" % (framing.NAK, reply.code)


def decode_reply(raw: bytes) -> Reply:
    """The reply that ``raw`` is (section 8).

    Raises:
        FrameError: not exactly one reply, or an unknown code.
    """
    if raw == _ACK:
        return Ack()
    if raw[:1] == _STX:
        if framing.measure_unknown(raw, 0) != len(raw):
            raise FrameError(max(len(raw) - framing.BCC_LENGTH, 0), raw, "bcc")
        return Ack(raw)
    if raw[:1] not in (b"", b"\x06", b"\x15"):
        raise FrameError(0, raw, "start")
    is_binary = len(raw) > 1 and raw[1] in framing.BINARY_CODES
    length = 1 if raw[:1] == _ACK else framing.NAK_LENGTH - is_binary
    if len(raw) != length:
        raise FrameError(min(len(raw), length), raw, "length")
    code = _NAK_CODES.get(raw[1:])
    if code is None:
        raise FrameError(1, raw, "code")
    return Nak(code, raw)

"""One TDP message to bytes and back (``docs/protocols/tdp.md``, section 7)."""

from typing import Final

from protocols.errors import EncodeError, FrameError
from protocols.tdp.codes import RefusalReason
from protocols.tdp.events import DeviceEvent
from protocols.tdp.messages import Message, Refused
from protocols.tdp.rows import ROWS, MessageSpec

LENGTH_BYTES: Final = 2
"""Type byte included, high byte first."""

MESSAGE_MAX: Final = 1024
"""Without its length; the longest now has 586 bytes."""

COMMAND_FIRST: Final = 0x50
"""Types from here on are commands, later ones too: ``id`` stands first."""

_ID_BYTES: Final = 4
_ROW_OF_KIND: Final[dict[int, MessageSpec]] = {row.kind: row for row in ROWS}
_ROW_OF_MESSAGE: Final[dict[type, MessageSpec]] = {row.message: row for row in ROWS}


def encode_message(message: Message) -> bytes:
    """With its length.

    Raises:
        EncodeError: a field is outside its range, or would be read differently.
    """
    row = _ROW_OF_MESSAGE.get(type(message))
    if row is None:
        raise EncodeError(message, "not a TDP message")
    body = row.write(message)
    try:
        read_back = row.read(body)
    except FrameError as error:
        raise EncodeError(message, str(error)) from error
    if read_back != message:
        raise EncodeError(message, f"it would be read as {read_back!r}")
    return (1 + len(body)).to_bytes(LENGTH_BYTES, "big") + row.type_byte + body


def decode_message(raw: bytes) -> Message:
    """The message that ``raw``, without its length, is.

    Raises:
        FrameError: empty, unknown type, wrong length or value; ``offset`` counts from the type byte.
    """
    if not raw:
        raise FrameError(0, raw, "length")
    row = _ROW_OF_KIND.get(raw[0])
    if row is None:
        raise FrameError(0, raw, "type")
    try:
        message = row.read(raw[1:])
    except FrameError as error:
        raise FrameError(error.offset + 1, raw, error.reason) from error
    if isinstance(message, DeviceEvent):
        # The journal keeps an event as it travelled; the only bytes that can be trusted for that are these.
        object.__setattr__(message, "raw", len(raw).to_bytes(LENGTH_BYTES, "big") + raw)
    return message


def refusal_for(raw: bytes) -> Refused | None:
    """A device's answer to an unreadable command (section 10); its id stays unused.

    ``None``: a sound message, an event, or a command without an id.
    """
    if len(raw) < 1 + _ID_BYTES or raw[0] < COMMAND_FIRST:
        return None
    try:
        decode_message(raw)
    except FrameError as error:
        command_id = int.from_bytes(raw[1 : 1 + _ID_BYTES], "big")
        unknown = error.reason == "type"
        return Refused(command_id, RefusalReason.NOT_SUPPORTED if unknown else RefusalReason.BAD_VALUE)
    return None

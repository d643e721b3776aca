"""Messages, sections 7 to 10: what the bytes of the stream say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

LENGTH_MAX: Final = 1024
TEXT_BYTES: Final = 24

Value = int | str | bytes


class Type(IntEnum):
    HELLO = 0x01
    STATUS = 0x02
    HEARTBEAT = 0x03
    DONE = 0x04
    REFUSED = 0x05
    METERS = 0x06
    ATTESTATION = 0x07
    ROOT_REMEMBERED = 0x08
    CARD_DRAWN = 0x10
    PACKET_DISPENSED = 0x11
    CUT_CARD_DRAWN = 0x12
    STACK_LOADED = 0x13
    SHUFFLE_STARTED = 0x14
    SHUFFLE_DONE = 0x15
    CARDS_RETURNED = 0x16
    COVER_OPENED = 0x17
    COVER_CLOSED = 0x18
    FAULT = 0x19
    FAULT_CLEARED = 0x1A
    KEY_TURNED = 0x1B
    POWER_RESTORED = 0x1C
    EVENT_ACKNOWLEDGED = 0x41
    SHUFFLE = 0x50
    DISPENSE = 0x51
    UNLOCK = 0x52
    LOCK = 0x53
    ACCEPT_RETURN = 0x54
    EJECT = 0x55
    CLEAR_FAULT = 0x56
    SET_LAMP = 0x57
    READ_METERS = 0x58
    ATTEST = 0x59
    REMEMBER_ROOT = 0x5A
    RECALL_ROOT = 0x5B


class MessageError(ValueError):
    """A message that must not be taken: skipped, and the next one follows.

    Args:
        raw: its bytes, without the length.
    """

    def __init__(self, why: str, raw: bytes) -> None:
        super().__init__(f"{why}: {raw.hex(' ')}")


class ImpossibleLengthError(ValueError):
    """A length of 0 or above 1024: nobody knows where the next message begins, and the session ends."""


@dataclass(frozen=True)
class Message:
    """A message.

    Args:
        fields: in the order of the page; numbers and single cards as ``int``, text as ``str``, cards, digests and
            whatever goes to the end of the message as ``bytes``.
    """

    type: Type
    fields: Mapping[str, Value]

    def number(self, name: str) -> int:
        value = self.fields[name]
        assert isinstance(value, int)
        return value

    def raw(self, name: str) -> bytes:
        value = self.fields[name]
        assert isinstance(value, bytes)
        return value


_ANY: Final = (1 << 64) - 1
"""Highest number of any field that names none of its own."""

_METERS: Final = (
    "shuffles_done:u32 shuffles_failed:u32 cards_per_shuffle:u16 cards_read:u32 cards_not_read:u32 misfeeds:u32 "
    "power_cycles:u32 cover_openings:u32"
)

_FIELDS: Final[Mapping[Type, str]] = {
    Type.HELLO: "message_version:u8 maker:text model:text serial:text hardware:u16 firmware:text digest:32 "
    "security_counter:u32 boot:u32 boot_reason:u8 capabilities:u32",
    Type.STATUS: "state:u8:0:6 conditions:u16 key:u8 stack:u16 count:u16 fault:u8 module:u8",
    Type.HEARTBEAT: "uptime_s:u32 boot:u32 last:u32 pending:u16",
    Type.DONE: "id:u32",
    Type.REFUSED: "id:u32 reason:u8",
    Type.METERS: f"id:u32 {_METERS}",
    Type.ATTESTATION: "id:u32 nonce:32 digest:32 security_counter:u32 boot_state:u8:0:2 signature:rest",
    Type.ROOT_REMEMBERED: "id:u32 log:32 size:u64 root:32 logs:u32",
    Type.CARD_DRAWN: "@ count:u16 permit:u32 card:card face:u8:0:2 confidence:u8:0:100",
    Type.PACKET_DISPENSED: "@ count:u16 permit:u32 cards:cards",
    Type.CUT_CARD_DRAWN: "@ count:u16",
    Type.STACK_LOADED: "@ cards:u16",
    Type.SHUFFLE_STARTED: "@",
    Type.SHUFFLE_DONE: "@ cards:u16",
    Type.CARDS_RETURNED: "@ cards:u16",
    Type.COVER_OPENED: "@ cover:u8",
    Type.COVER_CLOSED: "@ cover:u8",
    Type.FAULT: "@ code:u8 module:u8",
    Type.FAULT_CLEARED: "@ code:u8 module:u8",
    Type.KEY_TURNED: "@ position:u8",
    Type.POWER_RESTORED: "@ previous_boot:u32 previous_last:u32 boot_reason:u8",
    Type.EVENT_ACKNOWLEDGED: "@",
    Type.SHUFFLE: "id:u32",
    Type.DISPENSE: "id:u32 cards:u8:1:32 permit:u32",
    Type.UNLOCK: "id:u32 cards:u16:1:65535 permit:u32",
    Type.LOCK: "id:u32",
    Type.ACCEPT_RETURN: "id:u32",
    Type.EJECT: "id:u32",
    Type.CLEAR_FAULT: "id:u32 code:u8 module:u8",
    Type.SET_LAMP: "id:u32 lamp:u8:0:2 mode:u8:0:2",
    Type.READ_METERS: "id:u32",
    Type.ATTEST: "id:u32 nonce:32",
    Type.REMEMBER_ROOT: f"id:u32 log:32 size:u64:1:{_ANY} root:32",
    Type.RECALL_ROOT: "id:u32 log:32",
}
"""Name, form and, where not every number is allowed, lowest and highest; ``@``: boot and number, as in every event."""

_BYTES: Final = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "card": 1, "text": TEXT_BYTES, "32": 32}
_TO_THE_END: Final = {"cards": (1, 32), "rest": (0, 512)}


@dataclass(frozen=True)
class _Field:
    name: str
    form: str
    lowest: int
    highest: int

    @classmethod
    def of(cls, text: str) -> "_Field":
        name, form, *bounds = text.split(":")
        lowest, highest = (int(bound) for bound in bounds) if bounds else (0, _ANY)
        return cls(name, form, lowest, highest)

    def read(self, data: bytes) -> Value:
        if self.form == "text":
            return _text(data)
        if self.form == "cards":
            return bytes(_card(card) for card in data)
        if self.form in {"32", "rest"}:
            return data
        number = int.from_bytes(data)
        if not self.lowest <= number <= self.highest:
            message = f"{self.name} {number} is not in {self.lowest} to {self.highest}"
            raise ValueError(message)
        return _card(number) if self.form == "card" else number

    def write(self, value: Value) -> bytes:
        if isinstance(value, int):
            return value.to_bytes(_BYTES[self.form])
        return value if isinstance(value, bytes) else value.encode("ascii").ljust(TEXT_BYTES, b"\0")


_LAYOUTS: Final = {
    kind: tuple(_Field.of(text) for text in fields.replace("@", "boot:u32 number:u32").split())
    for kind, fields in _FIELDS.items()
}


def _card(code: int) -> int:
    suit, rank = code >> 4, code & 0x0F
    if code and not (1 <= suit <= 4 and 1 <= rank <= 13):
        message = f"no card is {code:02X}"
        raise ValueError(message)
    return code


def _text(data: bytes) -> str:
    text = data.rstrip(b"\0")
    if not all(0x20 <= byte <= 0x7E for byte in text):
        raise ValueError("a text holds what is not printable ASCII")
    return text.decode("ascii")


def decode(body: bytes) -> Message:
    """Read a message, without its length.

    Raises:
        MessageError: its type is unknown, its length is another, or a value is not allowed.
    """
    layout = _LAYOUTS.get(Type(body[0])) if body[0] in _FIELDS else None
    if layout is None:
        raise MessageError("unknown type", body)
    at = 1
    fields: dict[str, Value] = {}
    for field in layout:
        size = _BYTES.get(field.form, len(body) - at)
        lowest, highest = _TO_THE_END.get(field.form, (size, size))
        if not lowest <= size <= highest:
            raise MessageError("wrong length", body)
        try:
            fields[field.name] = field.read(body[at : at + size])
        except ValueError as error:
            raise MessageError(str(error), body) from error
        at += size
    if at != len(body):
        raise MessageError("wrong length", body)
    return Message(Type(body[0]), fields)


def encode(kind: Type, **values: Value) -> bytes:
    """The bytes of a message, with its length.

    Raises:
        MessageError: it would be one that must not be taken.
        KeyError: a field is missing.
    """
    body = bytes((kind,)) + b"".join(field.write(values[field.name]) for field in _LAYOUTS[kind])
    decode(body)
    return len(body).to_bytes(2) + body


class MessageReader:
    """Cuts the stream into the bodies of messages."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Give out each whole message, without its length.

        Raises:
            ImpossibleLengthError: the stream cannot be read on.
        """
        self._waiting += data
        while len(self._waiting) >= 2:
            length = int.from_bytes(self._waiting[:2])
            if not 1 <= length <= LENGTH_MAX:
                message = f"a message of {length} bytes; 1 to {LENGTH_MAX} are possible"
                raise ImpossibleLengthError(message)
            if len(self._waiting) < 2 + length:
                return
            body = bytes(self._waiting[2 : 2 + length])
            del self._waiting[: 2 + length]
            yield body

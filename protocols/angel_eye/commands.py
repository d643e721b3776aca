"""Commands to an Angel Eye shoe and its answers (``docs/protocols/angel-eye.md``)."""

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Final, Self

from protocols.errors import FrameReason

_UNLOCK: Final = 1
_LOCK: Final = 2


class CommandType(Enum):
    LOCK = "LK"
    CLEAR_ERROR = "EC"
    CONFIRM_ROUND = "GP"


@dataclass(frozen=True, slots=True)
class Command:
    """``data`` is 0 to 99; use the constructors."""

    type: CommandType
    data: int

    @classmethod
    def lock(cls) -> Self:
        return cls(CommandType.LOCK, _LOCK)

    @classmethod
    def unlock(cls) -> Self:
        """Unlock the shoe."""
        return cls(CommandType.LOCK, _UNLOCK)

    @classmethod
    def clear_error(cls, code: int) -> Self:
        """``code`` is 0 to 99."""
        return cls(CommandType.CLEAR_ERROR, code)

    @classmethod
    def confirm_round(cls) -> Self:
        return cls(CommandType.CONFIRM_ROUND, 0)


class NakCode(IntEnum):
    LINE = 0x01
    BCC = 0x02
    NO_ETX = 0x03
    FORMAT = 0x11
    ADDRESS = 0x12
    COMMAND = 0x13
    TYPE = 0x14
    BUSY = 0x21
    WRITING = 0x22
    OTHER = 0xFF


@dataclass(frozen=True, slots=True)
class Ack:
    """The shoe accepted a command; the reply does not name it.

    Attributes:
        raw: ``06``, or an answer with data (section 8); not compared.
    """

    raw: bytes = field(default=b"\x06", compare=False)


@dataclass(frozen=True, slots=True)
class Nak:
    """The shoe refused the command; ``raw`` is not compared."""

    code: NakCode
    raw: bytes = field(default=b"", compare=False)


Reply = Ack | Nak


@dataclass(frozen=True, slots=True)
class Rejected:
    """Shoe's end: a damaged frame with a command's length, answered with ``Nak(code)``."""

    raw: bytes
    reason: FrameReason
    code: NakCode

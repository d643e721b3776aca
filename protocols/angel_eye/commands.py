"""Commands of the host to an Angel Eye shoe and its answers (``docs/protocols/angel-eye.md``, sections 7 and 8)."""

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Final, Self

from protocols.errors import FrameReason

_UNLOCK: Final = 1
_LOCK: Final = 2


class CommandType(Enum):
    """The three commands; the value is the type on the wire."""

    LOCK = "LK"
    CLEAR_ERROR = "EC"
    CONFIRM_ROUND = "GP"


@dataclass(frozen=True, slots=True)
class Command:
    """A command to the shoe. ``data`` is 0 to 99; what it means depends on ``type``: use the constructors."""

    type: CommandType
    data: int

    @classmethod
    def lock(cls) -> Self:
        """Lock the shoe, so that a drawn card counts as drawn outside a game."""
        return cls(CommandType.LOCK, _LOCK)

    @classmethod
    def unlock(cls) -> Self:
        """Unlock the shoe."""
        return cls(CommandType.LOCK, _UNLOCK)

    @classmethod
    def clear_error(cls, code: int) -> Self:
        """Clear the error ``code``, 0 to 99."""
        return cls(CommandType.CLEAR_ERROR, code)

    @classmethod
    def confirm_round(cls) -> Self:
        return cls(CommandType.CONFIRM_ROUND, 0)


class NakCode(IntEnum):
    """Reason of a refusal; on the wire the value in two hex digits."""

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
    """The shoe accepted the command; which one is not in the reply.

    Attributes:
        raw: ``06``, or the frame of an answer with data (section 8); takes no part in comparison.
    """

    raw: bytes = field(default=b"\x06", compare=False)


@dataclass(frozen=True, slots=True)
class Nak:
    """The shoe refused the command.

    Attributes:
        raw: ``15`` and the code as it came; empty in a refusal that was made; takes no part in comparison.
    """

    code: NakCode
    raw: bytes = field(default=b"", compare=False)


Reply = Ack | Nak


@dataclass(frozen=True, slots=True)
class Rejected:
    """Shoe's end: a damaged frame with a command's length; the shoe answers ``Nak(code)``."""

    raw: bytes
    reason: FrameReason
    code: NakCode

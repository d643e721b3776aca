"""Every bit of the Angel Eye protocol, declared (``docs/protocols/angel-eye.md``, sections 3 to 7).

A layout spans exactly the bytes its check characters cover: Seq to ETX for a telegram, STX to ETX for a command.
Start byte and check characters are added by ``codec``.
"""

from typing import Any, Final

from construct import Bit, BitsInteger, Bytes, Const, Flag, Int8ub, Nibble, Padding

from protocols.angel_eye.framing import ETX, STX
from protocols.layouts import Bits, Layout

_MARK: Final = Const(1, Bit)
_ETX: Final = Const(bytes([ETX]))


def _telegram(kind: bytes, *payload: Any) -> Layout:  # noqa: ANN401  construct's classes are untyped
    return Layout("seq" / Int8ub, Const(kind), *payload, _ETX)


_CARD: Final = Bits(
    "card",
    _MARK,
    "target" / BitsInteger(3),
    "index" / Nibble,
    _MARK,
    "suit" / BitsInteger(3),
    "rank" / Nibble,
)
_OUTSIDE: Final = Bits("outside", _MARK, "state" / BitsInteger(3), "error_code" / Nibble)
_RESULT: Final = Bits(
    "result",
    _MARK,
    "outcome" / BitsInteger(3),
    Padding(2),
    "banker_pair" / Flag,
    "player_pair" / Flag,
)
_RAISED: Final = Bits("error", _MARK, "error_mode" / Flag, "code" / BitsInteger(6))
_CLEARED: Final = Bits("error", _MARK, "code" / BitsInteger(7))
_LOCK: Final = Bits("lock", "rest" / BitsInteger(7), "locked" / Flag)

STARTED: Final = _telegram(b"S")
STAND_BY: Final = _telegram(b"P")
CARD_DRAWN: Final = _telegram(b"D", _CARD)
CARD_DRAWN_OUTSIDE_GAME: Final = _telegram(b"d", _OUTSIDE)
CARD_RETRANSMITTED: Final = _telegram(b"R", _CARD)
ROUND_RESULT: Final = _telegram(b"G", _RESULT)
CUT_CARD_DRAWN: Final = _telegram(b"C")
ERROR_RAISED: Final = _telegram(b"E", _RAISED)
ERROR_CLEARED: Final = _telegram(b"e", _CLEARED)
LOCK_CHANGED: Final = _telegram(b"L", _LOCK)
PRESET_CHANGED: Final = _telegram(b"M", "address" / Bytes(2), "value" / Bytes(4))

COMMAND: Final = Layout(Const(bytes([STX])), "letters" / Bytes(2), "type" / Bytes(2), "data" / Bytes(2), _ETX)

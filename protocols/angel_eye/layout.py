"""Every bit of the Angel Eye protocol (``docs/protocols/angel-eye.md``, sections 3 to 7).

For a telegram its payload, for a command STX to ETX.
"""

from typing import Final

from construct import Bit, BitsInteger, Bytes, Const, Flag, Nibble, Padding

from protocols.angel_eye.framing import ETX, STX
from protocols.layouts import BitLayout, Bits

_MARK: Final = Const(1, Bit)
_ETX: Final = Const(bytes([ETX]))


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
_READ_OUTSIDE: Final = Bits(
    "outside",
    _MARK,
    "state" / BitsInteger(3),
    "error_code" / Nibble,
    _MARK,
    "suit" / BitsInteger(3),
    "rank" / Nibble,
)
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

NOTHING: Final = BitLayout()
CARD: Final = BitLayout(_CARD)
OUTSIDE_GAME: Final = BitLayout(_OUTSIDE)
READ_OUTSIDE_GAME: Final = BitLayout(_READ_OUTSIDE)
RESULT: Final = BitLayout(_RESULT)
ERROR_RAISED: Final = BitLayout(_RAISED)
ERROR_CLEARED: Final = BitLayout(_CLEARED)
LOCK: Final = BitLayout(_LOCK)
PRESET: Final = BitLayout("address" / Bytes(2), "value" / Bytes(4))

COMMAND: Final = BitLayout(Const(bytes([STX])), "letters" / Bytes(2), "type" / Bytes(2), "data" / Bytes(2), _ETX)

"""Positions of a card's pips, on a face of 60 by 84 units."""

from typing import Final

LEFT, MIDDLE, RIGHT = 22.0, 30.0, 38.0
_TOP, _BOTTOM = 20.0, 64.0
_THIRDS: Final = (_TOP, 34.7, 49.3, _BOTTOM)
_CENTRE: Final = 42.0
_TWO: Final = [(MIDDLE, _TOP), (MIDDLE, _BOTTOM)]
_FOUR: Final = [(x, y) for x in (LEFT, RIGHT) for y in (_TOP, _BOTTOM)]
_SIX: Final = [*_FOUR, (LEFT, _CENTRE), (RIGHT, _CENTRE)]
_EIGHT: Final = [(x, y) for x in (LEFT, RIGHT) for y in _THIRDS]
PIPS: Final[dict[str, list[tuple[float, float]]]] = {
    "2": _TWO,
    "3": [*_TWO, (MIDDLE, _CENTRE)],
    "4": _FOUR,
    "5": [*_FOUR, (MIDDLE, _CENTRE)],
    "6": _SIX,
    "7": [*_SIX, (MIDDLE, 31.0)],
    "8": [*_SIX, (MIDDLE, 31.0), (MIDDLE, 53.0)],
    "9": [*_EIGHT, (MIDDLE, _CENTRE)],
    "T": [*_EIGHT, (MIDDLE, 27.4), (MIDDLE, 56.6)],
}

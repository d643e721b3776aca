"""Whether anything that a device says tells a later card (section 15).

A byte is suspect if one fixed number turns it into each next card.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

AHEAD_MAX: Final = 4
"""A packet, or a hand."""

DRAWS_MIN: Final = 8
"""Then a byte follows by chance in one place of 52⁷."""

_SUITS: Final = 4
_RANKS: Final = 13

Before = Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Leak:
    """``place``: the type byte is 0; ``ahead``: 1 for the next card."""

    kind: int
    place: int
    ahead: int
    how: str


def codings() -> dict[str, Callable[[int], int]]:
    return {
        "as cards are written in messages": lambda code: code,
        "as 13 × suit + rank": lambda code: _RANKS * ((code >> 4) - 1) + (code & 15) - 1,
        "as 4 × rank + suit": lambda code: _SUITS * ((code & 15) - 1) + (code >> 4) - 1,
        "with rank and suit exchanged": lambda code: (code & 15) << 4 | code >> 4,
        "its rank alone": lambda code: code & 15,
        "its suit alone": lambda code: code >> 4,
    }


def leaks(said: Sequence[Before], cards: Sequence[int]) -> list[Leak]:
    found: list[Leak] = []
    places = set.intersection(*(set(before) for before in said)) if said else set()
    for kind, place in sorted(places):
        values = [before[kind, place] for before in said]
        for ahead in range(1, AHEAD_MAX + 1):
            pairs = [(value, code) for value, code in zip(values, cards[ahead - 1 :], strict=False) if code]
            found += [Leak(kind, place, ahead, how) for how, code in codings().items() if _follows(pairs, code)]
    return found


def _follows(pairs: Sequence[tuple[int, int]], coding: Callable[[int], int]) -> bool:
    if len(pairs) < DRAWS_MIN:
        return False
    written = [(value, coding(code)) for value, code in pairs]
    if len({code for _value, code in written}) < 3:  # noqa: PLR2004  two different cards follow from too much
        return False
    shifted = {(value - code) % 256 for value, code in written}
    masked = {value ^ code for value, code in written}
    return len(shifted) == 1 or len(masked) == 1

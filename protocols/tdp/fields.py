"""The kinds of fields of TDP messages (``docs/protocols/tdp.md``, section 7).

Their functions raise ``ValueError``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any, Final, TypeVar

import construct

from regulations.events.cards import DECK, RANKS, SUITS, Card, card_of, rank_of, suit_of

E = TypeVar("E", IntEnum, IntFlag)


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    part: Any
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Tail:
    """The last field: ``least`` to ``most`` bytes, all that are left."""

    name: str
    least: int
    most: int
    read: Callable[[bytes], Any]
    write: Callable[[Any], bytes]


def same(value: object) -> object:
    return value


def u8(name: str) -> Field:
    return Field(name, construct.Int8ub, same, same)


def u16(name: str) -> Field:
    return Field(name, construct.Int16ub, same, same)


def u32(name: str) -> Field:
    return Field(name, construct.Int32ub, same, same)


def u64(name: str) -> Field:
    return Field(name, construct.Int64ub, same, same)


def percent(name: str) -> Field:
    return Field(name, construct.Int8ub, _percent, _percent)


def octets(name: str, size: int) -> Field:
    return Field(name, construct.Bytes(size), bytes, same)


def text(name: str, size: int) -> Field:
    """Printable ASCII, filled up with ``00``."""

    def read(raw: bytes) -> str:
        return _printable(raw.rstrip(b"\x00").decode("ascii"))

    def write(value: str) -> bytes:
        raw = _printable(value).encode("ascii")
        if len(raw) > size:
            raise ValueError(f"{name} has more than {size} characters")
        return raw.ljust(size, b"\x00")

    return Field(name, construct.Bytes(size), read, write)


def strict(name: str, names: type[E], part: Any = construct.Int8ub) -> Field:  # noqa: ANN401  construct is untyped
    known = {item.value: item for item in names}

    def read(value: int) -> E:
        item = known.get(value)
        return names(value) if item is None else item

    return Field(name, part, read, int)


def lenient(name: str, names: type[IntEnum]) -> Field:
    """A number outside the enum stays as it is."""
    known = {item.value: item for item in names}

    def read(value: int) -> int:
        return known.get(value, value)

    return Field(name, construct.Int8ub, read, int)


def card(name: str) -> Field:
    """One byte; ``00``: not read (None)."""
    return Field(name, construct.Int8ub, _read_card, _write_card)


def cards(name: str, most: int) -> Tail:
    def read(raw: bytes) -> tuple[Card | None, ...]:
        return tuple(_read_card(code) for code in raw)

    def write(values: tuple[Card | None, ...]) -> bytes:
        return bytes(_write_card(value) for value in values)

    return Tail(name, 1, most, read, write)


def rest(name: str, most: int) -> Tail:
    return Tail(name, 0, most, bytes, bytes)


_PERCENT_MAX: Final = 100
_SUIT_SHIFT: Final = 4
_CODES: Final[dict[Card | None, int]] = {
    None: 0,
    **{a_card: SUITS.index(suit_of(a_card)) + 1 << _SUIT_SHIFT | RANKS.index(rank_of(a_card)) + 1 for a_card in DECK},
}
_CARDS: Final[dict[int, Card | None]] = {
    0: None,
    **{
        (suit_number + 1) << _SUIT_SHIFT | rank_number + 1: card_of(rank, suit)
        for suit_number, suit in enumerate(SUITS)
        for rank_number, rank in enumerate(RANKS)
    },
}


def _percent(value: int) -> int:
    if not 0 <= value <= _PERCENT_MAX:
        raise ValueError(f"{value} is not 0 to {_PERCENT_MAX}")
    return value


def _printable(value: str) -> str:
    if not (value.isascii() and (value.isprintable() or not value)):
        raise ValueError(f"{value!r} is not printable ASCII")
    return value


def _read_card(code: int) -> Card | None:
    if code not in _CARDS:
        raise ValueError(f"{code:02X} is no card")
    return _CARDS[code]


def _write_card(value: Card | None) -> int:
    if value not in _CODES:
        raise ValueError(f"{value!r} is no card")
    return _CODES[value]

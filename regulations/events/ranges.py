"""The range of each number and the length of each list and text that an input may carry; `MalformedLine` beyond it.

With these bounds every sum and payout of each game fits 64 signed bits, and every single payout the 53 bits of a number
in a browser (``tests/attacks/test_numbers.py`` computes the largest of each).
"""

from collections.abc import Iterable
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

STAKE_MAX: Final = 10**11
"""Minor units of one wager: a thousand million of a currency with two decimals."""
WAGERS_MAX: Final = 500
"""Wagers of one round: more than fifteen seats have bettors and bets."""
CARDS_MAX: Final = 500
"""Cards that an input names."""
YEARS: Final = range(1970, 2200)
"""Years of an input's time; 1970 stands for none."""
TEXT_MAX: Final = 500
"""Characters of an account in words: a SIEM message of 8,000 bytes holds it, even if each is escaped by twelve."""

Stake: TypeAlias = Annotated[int, Meta(ge=0, le=STAKE_MAX)]
"""Minor units of money."""
Cards: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF)]
"""A number of cards, or a depth in the stack."""
Decks: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
"""The number of a seat, of a hand on it, or of a card in a hand."""
Seats: TypeAlias = Annotated[list[Seat], Meta(max_length=255)]
BettorNumber: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF)]
"""The number of a bettor on a seat."""
Number: TypeAlias = Annotated[int, Meta(ge=0, le=0x7FFF_FFFF)]
"""A number by which a log counts: rounds, irregularities, cards of a round, seconds, versions."""
LineNumber: TypeAlias = Annotated[int, Meta(ge=0, le=10**15)]
DeviceNumber: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF_FFFF)]
"""A number of a device's own: 32 bits in every family."""
Seconds: TypeAlias = Annotated[float, Meta(ge=-1e11, le=1e11)]
"""Seconds of a step of the clock."""
PersonId: TypeAlias = Annotated[int, Meta(ge=0, le=0x7FFF_FFFF)] | Annotated[str, Meta(max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=TEXT_MAX)]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
"""The name of a device, the key of an input, or a ground."""
By: TypeAlias = Annotated[list[PersonId], Meta(max_length=8)]


def range_of(kind: type[msgspec.Struct], path: str, expected: str) -> str:
    """Return the range of a field in words.

    Args:
        path: where the value stands, ``$.wagers[0].stake``.
    """
    found: list[Any] = [msgspec.inspect.type_info(kind)]
    for step in path.split(".")[1:]:
        name, _, items = step.partition("[")
        found = _each(field.type for one in found for field in getattr(one, "fields", ()) if field.encode_name == name)
        if items:
            found = _each(one.item_type for one in found if isinstance(one, msgspec.inspect.ListType))
    bounded: Any = next(one for one in found if isinstance(one, _TYPES[expected]))
    if expected in ("int", "float"):
        return f"{bounded.ge:.0f} to {bounded.le:.0f}"
    return f"at most {bounded.max_length} {'characters' if expected == 'str' else 'of them'}"


_TYPES: Final[dict[str, type]] = {
    "int": msgspec.inspect.IntType,
    "float": msgspec.inspect.FloatType,
    "str": msgspec.inspect.StrType,
    "array": msgspec.inspect.ListType,
}


def _each(types: Iterable[Any]) -> list[Any]:
    return [
        one for found in types for one in (found.types if isinstance(found, msgspec.inspect.UnionType) else [found])
    ]

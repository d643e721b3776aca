"""The range of each number, the length of each list and text in inputs."""

from collections.abc import Iterable
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

STAKE_MAX: Final = 10**11
"""Minor units of one wager."""
WAGERS_MAX: Final = 500
CARDS_MAX: Final = 500
YEARS: Final = range(1970, 2200)
TEXT_MAX: Final = 500
"""Characters; a SIEM message of 8,000 bytes holds them, even if each is escaped by twelve."""

Stake: TypeAlias = Annotated[int, Meta(ge=0, le=STAKE_MAX)]
"""Minor units of money."""
Cards: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF)]
Decks: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Seats: TypeAlias = Annotated[list[Seat], Meta(max_length=255)]
BettorNumber: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=0x7FFF_FFFF)]
LineNumber: TypeAlias = Annotated[int, Meta(ge=0, le=10**15)]
DeviceNumber: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF_FFFF)]
Seconds: TypeAlias = Annotated[float, Meta(ge=-1e11, le=1e11)]
PersonId: TypeAlias = Annotated[int, Meta(ge=0, le=0x7FFF_FFFF)] | Annotated[str, Meta(max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=TEXT_MAX)]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
By: TypeAlias = Annotated[list[PersonId], Meta(max_length=8)]


def range_of(kind: type[msgspec.Struct], path: str, expected: str) -> str:
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

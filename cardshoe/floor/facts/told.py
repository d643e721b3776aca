"""Facts as stored: one structure per database table."""

from typing import Final

from msgspec import Struct

from cardshoe.screens.rounds.acts import Act
from cardshoe.screens.rounds.fact import RoundFact

LOST: Final = "lost"


class Begun(Struct, frozen=True, kw_only=True):
    irregularity: int
    seq: int
    at: str
    round: int | None
    shoe: int
    code: str
    article: str
    detail: str


class IrregularityClosed(Struct, frozen=True, kw_only=True):
    irregularity: int
    at: str
    action: str
    by: list[str]
    article: str


class FaultBegun(Struct, frozen=True, kw_only=True):
    seq: int
    device: str
    serial: str
    model: str
    firmware: str
    code: str
    origin: str
    at: str


class FaultOver(Struct, frozen=True, kw_only=True):
    device: str
    code: str
    origin: str
    at: str


Fact = RoundFact | Begun | IrregularityClosed | Act | FaultBegun | FaultOver

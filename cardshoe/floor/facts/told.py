"""Facts as the database has them: one structure for each of its tables, without the names of table and log."""

from typing import Final

from msgspec import Struct

from cardshoe.screens.rounds.acts import Act
from cardshoe.screens.rounds.fact import RoundFact

LOST: Final = "lost"
"""The code under which a link that is gone stands among the faults of its device."""


class Begun(Struct, frozen=True, kw_only=True):
    """An irregularity, as it was found."""

    irregularity: int
    seq: int
    at: str
    round: int | None
    shoe: int
    code: str
    article: str
    detail: str


class Settled(Struct, frozen=True, kw_only=True):
    """How an irregularity ended, and who answered for it."""

    irregularity: int
    at: str
    action: str
    by: list[str]
    article: str


class FaultBegun(Struct, frozen=True, kw_only=True):
    """A device has a fault, or its link is gone."""

    seq: int
    device: str
    serial: str
    model: str
    firmware: str
    code: str
    origin: str
    at: str


class FaultOver(Struct, frozen=True, kw_only=True):
    """A fault is over."""

    device: str
    code: str
    origin: str
    at: str


Fact = RoundFact | Begun | Settled | Act | FaultBegun | FaultOver

"""Facts as the database has them: one structure for each of its tables, without the names of table and log."""

from typing import Final

from msgspec import Struct

from cardshoe.screens.rounds.acts import Act

LOST: Final = "lost"
"""The code under which a link that is gone stands among the faults of its device."""


class RoundFact(Struct, frozen=True, kw_only=True):
    """A round.

    Attributes:
        round: its number in the log.
        shoe: number of the shoe game.
        at: when it first had a result, an irregularity or a void, RFC 3339, UTC.
        outcome: of baccarat; ``played`` elsewhere; ``None``: no result stands.
        voided: whether it is void.
        demonstration: whether it was one.
        corrected: whether persons have corrected its cards.
        seq: number of its first line.
        last_seq: number of its last line so far.
        entry: number of its first entry.
        last_entry: number of its last entry so far.
        staked: stakes that were decided, minor units.
        house: the casino's win, minor units.
        tags: the words by which a search finds it.
        start: the state before its first line, JSON: with that its entries alone tell the round.
    """

    round: int
    shoe: int
    at: str
    outcome: str | None
    voided: bool
    demonstration: bool
    corrected: bool
    seq: int
    last_seq: int
    entry: int
    last_entry: int
    staked: int
    house: int
    tags: list[str]
    start: bytes

    @property
    def has_irregularity(self) -> bool:
        return any(one.startswith("irregularity:") for one in self.tags)


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

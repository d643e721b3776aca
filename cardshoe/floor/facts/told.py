"""Facts as the database has them: one structure for each of its tables, without the names of table and log."""

from typing import Final, Literal

from msgspec import Struct

from cardshoe.process.free_text import page_text

TEXT_SIGNS: Final = 500
"""Of a text that persons or devices wrote; more is cut."""
ActKind = Literal["void", "correction", "manual_card", "override"]
ACT_KINDS: Final[tuple[ActKind, ...]] = ("void", "correction", "manual_card", "override")
LOST: Final = "lost"
"""The code under which a link that is gone stands among the faults of its device."""


class RoundFact(Struct, frozen=True, kw_only=True):
    """A round.

    Attributes:
        at: when it first had a result or was void, RFC 3339, UTC.
        outcome: of baccarat; ``played`` elsewhere; ``None``: no result stands.
    """

    round: int
    shoe: int
    at: str
    outcome: str | None
    voided: bool
    demonstration: bool
    corrected: bool


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


class Act(Struct, frozen=True, kw_only=True):
    """An act of a person in place of the equipment or the rule.

    Attributes:
        at: when, RFC 3339, UTC.
    """

    seq: int
    kind: ActKind
    at: str
    round: int | None
    by: list[str]
    article: str = ""
    code: str = ""
    reason: str = ""
    irregularity: int | None = None


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


def plain(text: str) -> str:
    """A text as a column and a page can hold it."""
    return page_text(text[:TEXT_SIGNS])


def persons(by: list[int | str]) -> list[str]:
    """Ids of persons as texts."""
    return [plain(str(one)) for one in by]

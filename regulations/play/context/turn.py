"""One input as the machines answer it, and what their rows are about meanwhile."""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput
from regulations.play.context.drawn_card import DrawnCard


class Subject(Struct, frozen=True):
    """The subject of a row: given with its trigger, or found by its last guard, and dropped with it."""

    card: DrawnCard | None = None
    behind: DrawnCard | None = None
    missing: int = 0
    why: str = ""


NOTHING: Final = Subject()


class Turn(Struct):
    """One input while it is applied.

    Attributes:
        out_before: cards that were out before it.
        voidable: numbers of the irregularities that could be resolved by ``void`` before it; empty for a card.
    """

    event: AnyInput
    out_before: int
    voidable: Collection[int] = ()
    subject: Subject = NOTHING
    answer: list[AnyOutput] = []
    told: list[DrawnCard] = []

"""One input as the machines answer it, and the subject of rows."""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput
from regulations.play.context.drawn_card import DrawnCard


class Subject(Struct, frozen=True):
    card: DrawnCard | None = None
    behind: DrawnCard | None = None
    missing: int = 0
    why: str = ""


NOTHING: Final = Subject()


class Turn(Struct):
    event: AnyInput
    out_before: int
    voidable: Collection[int] = ()
    subject: Subject = NOTHING
    answer: list[AnyOutput] = []
    told: list[DrawnCard] = []

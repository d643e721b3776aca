"""Cells of the roads for pages, with their places."""

from typing import Generic, Literal, TypeVar

from msgspec import Struct, structs

from cardshoe.screens.roads.results import Counts, RoundResult
from regulations.events.vocabulary import Outcome, Side

Colour = Literal["red", "blue"]
"""A mark of a derived road: red where the big road repeats itself, blue where it does not. No side is meant."""


class Cell(Struct, frozen=True, kw_only=True):
    """A mark at its place.

    Attributes:
        row: from 1, the uppermost, to 6.
        column: from 1.
    """

    row: int
    column: int
    round: int


class Bead(Cell, frozen=True, kw_only=True):
    """A round on the bead plate."""

    outcome: Outcome
    pairs: tuple[Side, ...]
    natural: bool


class BigCell(Cell, frozen=True, kw_only=True):
    """A win on the big road, with the ties that it carries.

    Attributes:
        outcome: who won; ``None`` in the first cell while there were only ties.
    """

    outcome: Side | None
    ties: int
    pairs: tuple[Side, ...]


class DerivedCell(Cell, frozen=True, kw_only=True):
    """A mark of the big eye boy, the small road or the cockroach pig."""

    colour: Colour


CellT = TypeVar("CellT", bound=Cell)


class Road(Struct, Generic[CellT], frozen=True, kw_only=True):
    """A road as it is drawn."""

    cells: list[CellT]
    first: int = 1

    def window(self, columns: int) -> "Road[CellT]":
        """The end of the road, as far as a screen has room for it.

        Args:
            columns: how many, 1 or more.

        Raises:
            ValueError: a screen has no such number of columns.
        """
        if columns < 1:
            raise ValueError(f"a window has 1 column or more, not {columns}")
        last = max((cell.column for cell in self.cells), default=1)
        newest = self.cells[-1].column if self.cells else 1
        first = max(1, min(last - columns + 1, newest))
        shown = [cell for cell in self.cells if first <= cell.column < first + columns]
        return structs.replace(self, cells=shown, first=first)


class Board(Struct, frozen=True, kw_only=True):
    """All roads of a shoe game, its counts, and its last result if there is one."""

    bead_plate: Road[Bead]
    big_road: Road[BigCell]
    big_eye_boy: Road[DerivedCell]
    small_road: Road[DerivedCell]
    cockroach_pig: Road[DerivedCell]
    counts: Counts
    last: RoundResult | None

"""Cells of the roads, with their places."""

from typing import Generic, Literal, TypeVar

from msgspec import Struct, structs

from cardshoe.screens.roads.results import Counts, RoundResult
from regulations.events.vocabulary import Outcome, Side

Colour = Literal["red", "blue"]


class Cell(Struct, frozen=True, kw_only=True):
    """A mark; ``row`` 1 (top) to 6, ``column`` from 1."""

    row: int
    column: int
    round: int


class Bead(Cell, frozen=True, kw_only=True):
    outcome: Outcome
    pairs: tuple[Side, ...]
    natural: bool


class BigCell(Cell, frozen=True, kw_only=True):
    outcome: Side | None
    ties: int
    pairs: tuple[Side, ...]


class DerivedCell(Cell, frozen=True, kw_only=True):
    colour: Colour


CellT = TypeVar("CellT", bound=Cell)


class Road(Struct, Generic[CellT], frozen=True, kw_only=True):
    cells: list[CellT]
    first: int = 1

    def window(self, columns: int) -> "Road[CellT]":
        """The end of the road, in ``columns`` columns.

        Raises:
            ValueError: not a positive number.
        """
        if columns < 1:
            raise ValueError(f"a window has 1 column or more, not {columns}")
        last = max((cell.column for cell in self.cells), default=1)
        newest = self.cells[-1].column if self.cells else 1
        first = max(1, min(last - columns + 1, newest))
        shown = [cell for cell in self.cells if first <= cell.column < first + columns]
        return structs.replace(self, cells=shown, first=first)


class Board(Struct, frozen=True, kw_only=True):
    bead_plate: Road[Bead]
    big_road: Road[BigCell]
    big_eye_boy: Road[DerivedCell]
    small_road: Road[DerivedCell]
    cockroach_pig: Road[DerivedCell]
    counts: Counts
    last: RoundResult | None

"""The big road: wins in runs, ties and pairs on them."""

from msgspec import structs

from regulations.events.vocabulary import Side
from table.roads.cells import BigCell
from table.roads.pen import Pen
from table.roads.results import RoundResult, both


class BigRoad:
    """The big road as far as it has come.

    Attributes:
        cells: as drawn, in the order of play.
        runs: how many wins each run has, in the order of play; the derived roads are made of these.
    """

    def __init__(self) -> None:
        self.cells: list[BigCell] = []
        self.runs: list[int] = []
        self._winner: Side | None = None
        self._pen = Pen()

    def take(self, result: RoundResult) -> None:
        """Takes the next result: a win is a new mark; a tie counts on the last one, or waits in the first cell."""
        if result.outcome == "tie":
            cell = self.cells.pop() if self.cells else _empty(1, 1)
            cell = structs.replace(cell, ties=cell.ties + 1)
        else:
            row, column = self._win(result.outcome)
            has_waited = bool(self.cells) and self.cells[-1].outcome is None
            cell = self.cells.pop() if has_waited else _empty(row, column)
            cell = structs.replace(cell, outcome=result.outcome)
        self.cells.append(structs.replace(cell, round=result.round, pairs=both(cell.pairs, result.pairs)))

    def _win(self, winner: Side) -> tuple[int, int]:
        if winner == self._winner:
            self.runs[-1] += 1
        else:
            self.runs.append(1)
        self._winner = winner
        return self._pen.mark(winner)


def _empty(row: int, column: int) -> BigCell:
    return BigCell(row=row, column=column, round=0, outcome=None, ties=0, pairs=())

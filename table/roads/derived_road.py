"""The derived roads: whether the big road repeats itself."""

from collections.abc import Sequence

from table.roads.cells import Colour, DerivedCell
from table.roads.pen import Pen


class DerivedRoad:
    """A derived road as far as it has come.

    Args:
        back: with which run before it each run is compared: 1 big eye boy, 2 small road, 3 cockroach pig.

    Attributes:
        cells: as drawn, in the order of play.
    """

    def __init__(self, back: int) -> None:
        self.cells: list[DerivedCell] = []
        self._back = back
        self._pen = Pen()

    def take(self, round_number: int, runs: Sequence[int]) -> None:
        """Takes the newest win of the big road.

        Args:
            round_number: the round that was won.
            runs: how many wins each run has, the newest win included.
        """
        if (colour := colour_of(runs, self._back)) is not None:
            row, column = self._pen.mark(colour)
            self.cells.append(DerivedCell(row=row, column=column, round=round_number, colour=colour))


def colour_of(runs: Sequence[int], back: int) -> Colour | None:
    """The mark that the newest win gives.

    What counts is how long the runs are, and not where they are drawn: a dragon tail is as long as its run.

    Args:
        runs: how many wins each run has, one or more runs, the newest win included.
        back: with which run before it each run is compared, 1 to 3.

    Returns:
        ``None`` where there is no run that far back.
    """
    *ended, wins = runs
    if wins == 1:  # a run was ended: was it as long as the one to compare it with?
        return None if len(ended) <= back else "red" if ended[-1] == ended[-1 - back] else "blue"
    # A run goes on: blue is the one win with which it becomes longer than the one to compare it with.
    return None if len(ended) < back else "blue" if wins == ended[-back] + 1 else "red"

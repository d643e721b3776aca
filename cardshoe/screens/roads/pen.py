"""Where the marks of a road go on paper."""

from typing import Final

ROWS: Final = 6


class Pen:
    """Draws runs of like marks on a sheet of six rows, which has no end on the right.

    A run goes down. Where the sheet ends, or the cell below is taken, it turns right and keeps its row: a dragon tail.
    The next run begins in the first column whose uppermost cell is free, and may meet such a tail. A run never meets
    one on its right: whatever lies there began further left, and so would lie below it, too.
    """

    def __init__(self) -> None:
        self._taken: Final[set[tuple[int, int]]] = set()
        self._run: str | None = None
        self._row, self._column, self._start = 0, 0, 1
        self._has_turned = False

    def mark(self, kind: str) -> tuple[int, int]:
        """Sets the next mark; one of the same kind as the last goes on with its run.

        Returns:
            Its row, 1 to 6, and its column, from 1.
        """
        if kind != self._run:
            self._begin(kind)
        elif self._has_turned or self._row == ROWS or (self._row + 1, self._column) in self._taken:
            self._has_turned = True
            self._column += 1
        else:
            self._row += 1
        place = self._row, self._column
        self._taken.add(place)
        return place

    def _begin(self, kind: str) -> None:
        while (1, self._start) in self._taken:
            self._start += 1
        self._run, self._has_turned = kind, False
        self._row, self._column = 1, self._start

"""All roads of a shoe game."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import structs

from cardshoe.screens.roads.cells import Bead, BigCell, Board, Colour, DerivedCell, Road
from cardshoe.screens.roads.results import SIDES, Counts, RoundResult, both
from regulations.events.vocabulary import Side

ROWS: Final = 6


class Roads:
    """The roads of one shoe game, result by result.

    Raises:
        ValueError: not in round order.
    """

    def __init__(self, results: Iterable[RoundResult] = ()) -> None:
        self._draw(results)

    def take(self, result: RoundResult) -> None:
        """Add the next round's result.

        Raises:
            ValueError: this round, or a later one, has a result.
        """
        if self._results and result.round <= (last := self._results[-1].round):
            raise ValueError(f"round {result.round} does not follow round {last}: to replace a result, correct it")
        self._results.append(result)
        columns, rows = divmod(len(self._beads), ROWS)
        self._beads.append(
            Bead(
                row=rows + 1,
                column=columns + 1,
                round=result.round,
                outcome=result.outcome,
                pairs=result.pairs,
                natural=result.natural,
            )
        )
        self._big_road.take(result)
        if result.outcome != "tie":
            for derived in (self._big_eye_boy, self._small_road, self._cockroach_pig):
                derived.take(result.round, self._big_road.runs)

    def void(self, round_number: int) -> None:
        """Remove a round; no-op if it has no result."""
        self._draw([result for result in self._results if result.round != round_number])

    def correct(self, result: RoundResult) -> None:
        """Replace a round's result.

        Raises:
            LookupError: it has none.
        """
        if all(known.round != result.round for known in self._results):
            raise LookupError(f"round {result.round} has no result that could be corrected")
        self._draw([result if known.round == result.round else known for known in self._results])

    def board(self) -> Board:
        """The current board."""
        return Board(
            bead_plate=Road(cells=[*self._beads]),
            big_road=Road(cells=[*self._big_road.cells]),
            big_eye_boy=Road(cells=[*self._big_eye_boy.cells]),
            small_road=Road(cells=[*self._small_road.cells]),
            cockroach_pig=Road(cells=[*self._cockroach_pig.cells]),
            counts=Counts.of(self._results),
            last=self._results[-1] if self._results else None,
        )

    def _draw(self, results: Iterable[RoundResult]) -> None:
        self._results: list[RoundResult] = []
        self._beads: list[Bead] = []
        self._big_road = BigRoad()
        self._big_eye_boy, self._small_road, self._cockroach_pig = DerivedRoad(1), DerivedRoad(2), DerivedRoad(3)
        for result in results:
            self.take(result)


def roads_of(results: Iterable[RoundResult]) -> Board:
    """The roads of a shoe game.

    Raises:
        ValueError: not in round order.
    """
    return Roads(results).board()


def next_marks(results: Sequence[RoundResult]) -> dict[Side, tuple[Colour | None, ...]]:
    """Derived marks if a side wins next: big eye boy, small road, cockroach pig; ``None``: none."""
    number = 1 + (results[-1].round if results else 0)
    found: dict[Side, tuple[Colour | None, ...]] = {}
    now = _derived(roads_of(results))
    for side in SIDES:
        then = _derived(roads_of([*results, RoundResult(round=number, outcome=side)]))
        found[side] = tuple(
            after.cells[-1].colour if len(after.cells) > len(before.cells) else None
            for before, after in zip(now, then, strict=True)
        )
    return found


def _derived(board: Board) -> tuple[Road[DerivedCell], ...]:
    return board.big_eye_boy, board.small_road, board.cockroach_pig


class Pen:
    """Draws runs of like marks on six rows, unlimited to the right.

    A run never meets one on its right: that one would lie below it, too.
    """

    def __init__(self) -> None:
        self._taken: Final[set[tuple[int, int]]] = set()
        self._run: str | None = None
        self._row, self._column, self._start = 0, 0, 1
        self._has_turned = False

    def mark(self, kind: str) -> tuple[int, int]:
        """Set the next mark; return row, 1 to 6, and column, from 1."""
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


class BigRoad:
    """The big road so far."""

    def __init__(self) -> None:
        self.cells: list[BigCell] = []
        self.runs: list[int] = []
        self._winner: Side | None = None
        self._pen = Pen()

    def take(self, result: RoundResult) -> None:
        """Add the next result."""
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


class DerivedRoad:
    """A derived road; compares with the run ``back``: 1 big eye boy, 2 small road, 3 cockroach pig."""

    def __init__(self, back: int) -> None:
        self.cells: list[DerivedCell] = []
        self._back = back
        self._pen = Pen()

    def take(self, round_number: int, runs: Sequence[int]) -> None:
        """Add the newest win of the big road."""
        if (colour := colour_of(runs, self._back)) is not None:
            row, column = self._pen.mark(colour)
            self.cells.append(DerivedCell(row=row, column=column, round=round_number, colour=colour))


def colour_of(runs: Sequence[int], back: int) -> Colour | None:
    """The mark of the newest win; ``None``: no run that far back."""
    *ended, wins = runs
    if wins == 1:  # a run was ended: was it as long as the one to compare it with?
        return None if len(ended) <= back else "red" if ended[-1] == ended[-1 - back] else "blue"
    # A run goes on: blue is the one win with which it becomes longer than the one to compare it with.
    return None if len(ended) < back else "blue" if wins == ended[-back] + 1 else "red"

"""All roads of a shoe game."""

from collections.abc import Iterable

from table.roads.big_road import BigRoad
from table.roads.cells import Bead, Board, Road
from table.roads.derived_road import DerivedRoad
from table.roads.pen import ROWS
from table.roads.results import Counts, RoundResult


class Roads:
    """The roads of one shoe game, a result at a time. Another shoe game has roads of its own.

    Which rounds count, demonstrations for instance, is the caller's to say.

    Args:
        results: those that there are, in the order of their rounds.

    Raises:
        ValueError: they are not in that order.
    """

    def __init__(self, results: Iterable[RoundResult] = ()) -> None:
        self._draw(results)

    def take(self, result: RoundResult) -> None:
        """Takes the result of the next round.

        Raises:
            ValueError: there is a result of this round, or of a later one.
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
        """Takes a round away; one that has no result here changes nothing, as many a round is void before it has one.

        Args:
            round_number: from 1.
        """
        self._draw([result for result in self._results if result.round != round_number])

    def correct(self, result: RoundResult) -> None:
        """Puts a result in the place of the one that its round has.

        Raises:
            LookupError: the round has none.
        """
        if all(known.round != result.round for known in self._results):
            raise LookupError(f"round {result.round} has no result that could be corrected")
        self._draw([result if known.round == result.round else known for known in self._results])

    def board(self) -> Board:
        """Return the board as of now; later results do not change it."""
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
    """The roads of a shoe game, drawn at once.

    Args:
        results: in the order of their rounds.

    Raises:
        ValueError: they are not in that order.
    """
    return Roads(results).board()

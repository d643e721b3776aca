"""The roads of baccarat, from results alone (``docs/display.md``)."""

from cardshoe.screens.roads.cells import Bead, BigCell, Board, DerivedCell, Road
from cardshoe.screens.roads.results import Counts, RoundResult
from cardshoe.screens.roads.roads import Roads, next_marks, roads_of

__all__ = [
    "Bead",
    "BigCell",
    "Board",
    "Counts",
    "DerivedCell",
    "Road",
    "Roads",
    "RoundResult",
    "next_marks",
    "roads_of",
]

"""The roads written a second time, from the rules, for a whole shoe game at once, sharing no code with the package."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeVar

from cardshoe.screens.roads import Board, RoundResult

KindT = TypeVar("KindT", bound=Hashable)
DERIVED: Final = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
FAR: Final = 200
"""Columns of a sheet: more than any shoe game here has rounds."""


@dataclass(frozen=True)
class Sheets:
    """All roads as plain data, to be compared with what a page would get."""

    roads: dict[str, list[tuple[Any, ...]]]
    counts: dict[str, int]
    last: RoundResult | None


def sheets_of(results: Sequence[RoundResult]) -> Sheets:
    """The roads of a shoe game."""
    wins = [result for result in results if result.outcome != "tie"]
    runs = [list(group) for _, group in groupby(wins, key=lambda result: result.outcome)]
    lengths = [len(run) for run in runs]
    rounds = [win.round for win in wins]
    roads: dict[str, list[tuple[Any, ...]]] = {
        "bead_plate": [
            (at % 6 + 1, at // 6 + 1, one.round, one.outcome, one.pairs, one.natural) for at, one in enumerate(results)
        ],
        "big_road": list(_big(results, laid([win.outcome for win in wins]))),
    }
    for name, left in DERIVED.items():
        marks = [
            (number, is_red(lengths, run, depth, left))
            for number, (run, depth) in zip(rounds, _walk(lengths), strict=True)
        ]
        kept = [(number, "red" if answer else "blue") for number, answer in marks if answer is not None]
        places = laid([colour for _, colour in kept])
        roads[name] = [(*place, *mark) for place, mark in zip(places, kept, strict=True)]
    counts = {outcome: sum(one.outcome == outcome for one in results) for outcome in ("player", "banker", "tie")}
    for side in ("player", "banker"):
        counts[f"{side}_pair"] = len([one for one in results if side in one.pairs])
    counts["natural"] = len([one for one in results if one.natural])
    return Sheets(roads, counts, results[-1] if results else None)


def drawn(board: Board) -> Sheets:
    """The same of a board of the package."""
    roads: dict[str, list[tuple[Any, ...]]] = {
        "bead_plate": [
            (one.row, one.column, one.round, one.outcome, one.pairs, one.natural) for one in board.bead_plate.cells
        ],
        "big_road": [
            (one.row, one.column, one.round, one.outcome, one.ties, one.pairs) for one in board.big_road.cells
        ],
    }
    for name in DERIVED:
        roads[name] = [(one.row, one.column, one.round, one.colour) for one in getattr(board, name).cells]
    names = ("player", "banker", "tie", "player_pair", "banker_pair", "natural")
    return Sheets(roads, {name: getattr(board.counts, name) for name in names}, board.last)


def is_red(lengths: Sequence[int], run: int, depth: int, left: int) -> bool | None:
    """The mark that a win gives, which is the ``depth``-th of its run (both from 0); ``None`` for no mark."""
    if depth == 0:
        if run - 1 - left < 0:
            return None
        return not is_red(lengths, run - 1, lengths[run - 1], left)
    if run - left < 0:
        return None
    beside, above = (lengths[run - left] > row for row in (depth, depth - 1))
    return beside == above


def laid(kinds: Sequence[KindT]) -> list[tuple[int, int]]:
    """The places, row and column from 1, on which these marks are drawn."""
    sheet = [["."] * FAR for _ in range(6)]
    places: list[tuple[int, int]] = []
    for _, group in groupby(kinds):
        length = len(list(group))
        start = sheet[0].index(".")
        free = "".join(row[start] for row in sheet).partition("#")[0]
        down = min(length, len(free))
        path = [(row, start) for row in range(down)] + [(down - 1, start + 1 + over) for over in range(length - down)]
        for row, column in path:
            assert sheet[row][column] == ".", "two marks in one cell"
            sheet[row][column] = "#"
        places += path
    return [(row + 1, column + 1) for row, column in places]


def _walk(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    for run, length in enumerate(lengths):
        for depth in range(length):
            yield run, depth


def _big(results: Sequence[RoundResult], places: Sequence[tuple[int, int]]) -> Iterator[tuple[Any, ...]]:
    won_before, owners = -1, []
    for result in results:
        won_before += result.outcome != "tie"
        owners.append((max(won_before, 0), result))
    for cell, group in groupby(owners, key=itemgetter(0)):
        rounds = [result for _, result in group]
        winners = [result.outcome for result in rounds if result.outcome != "tie"]
        paired = {side for result in rounds for side in result.pairs}
        yield (
            *(places[cell] if winners else (1, 1)),
            rounds[-1].round,
            winners[0] if winners else None,
            len(rounds) - len(winners),
            tuple(sorted(paired, reverse=True)),
        )

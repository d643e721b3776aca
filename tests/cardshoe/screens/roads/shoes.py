"""Shoe games written in short, pictures of roads, and shoe games at random."""

import random
import re
from collections.abc import Sequence
from typing import Final

from cardshoe.screens.roads import BigCell, DerivedCell, Road, RoundResult
from regulations.events.vocabulary import Outcome, Side

OUTCOMES: Final[dict[str, Outcome]] = {"B": "banker", "P": "player", "T": "tie"}
SIDES: Final[dict[str, Side]] = {"p": "player", "b": "banker"}
_ROUND: Final = re.compile(r"[BPT][pbn]*")


def shoe(text: str) -> list[RoundResult]:
    """A shoe game: `B`, `P` or `T` for each round; behind it `p`, `b` for a pair of that side, `n` for a natural."""
    rounds = _ROUND.findall(text)
    assert "".join(rounds) == text, text
    return [
        RoundResult(
            round=number,
            outcome=OUTCOMES[letters[0]],
            pairs=tuple(SIDES[letter] for letter in letters[1:] if letter in SIDES),
            natural="n" in letters,
        )
        for number, letters in enumerate(rounds, 1)
    ]


def runs(*lengths: int, first: str = "B") -> str:
    """A shoe game of so long runs, without ties."""
    other = {"B": "P", "P": "B"}[first]
    return "".join((other if number % 2 else first) * length for number, length in enumerate(lengths))


def colours(road: Road[DerivedCell]) -> str:
    """The marks of a derived road in their order, `R` and `B`."""
    return "".join(cell.colour[0].upper() for cell in road.cells)


def picture(road: Road[BigCell] | Road[DerivedCell]) -> list[str]:
    """The rows as they are drawn, down to the last that is used; the first letter of what stands there, else a dot."""
    marks = {(cell.row, cell.column): _letter(cell) for cell in road.cells}
    assert len(marks) == len(road.cells), "two marks in one cell"
    rows = range(1, max((row for row, _ in marks), default=0) + 1)
    columns = range(1, max((column for _, column in marks), default=0) + 1)
    return ["".join(marks.get((row, column), ".") for column in columns).rstrip(".") for row in rows]


def _letter(cell: BigCell | DerivedCell) -> str:
    if isinstance(cell, DerivedCell):
        return cell.colour[0].upper()
    return cell.outcome[0].upper() if cell.outcome is not None else "-"


def random_shoe(chance: random.Random, longest: int = 100) -> list[RoundResult]:
    """A shoe game of any length: as cards fall, or with far longer runs, more ties, and rounds that are missing."""
    repeats = chance.choice((0.5, 0.5, 0.2, 0.8, 0.95))
    ties = chance.choice((0.1, 0.1, 0.0, 0.6))
    winner, number, results = chance.choice("BP"), 0, []
    for _ in range(chance.randint(0, longest)):
        number += 1 if chance.random() < 0.95 else chance.randint(2, 4)
        if chance.random() >= repeats:
            winner = {"B": "P", "P": "B"}[winner]
        letter = "T" if chance.random() < ties else winner
        results.append(random_result(chance, number, OUTCOMES[letter]))
    return results


def random_result(chance: random.Random, number: int, outcome: Outcome) -> RoundResult:
    """A result with this outcome, pairs and naturals by chance."""
    pairs: Sequence[Side] = [side for side in SIDES.values() if chance.random() < 0.1]
    return RoundResult(round=number, outcome=outcome, pairs=tuple(pairs), natural=chance.random() < 0.3)

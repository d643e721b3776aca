"""Totals against exact odds: money exactly, frequencies within an error."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from cardshoe.analysis.tails import below_by_holm, normal_tail
from cardshoe.cli.campaign.games.played_game import NET, PlayedGame
from cardshoe.cli.campaign.totals import STAKE, Totals

ERROR: Final = 0.001
"""Chance of doubting a fair campaign."""
CALL: Final = 4.4
"""Standard errors at which a cell fails among some twenty."""
FEW_SHOES: Final = 32
"""With fewer shoes the error of independent rounds counts, if greater."""
FEW: Final = 25


class TestedFigure(NamedTuple):
    """A frequency, or the mean net of a bet.

    Attributes:
        found: per round, in the first rounds of each shoe; money in units.
        least: the smallest detectable deviation.
    """

    name: str
    found: float
    exact: Fraction | float
    z: float
    least: float
    fails: bool


def cells_of(totals: Totals, played: PlayedGame, strategy: str) -> list[TestedFigure]:
    shoes, rounds, several = totals.shoes, played.rounds, list[tuple[str, float, Fraction | float, float, float]]()
    for name, exact in played.odds(strategy).items():
        is_net = name.startswith(NET)
        if shoes < FEW_SHOES if is_net else float(exact) * shoes * rounds < FEW:
            continue
        unit = STAKE if is_net else 1
        count, squares = totals.cells.get(name, 0), totals.squares.get(name, 0)
        variance = (squares - count * count / shoes) / max(1, shoes - 1)
        if shoes < FEW_SHOES:
            variance = max(variance, float(exact) * rounds)
        error = math.sqrt(max(variance, 1e-12) / shoes) / rounds / unit
        found = count / (shoes * rounds * unit)
        several.append((name, found, exact, (found - float(exact)) / error, CALL * error))
    fails = below_by_holm([2 * normal_tail(abs(one[3])) for one in several], ERROR)
    return [TestedFigure(*one, fails=failed) for one, failed in zip(several, fails, strict=True)]


def wrong_of(totals: Totals, played: PlayedGame) -> Iterator[str]:
    for what, count in sorted(totals.wrong.items()):
        yield f"{what} ({count:,} times)"
    if totals.fewest < played.rounds:
        yield f"a shoe had {totals.fewest} rounds; {played.rounds} are compared"

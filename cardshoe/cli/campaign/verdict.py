"""Totals against exact odds: money and tableau must agree exactly, frequencies within an error over all cells."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from cardshoe.analysis.tails import below_by_holm, normal_tail
from cardshoe.cli.campaign.odds import draws, odds, pays
from cardshoe.cli.campaign.totals import ROUNDS, STAKE, Totals

ERROR: Final = 0.001
"""The chance that a fair campaign is doubted."""
BETS: Final = ("player", "banker", "tie", "player_pair", "banker_pair")
CALL: Final = 4.4
"""Standard errors that a cell must be off to fail among some twenty."""
RANKS: Final = tuple("A23456789TJQK")


class Cell(NamedTuple):
    """A frequency.

    Attributes:
        found: a round, in the first rounds of each shoe.
        exact: by the odds.
        z: standard errors from one to the other; the error is that by shoe.
        least: the smallest deviation that so many shoes show.
        fails: whether it is doubted.
    """

    name: str
    found: float
    exact: Fraction
    z: float
    least: float
    fails: bool


def cells_of(totals: Totals, decks: int) -> list[Cell]:
    """Test each frequency; all together with `ERROR` (Holm)."""
    expected = {**odds(decks), **{f"rank {rank}": Fraction(2, 13) for rank in RANKS}}
    shoes, several = totals.shoes, list[tuple[str, float, Fraction, float, float]]()
    for name, exact in expected.items():
        count, squares = totals.cells.get(name, 0), totals.squares.get(name, 0)
        variance = (squares - count * count / shoes) / max(1, shoes - 1)
        error = math.sqrt(max(variance, 1e-12) / shoes) / ROUNDS
        found = count / (shoes * ROUNDS)
        several.append((name, found, exact, (found - float(exact)) / error, CALL * error))
    fails = below_by_holm([2 * normal_tail(abs(one[3])) for one in several], ERROR)
    return [Cell(*one, fails=failed) for one, failed in zip(several, fails, strict=True)]


def wrong_of(totals: Totals) -> Iterator[str]:
    """Yield what must never be: money that differs from the articles, and draws against the tableau."""
    for name, count in sorted(totals.money.items()):
        bet, cell, what = name.split("|")
        if what == "wagers":
            net, unit = totals.money[f"{bet}|{cell}|net"], pays(bet, cell)
            due = 0 if unit is None else unit * STAKE * count
            if net != due:
                yield f"money: {bet} on {cell} paid {net} for {count} wagers of {STAKE}; due {due}"
    for bet in BETS:
        settled = sum(
            count for name, count in totals.money.items() if name.startswith(f"{bet}|") and name.endswith("|wagers")
        )
        if settled != totals.rounds:
            yield f"money: {settled} wagers on {bet} were settled in {totals.rounds} rounds"
    for name, count in sorted(totals.tableau.items()):
        banker, third, drawn = name.split()
        if draws(int(banker), None if third == "-" else int(third)) != (drawn == "1"):
            does = "drew" if drawn == "1" else "stood"
            yield f"tableau: the banker {does} on {banker} after the player's {third}, {count} times"
    if totals.fewest < ROUNDS:
        yield f"a shoe had {totals.fewest} rounds; {ROUNDS} are compared"

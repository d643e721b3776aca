"""Exact money: integers of minor units, fractions in between, one rounding per wager (reading G2)."""

from fractions import Fraction
from typing import Final

NOTHING: Final = Fraction(0)


def net_of(stake: int, odds: Fraction) -> tuple[int, Fraction]:
    """The net of a wager at net odds (reading G1).

    Args:
        stake: minor units, at least 1.
        odds: what one unit of stake wins; negative for what it loses.

    Returns:
        The net rounded half-even to a minor unit, and the residue: the exact net minus the rounded one.
    """
    # Whole numbers all the way: a fraction is made only where something is left over.
    net, rest = divmod(stake * odds.numerator, odds.denominator)
    twice = 2 * rest
    if twice > odds.denominator or (twice == odds.denominator and net % 2):
        net += 1
        rest -= odds.denominator
    return net, Fraction(rest, odds.denominator) if rest else NOTHING

"""Exact money: integers of minor units, fractions in between, one rounding per wager (reading G2)."""

from fractions import Fraction


def net_of(stake: int, odds: Fraction) -> tuple[int, Fraction]:
    """The net of a wager at net odds (reading G1).

    Args:
        stake: minor units, at least 1.
        odds: what one unit of stake wins; negative for what it loses.

    Returns:
        The net rounded half-even to a minor unit, and the residue: the exact net minus the rounded one.
    """
    exact = stake * odds
    net = round(exact)
    return net, exact - net

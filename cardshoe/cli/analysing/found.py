"""What an analysis of some shoes could have found, in three lists."""

from typing import Final, NamedTuple

from cardshoe.analysis.powers import POWERS, Power
from cardshoe.analysis.verdict import Group

SURE: Final = 90
"""Shoes of 100 that show a flaw: from here on one shoe is enough."""
SELDOM: Final = 10


class Reach(NamedTuple):
    """The reach of an analysis.

    Attributes:
        found: flaws that would have been found.
        perhaps: flaws that would have been found in some shoes.
        missed: flaws that need more shoes, or are never found.
    """

    found: list[str]
    perhaps: list[str]
    missed: list[str]


def reach_of(group: Group) -> Reach:
    """Sort the known flaws by whether the shoes of a group could have shown them."""
    shoes = len(group.compared)
    reach = Reach([], [], [])
    for power in POWERS:
        enough = shoes > 0 and power.shoes is not None and shoes >= power.shoes
        if enough or (shoes and power.in_one >= SURE):
            reach.found.append(f"{power.name}{_share(power)}")
        elif shoes and power.in_one >= SELDOM:
            reach.perhaps.append(f"{power.name}{_share(power)}{_needs(power, shoes)}")
        elif power.shoes is None:
            reach.missed.append(f"{power.name}: never found")
        else:
            reach.missed.append(f"{power.name}{_needs(power, shoes)}")
    return reach


def measured(group: Group) -> str:
    """Under which conditions the powers were measured, and how this group differs."""
    compared = group.compared
    if not compared:
        return "No shoe has a shoe before it to compare with."
    known = sum(one.shoe.known for one in compared) // len(compared)
    decks = sorted({one.shoe.decks for one in compared})
    way = "recorded" if all(one.shoe.pick_up for one in compared) else "not recorded"
    here = f"Here: {'/'.join(map(str, decks))} decks, {known} cards seen on average, pick-up {way}."
    return f"Measured with 8 decks, 400 of 416 cards seen, pick-up recorded. {here} Fewer cards show less."


def _share(power: Power) -> str:
    return f" ({power.in_one} of 100 shoes)"


def _needs(power: Power, shoes: int) -> str:
    if power.shoes is None:
        return ""
    return f": needs {power.shoes} shoes, there {'was' if shoes == 1 else 'were'} {shoes}"

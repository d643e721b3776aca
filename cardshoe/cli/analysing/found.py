"""The reach of an analysis: flaws that it would have found, found at times, or missed."""

import math
from dataclasses import replace
from typing import Final, NamedTuple

from cardshoe.analysis.powers import POWERS, Power
from cardshoe.analysis.verdict import ShoeGroup

SURE: Final = 90
"""Shoes of 100 that show a flaw: from here on one shoe is enough."""
SELDOM: Final = 10
FEW: Final = 0.1
"""The part of the pairs of places below which too few cards follow each other."""
SHUFFLES: Final = 6
"""Shuffles of one deck, twelve cards seen of each, until a deck shows that is dealt on."""
MEASURED: Final = 400 / 416
"""The part of a shoe's cards that was seen where the powers were measured."""


class Reach(NamedTuple):
    """The reach of an analysis.

    Attributes:
        missed: flaws that need more shoes, or are never found.
    """

    found: list[str]
    perhaps: list[str]
    missed: list[str]


def reach_of(group: ShoeGroup) -> Reach:
    """Sort the known flaws by whether the shoes of a group could have shown them."""
    shoes = len(group.compared)
    reach = Reach([], [], [])
    for power in (_scaled(one, _seen(group)) for one in POWERS):
        enough = shoes > 0 and power.shoes is not None and shoes >= power.shoes
        if shoes and power.in_one >= SURE:
            reach.found.append(f"{power.name}{_share(power)}")
        elif enough:
            reach.found.append(f"{power.name} (needs {power.shoes} shoes)")
        elif shoes and power.in_one >= SELDOM:
            reach.perhaps.append(f"{power.name}{_share(power)}{_needs(power, shoes)}")
        elif power.shoes is None:
            reach.missed.append(f"{power.name}: never found")
        else:
            reach.missed.append(f"{power.name}{_needs(power, shoes)}")
    return reach


def _seen(group: ShoeGroup) -> float:
    parts = [
        one.shoe.known * one.before[0].known / (one.shoe.stack * one.before[0].stack) / MEASURED**2
        for one in group.compared
        if not one.shoe.is_endless
    ]
    return min(1.0, sum(parts) / len(parts)) if parts else 1.0


def _scaled(power: Power, seen: float) -> Power:
    if power.shoes is None or not seen:
        return power
    if power.way == "never":
        # It shows in some thirty cards of a shoe, or because cards just seen do not come again.
        return power if seen > FEW else replace(power, in_one=0, shoes=SHUFFLES)
    return replace(power, in_one=round(power.in_one * seen), shoes=math.ceil(power.shoes / seen))


def measured(group: ShoeGroup) -> str:
    """Under which conditions the powers were measured, and how this group differs."""
    compared = group.compared
    if not compared:
        return "No shoe has a shoe before it to compare with."
    known = sum(one.shoe.known for one in compared) // len(compared)
    decks = sorted({one.shoe.decks for one in compared})
    way = "recorded" if all(one.shoe.pick_up for one in compared) else "not recorded"
    here = f"Here: {'/'.join(map(str, decks))} decks, {known} cards seen on average, pick-up {way}."
    measured_with = "Measured with 8 decks, 400 of 416 cards seen, pick-up recorded"
    return f"{measured_with}; scaled where fewer were seen. {here}"


def _share(power: Power) -> str:
    return f" ({power.in_one} of 100 shoes)"


def _needs(power: Power, shoes: int) -> str:
    if power.shoes is None:
        return ""
    return f": needs {power.shoes} shoes, there {'was' if shoes == 1 else 'were'} {shoes}"

"""The reach of an analysis: flaws always found, sometimes found, or missed."""

import math
from dataclasses import replace
from typing import Final, NamedTuple

from cardshoe.analysis.powers import POWERS, Power
from cardshoe.analysis.verdict import ShoeGroup

SURE: Final = 90
"""Shoes per 100; from here one shoe is enough."""
SELDOM: Final = 10
FEW: Final = 0.1
SHUFFLES: Final = 6
"""Shuffles of one deck, twelve cards seen each, until a reused deck shows."""
MEASURED: Final = 400 / 416


class Reach(NamedTuple):
    found: list[str]
    perhaps: list[str]
    missed: list[str]


def reach_of(group: ShoeGroup) -> Reach:
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

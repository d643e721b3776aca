"""The report for programs."""

from collections.abc import Sequence
from typing import Any

import msgspec

from cardshoe.analysis.pairs import BESIDE, NEAR
from cardshoe.analysis.powers import POWERS
from cardshoe.analysis.verdict import ERROR, ShoeComparison, ShoeGroup


def report_of(groups: Sequence[ShoeGroup]) -> dict[str, Any]:
    return {"error": ERROR, "groups": [_group(one) for one in groups], "powers": msgspec.to_builtins(POWERS)}


def _group(group: ShoeGroup) -> dict[str, Any]:
    right, guesses, by_chance = group.right
    return {
        "name": group.name,
        "outcome": group.outcome,
        "error": group.error,
        "wealth": group.wealth,
        "limit": group.limit,
        "neighbours": group.neighbours,
        "guesses": {"right": right, "of": guesses, "by_chance": by_chance},
        "tests": [
            {"name": one.name, "value": one.value, "chance": one.chance, "fails": one.name in group.failed}
            for one in group.tests
        ],
        "equal": [_two(group, pair) for pair in group.equal],
        "alike": [_two(group, pair) for pair in group.alike],
        "surplus": group.surplus,
        "shoes": [_shoe(one) for one in group.shoes],
    }


def _two(group: ShoeGroup, pair: tuple[int, int]) -> list[dict[str, Any]]:
    return [{"table": group.shoes[at].shoe.table, "shoe": group.shoes[at].shoe.number} for at in pair]


def _shoe(one: ShoeComparison) -> dict[str, Any]:
    shoe, played = one.shoe, one.played
    return {
        "table": shoe.table,
        "shoe": shoe.number,
        "at": shoe.at,
        "set": shoe.card_set or None,
        "device": shoe.device or None,
        "cards": len(shoe.faces()),
        "known": shoe.known,
        "compared_with": [before.number for before in one.before],
        "wealth": played.most,
        "bettors": played.kinds,
        "guesses": {"right": played.right, "of": played.guesses, "by_chance": played.by_chance},
        "common_run": {"cards": one.run.length, "chance": one.run.chance},
        "band": {"cards": one.band.cards, "chance": one.band.chance},
        "near": {str(within): count.z for within, count in zip(NEAR, one.near, strict=False)},
        "beside": {str(within): count.z for within, count in zip(BESIDE, one.beside, strict=False)},
    }

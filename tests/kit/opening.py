"""A table brought to its first round, with a shoe or by hand."""

import random
from typing import Final

from tests.kit.command import Line
from tests.kit.running_table import RunningTable
from tests.kit.shoe import Shoe

OPENING: Final[list[Line]] = [
    {"event": "shuffled", "by": "croupier"},
    {"event": "cut", "by": "player"},
    {"event": "cut_card_placed", "behind": 14},
]
BETS: Final[Line] = {
    "event": "bets_closed",
    "seats": [1],
    "wagers": [{"seat": 1, "bet": "banker", "stake": 10_000}],
}


def open_by_hand(table: RunningTable, burned: str = "2C 3C 4C 5C 6C 7C 8C 9C") -> Line:
    """Shuffle, cut, load, burn, all typed; returns the prompt before the first round."""
    for event in [*OPENING, {"event": "loaded", "cards": 416}]:
        table.tell(event)
    prompt: Line = {}
    for card in burned.split():
        prompt = table.tell({"event": "card", "card": card})[-1]
    return prompt


def open_with_shoe(table: RunningTable, shoe: Shoe, rng: random.Random) -> Line:
    """The same with a shoe, from the first prompt on."""
    assert table.prompt()["do"] == "shuffle"
    for event in OPENING:
        table.tell(event)
    shoe.load(rng)
    prompt = table.tell({"event": "loaded", "cards": 416})[-1]
    while prompt["do"] == "burn":
        shoe.draw()
        prompt = table.prompt()
    return prompt

"""Whole rounds that a simulated croupier and players played on the machine, as data for an evaluator."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from regulations.events.codec import encode
from regulations.events.inputs import Table
from sim.croupier.instructions import HouseInstructions
from tests.regulations.support.profiles import Json
from tests.sim.croupier.plain_table import PlainTable


@dataclass
class PlayedRound:
    wagers: list[Json] = field(default_factory=list)
    decisions: list[Json] = field(default_factory=list)
    result: Json = field(default_factory=dict)
    settled: list[Json] = field(default_factory=list)

    @property
    def nets(self) -> dict[tuple[int, str, int], Any]:
        """The nets by seat, bet and bettor, over all hands."""
        found: dict[tuple[int, str, int], Any] = {}
        for entry in self.settled:
            key = (entry["seat"], entry["bet"], entry["id"])
            found[key] = "carried" if entry.get("carried") else found.get(key, 0) + entry["net"]
        return found


def rounds_of(table: Table, seed: int, rounds: int, *, types_hits: bool = False) -> Iterator[PlayedRound]:
    """Plays so many rounds with random players and gives those that were not void."""
    orders = HouseInstructions(games=None, rounds=rounds, types_hits=types_hits)
    played = PlainTable(seed, table, orders=orders, reads=True, strategy="random")
    played.run()
    current = PlayedRound()
    for event, answer in played.log:
        given = json.loads(encode(event))
        outputs = [json.loads(encode(output)) for output in answer]
        if outputs[0]["event"] == "refused":
            continue
        if given["event"] == "bets_closed":
            current = PlayedRound(wagers=given["wagers"])
        if given["event"] == "decision":
            current.decisions.append(given)
        for output in outputs:
            if output["event"] == "settled":
                current.settled += output["wagers"]
            elif output["event"] == "reversed":
                current.settled = [entry for entry in current.settled if entry not in output["wagers"]]
            elif output["event"] == "result":
                current.result = output
        if given["event"] == "round_closed" and current.result:
            yield current
            current = PlayedRound()

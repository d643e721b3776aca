"""Tables whose shoes are shuffled in some way, as lines of their logs and as journals."""

import json
import queue
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import structs

from cardshoe.table.controller import Controller
from cardshoe.table.log.table_journal import open_log
from regulations.events.codec import encode
from regulations.events.inputs import AnyInput, Closed
from sim.croupier.instructions import HouseInstructions
from sim.shuffling import Shuffling
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.tables import AT, nobody, table_of
from tests.sim.croupier.plain_table import PlainTable

Said = list[dict[str, Any]]
ROUNDS = 90
"""Of baccarat: a whole shoe, and the first rounds of the next."""


@cache
def table(way: str, seed: int = 7, rounds: int = ROUNDS, mistakes: float = 0.0) -> PlainTable:
    """A table of baccarat that has been played; it records how its cards are picked up."""
    profile = structs.replace(table_of("T-1"), pick_up="player_first")
    player = PlainTable(
        seed, profile, orders=HouseInstructions(games=None, rounds=rounds), reads=True, mistakes=mistakes
    )
    player.hands.shuffle_by(Shuffling(way))
    player.run()
    return player


def answers(player: PlainTable) -> Iterator[Said]:
    """Each input of a table with its answers, as the lines tell."""
    for event, outputs in player.log:
        yield [json.loads(encode(event)), *(json.loads(encode(one)) for one in outputs)]


def told(player: PlainTable) -> Sequence[AnyInput]:
    """The inputs of a table, without its end."""
    return [structs.replace(event, at=AT) for event, _ in player.log[1:] if not isinstance(event, Closed)]


def journal(folder: Path, inputs: Sequence[AnyInput], name: str = "T-1") -> Journal:
    """The open journal of a table."""
    profile = structs.replace(table_of(name), pick_up="player_first")
    log = open_log(folder, profile, AT, nobody)
    with log.journal as book:
        controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
        for event in inputs:
            controller.take(event)
        if book.unsigned:
            book.sign(AT)
        path = book.path
    return Journal(path)

"""``python -m tests.bench.games``: how many rounds a whole table plays of each game in a second of CPU time.

A croupier with plain equipment types what is drawn: law, scribe, journal (in memory, signed), listeners and the
simulated persons, and no device. What a device adds to it for baccarat, ``python -m tests.bench`` shows.
"""

import argparse
import os
import queue
import random
import tempfile
import time
from pathlib import Path
from typing import Final

from cardshoe.process import collector
from cardshoe.table.controller import Controller
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.terminal.statistics import Statistics
from regulations.events.inputs import Table
from sim.clock import VirtualClock
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits
from sim.plain.hands import plain_hands_at
from sim.players import Players
from tests.bench.law import SEED, table_of
from tests.bench.virtual_table import AT, MEMORY
from tests.regulations.support.kits import ENFORCED

DAY_S: Final = 24 * 3600.0


def rounds_per_s(table: Table, rounds: int, folder: Path) -> float:
    """Rounds of a table by the second of CPU time, from its first shuffle on.

    Args:
        table: its profile.
        rounds: to be played.
        folder: of the journal.
    """
    log = open_log(folder, table, AT, lambda _: None, resume=False)
    controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
    counted = Statistics()
    controller.listen(counted)
    clock = VirtualClock()
    croupier = PlainCroupier(
        plain_hands_at(table.equipment, table.decks, random.Random(SEED + 1), reads=True),
        CroupierTraits(
            say=controller.take,
            rng=random.Random(SEED),
            clock=clock,
            game=table.game,
            mistakes=0.0,
            players=Players(random.Random(SEED + 2), table.seats, game=table.game),
            pace=Pace(0),
            orders=HouseInstructions(games=None, rounds=rounds),
        ),
        equipment=table.equipment,
    )
    controller.listen(lambda taken: croupier.apply(taken.outputs))
    began = time.process_time()
    croupier.apply(log.last.outputs)
    with collector.between_rounds_only():
        clock.run_until(lambda: croupier.done, limit_s=DAY_S)
    seconds = time.process_time() - began
    log.journal.close()
    if counted.rounds < rounds:
        raise RuntimeError(f"{table.game}: {counted.rounds} rounds of {rounds} were played")
    return counted.rounds / seconds


def measure_games(rounds: int) -> dict[str, float]:
    """Rounds by the second of CPU time, by game.

    Args:
        rounds: of each.
    """
    in_memory = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
    figures = {}
    for game in ENFORCED:
        with tempfile.TemporaryDirectory(dir=in_memory) as folder:
            figures[game] = rounds_per_s(table_of(game), rounds, Path(folder))
    return figures


def main() -> None:
    """Plays each game; the last line is for programs."""
    parser = argparse.ArgumentParser(prog="tests.bench.games", description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="rounds of each game (default 300)")
    figures = measure_games(parser.parse_args().rounds)
    print("bench-games: " + " ".join(f"{game}={value:.0f}" for game, value in figures.items()))


if __name__ == "__main__":
    main()

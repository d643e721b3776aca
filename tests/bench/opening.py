"""The cost of taking up a table's log: ``python -m tests.bench.opening FOLDER [EVENTS]``.

Whole shoe games are played until the log has so many lines, and a few rounds of another one; then it is opened as
``cardshoe run`` opens it. The last line is for programs.
"""

import argparse
import queue
import tempfile
import time
from pathlib import Path
from typing import Final

from msgspec import structs

from cardshoe.table.controller import Controller
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from regulations.events.inputs import AnyInput, Table
from sim.croupier.instructions import HouseInstructions
from tests.sim.croupier.plain_table import PlainTable

AT: Final = "2026-11-21T00:00:00.000000Z"
SEED: Final = 20261121
TABLE: Final = Table(table_id="bench", game="baccarat", decks=8, seats=7, equipment="shoe")
EVENTS: Final = 1_000_000
OPEN_INPUTS: Final = 400
"""Inputs of the shoe game that is open at the end."""


def main() -> None:
    """Makes the log and opens it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where it is made and deleted again")
    parser.add_argument("events", type=int, nargs="?", default=EVENTS, help=f"lines of the log (default {EVENTS})")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        lines, shoes = make(Path(name), given.events)
        print(f"made: {lines} lines, {shoes} shoe games and an open one, seed {SEED}")
        wall_s, cpu_s, replayed, recovered = opened(Path(name))
    print(f"opening: events={lines} inputs={recovered} replayed={replayed} cpu_s={cpu_s:.2f} wall_s={wall_s:.2f}")


def make(folder: Path, events: int) -> tuple[int, int]:
    """Plays whole shoe games until there are so many lines, then the beginning of another one.

    Returns:
        Lines of the log, and whole shoe games.
    """
    shoe = shoe_game()
    log = open_log(folder, TABLE, AT, _nobody)
    with log.journal:
        controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
        shoes = 0
        while log.journal.last_seq < events:
            _play(controller, shoe)
            shoes += 1
        _play(controller, shoe[:OPEN_INPUTS])
        log.journal.sign(AT)
        return log.journal.last_seq, shoes


def opened(folder: Path) -> tuple[float, float, int, int]:
    """Opens the log: wall and CPU seconds, inputs that were replayed, inputs that there are."""
    wall_ns, cpu_ns = time.perf_counter_ns(), time.process_time_ns()
    log = open_log(folder, TABLE, AT, _nobody)
    spent = time.perf_counter_ns() - wall_ns, time.process_time_ns() - cpu_ns
    log.journal.close()
    return spent[0] / 1e9, spent[1] / 1e9, log.replayed, log.recovered


def shoe_game() -> list[AnyInput]:
    """The inputs of one whole shoe game without mistakes, from the shuffle to the count of what is left."""
    played = PlainTable(SEED, TABLE, orders=HouseInstructions(games=1))
    played.run()
    return [structs.replace(event, at=AT) for event, _ in played.log[1:-1]]


def _play(controller: Controller, inputs: list[AnyInput]) -> None:
    for event in inputs:
        taken = controller.take(event)
        if taken.is_refused or taken.prompt.do == "resolve":
            raise RuntimeError(f"{event} was answered {taken.outputs}")


def _nobody(_taken: LoggedInput) -> None:
    """No device remembers."""


if __name__ == "__main__":
    main()

"""Runs what takes minutes and prints one line for each part, the sum last: ``python -m tests.soak``.

A million events of a TDP device over a bad line (``tests/soak/tdp_game.py``): none lost, doubled or invented.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from cardshoe.process.progress import Progress
from tests.kit.campaign import CampaignCommand
from tests.soak.tdp_game import READY_S, Game, Tally

SEEDS: Final = 4
EVENTS: Final = 1_000_000


def main() -> int:
    """Run; returns 0 if every event was journalled once and the link was back in time, else 1."""
    command = CampaignCommand("soak", __doc__)
    command.option("--events", type=int, default=EVENTS, help=f"over {SEEDS} seeds together")
    command.option("--processes", type=int, default=2)
    options = command.begin()
    parts = [(options.seed + part, options.events // SEEDS) for part in range(SEEDS)]
    total, slowest_s = Tally(), 0.0
    with ProcessPoolExecutor(options.processes) as pool, Progress("soak", len(parts), unit="parts") as bar:
        for tally, ready_s, text in pool.map(_play, parts):
            bar.clear()
            command.say(text)
            total += tally
            slowest_s = max(slowest_s, ready_s)
            bar.step()
    return command.end(total, is_good=total.is_exactly_once and slowest_s <= READY_S)


def _play(part: tuple[int, int]) -> tuple[Tally, float, str]:
    seed, cards = part
    game = Game(seed, cards)
    began_s = time.process_time()
    game.play()
    tally, ready_s = game.tally, max(game.ready_s, default=0.0)
    line = game.line
    text = (
        f"seed {seed}: {tally} frames={line.frames} writes={line.writes} harmed={line.harmed} "
        f"stalls={game.stalls} restarts={sum(game.restarts)} sessions_lost={game.sessions_lost} "
        f"repeated={game.repeated} commands={len(game.answers)} ready_s_max={ready_s:.2f} "
        f"virtual_s={game.pair.now_s:.0f} cpu_s={time.process_time() - began_s:.0f}"
    )
    return tally, ready_s, text


if __name__ == "__main__":
    sys.exit(main())

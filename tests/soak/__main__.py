"""Runs what takes minutes and prints one line for each part, the sum last: ``python -m tests.soak``.

A million events of a TDP device over a bad line (``tests/soak/tdp_game.py``): none lost, doubled or invented.
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from cardshoe.process.progress import Progress
from tests.conftest import DEFAULT_SEED
from tests.soak.tdp_game import READY_S, Game, Tally

SEEDS: Final = 4
EVENTS: Final = 1_000_000


def main() -> int:
    """Run; returns 0 if every event was journalled once and the link was back in time, else 1."""
    options = _parser().parse_args()
    parts = [(options.seed + part, options.events // SEEDS) for part in range(SEEDS)]
    total, slowest_s = Tally(), 0.0
    with ProcessPoolExecutor(options.processes) as pool, Progress("soak", len(parts), unit="parts") as bar:
        for tally, ready_s, text in pool.map(_play, parts):
            bar.clear()
            print(text, flush=True)
            total += tally
            slowest_s = max(slowest_s, ready_s)
            bar.step()
    print(f"soak: {total}", flush=True)
    return 0 if total.is_exactly_once and slowest_s <= READY_S else 1


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS, help=f"over {SEEDS} seeds together")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="the first of them")
    parser.add_argument("--processes", type=int, default=2)
    return parser


if __name__ == "__main__":
    sys.exit(main())

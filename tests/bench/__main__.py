"""``make bench``: what a card costs, what durability costs, how fast a whole table plays, and how fast its link is.

Figures are CPU time and ratios taken in one run; ``docs/benchmarks.md`` keeps some with the machine they come from.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench.commit import measure_commit_ratio
from tests.bench.games import measure_games
from tests.bench.link import measure_link
from tests.bench.virtual_table import MEMORY, VirtualTable

SEED: Final = 20261121
NS_PER_US: Final = 1000
GAME_ROUNDS: Final = 300
"""Rounds of each game: ten seconds for all of them."""


def main() -> None:
    """Runs all of it; the last two lines are for programs."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--shoes", type=int, default=40, help="shoe games to play (default 40: some 16000 cards)")
    parser.add_argument("--commits", type=int, default=2700, help="commits to time (default 2700)")
    parser.add_argument("--folder", type=Path, default=Path(), help="a folder on the disk to measure (default: this)")
    parser.add_argument("--turns", type=int, default=5, help="blocks of each kind over the crossed line (default 5)")
    arguments = parser.parse_args()
    print(f"seed {SEED}, {os.cpu_count()} processors, {arguments.shoes} shoe games, {arguments.commits} commits")
    p50, p999 = _cards(arguments.shoes)
    rounds_per_s = _rounds(arguments.shoes)
    _rounds_alone(arguments.shoes)
    for game, rounds in measure_games(GAME_ROUNDS).items():
        print(f"rounds per CPU second, cards typed: {game:<20} {rounds:.0f}")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        commits = measure_commit_ratio(Path(folder), arguments.commits)
        exchanges = measure_link(Path(folder), turns=arguments.turns)
    for name, value in commits.items():
        print(f"commit {name:<28} {value:.4g}")
    for name, value in exchanges.items():
        print(f"link {name:<30} {value:.4g}")
    print(
        f"bench: card_cpu_us_p50={p50:.1f} card_cpu_us_p999={p999:.1f} "
        f"commit_ratio={commits['ratio']:.2f} rounds_per_s={rounds_per_s:.0f}"
    )
    print(f"bench-link: ratio_normal={exchanges['ratio_normal']:.2f} ratio_full={exchanges['ratio_full']:.2f}")


def _in_memory() -> Path | None:
    return MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None


def _cards(shoes: int) -> tuple[float, float]:
    """CPU per card in microseconds, median and 99.9th percentile, without the disk."""
    if _in_memory() is None:
        print("no file system in memory here: the figures per card include the kernel's part of a sync")
    with tempfile.TemporaryDirectory(dir=_in_memory()) as folder:
        table = VirtualTable(Path(folder), SEED, shoes)
        table.play()
    costs = sorted(table.card_cpu_ns)
    p50 = statistics.median(costs) / NS_PER_US
    p999 = costs[min(int(len(costs) * 0.999), len(costs) - 1)] / NS_PER_US
    print(f"cards {len(costs)}: CPU from bytes to journalled verdict, three copies of each telegram")
    for name, at in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)):
        print(f"  {name:<6} {costs[min(int(len(costs) * at), len(costs) - 1)] / NS_PER_US:8.1f} us")
    return p50, p999


def _rounds(shoes: int) -> float:
    """Rounds of baccarat per second of wall time, in a run in which no card is timed: the clock is a system call."""
    with tempfile.TemporaryDirectory(dir=_in_memory()) as folder:
        table = VirtualTable(Path(folder), SEED, shoes, times_cards=False)
        began = time.perf_counter()
        table.play()
        seconds = time.perf_counter() - began
    print(f"rounds {table.rounds} in {seconds:.1f} s, simulator and croupier included")
    return table.rounds / seconds


def _rounds_alone(shoes: int) -> None:
    """The same of a table that is told what another was told as it played: without simulator and croupier."""
    with tempfile.TemporaryDirectory(dir=_in_memory()) as folder:
        (Path(folder) / "played").mkdir()
        playing = VirtualTable(Path(folder) / "played", SEED, shoes, times_cards=False)
        playing.told = []
        playing.play()
        table = VirtualTable(Path(folder) / "alone", SEED, shoes, times_cards=False)
        began = time.perf_counter()
        table.take_again(playing.told)
        seconds = time.perf_counter() - began
    print(f"rounds {table.rounds} in {seconds:.1f} s, the table alone: {table.rounds / seconds:.0f} a second")


if __name__ == "__main__":
    main()

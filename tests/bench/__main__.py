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
from tests.bench.link import measure_link
from tests.bench.virtual_table import VirtualTable

SEED: Final = 20261121
MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a file system without a disk under it: a sync there costs nothing
NS_PER_US: Final = 1000


def main() -> None:
    """Runs all of it; the last two lines are for programs."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--shoes", type=int, default=40, help="shoe games to play (default 40: some 16000 cards)")
    parser.add_argument("--commits", type=int, default=2700, help="commits to time (default 2700)")
    parser.add_argument("--folder", type=Path, default=Path(), help="a folder on the disk to measure (default: this)")
    parser.add_argument("--turns", type=int, default=5, help="blocks of each kind over the crossed line (default 5)")
    arguments = parser.parse_args()
    print(f"seed {SEED}, {os.cpu_count()} processors, {arguments.shoes} shoe games, {arguments.commits} commits")
    p50, p999, rounds_per_s = _cards(arguments.shoes)
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


def _cards(shoes: int) -> tuple[float, float, float]:
    """CPU per card in microseconds, median and 99.9th percentile, without the disk; rounds per second of wall time."""
    on_memory = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
    if on_memory is None:
        print("no file system in memory here: the figures per card include the kernel's part of a sync")
    with tempfile.TemporaryDirectory(dir=on_memory) as folder:
        table = VirtualTable(Path(folder), SEED, shoes)
        began = time.perf_counter()
        table.play()
        seconds = time.perf_counter() - began
    costs = sorted(table.card_cpu_ns)
    p50 = statistics.median(costs) / NS_PER_US
    p999 = costs[min(int(len(costs) * 0.999), len(costs) - 1)] / NS_PER_US
    print(f"cards {len(costs)}: CPU from bytes to journalled verdict, three copies of each telegram")
    for name, at in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)):
        print(f"  {name:<6} {costs[min(int(len(costs) * at), len(costs) - 1)] / NS_PER_US:8.1f} us")
    print(f"rounds {table.rounds} in {seconds:.1f} s, simulator and croupier included")
    return p50, p999, table.rounds / seconds


if __name__ == "__main__":
    main()

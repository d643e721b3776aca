"""``python -m tests.soak.corrections``: random rounds of each game, corrected and compared with a fresh table."""

import argparse
import sys
import time
from collections import Counter
from random import Random

from cardshoe.process.progress import Progress
from regulations.events.codec import encode
from tests.conftest import DEFAULT_SEED
from tests.soak.corrections.play import Play
from tests.soak.corrections.tables import KINDS, TABLES

ROUNDS = 20_000


def run(game: str, rounds: int, seed: int) -> Counter[str]:
    """Plays so many rounds of a game; prints the script of each table that shows a fault."""
    tally: Counter[str] = Counter()
    bar = Progress(game, rounds, unit="rounds")
    table = 0
    while tally["rounds"] < rounds:
        bar.reached(tally["rounds"])
        table += 1
        play = Play(game, Random(f"{seed} {game} {table}"), tally)
        try:
            play.play()
        except Exception as fault:  # noqa: BLE001  whatever it is, it is a fault of the table
            tally["faults"] += 1
            bar.clear()
            print(f"fault: game={game} seed={seed} table={table} {type(fault).__name__}: {fault}", flush=True)
            if tally["faults"] <= SHOWN:
                for event in (play.profile, *play.live.given):
                    print(encode(event).decode(), flush=True)
    bar.clear()
    return tally


SHOWN = 3
"""Scripts printed at most."""


def line_of(game: str, tally: Counter[str], cpu_s: float, seed: int) -> str:
    """The line for programs."""
    named = (
        "rounds",
        "compared",
        "run_again",
        "run_again_blocked",
        "unchanged",
        "corrected",
        "refused",
        *KINDS,
        "apart",
        "faults",
    )
    counts = " ".join(f"{name}={tally[name]}" for name in named if name not in TABLES[game].cannot)
    return f"corrections: game={game} {counts} cpu_s={cpu_s:.1f} seed={seed}"


def missing(game: str, tally: Counter[str]) -> list[str]:
    """List what never happened and should have."""
    wanted = {"run_again", "run_again_blocked", "unchanged", "corrected", "refused", *KINDS} - TABLES[game].cannot
    return sorted(name for name in wanted if not tally[name])


def main() -> int:
    """Run; returns 0 if every table stood as the fresh one and everything has happened, else 1."""
    parser = argparse.ArgumentParser(prog="tests.soak.corrections", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each game")
    parser.add_argument("--game", choices=list(TABLES))
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    options = parser.parse_args()
    good = True
    for game in [options.game] if options.game else TABLES:
        began = time.process_time()
        tally = run(game, options.rounds, options.seed)
        print(line_of(game, tally, time.process_time() - began, options.seed), flush=True)
        never = missing(game, tally)
        if never:
            print(f"corrections: game={game} never happened: {', '.join(never)}", flush=True)
        good = good and not never and not tally["faults"]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

"""``python -m tests.soak.corrections``: random rounds of each game, corrected and compared with a fresh table."""

import sys
from collections import Counter
from random import Random

from cardshoe.process.progress import Progress
from regulations.events.codec import encode
from tests.kit.campaign import CampaignCommand
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


def line_of(game: str, tally: Counter[str]) -> str:
    """The figures of a game."""
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
    return f"game={game} {counts}"


def missing(game: str, tally: Counter[str]) -> list[str]:
    """List what never happened and should have."""
    wanted = {"run_again", "run_again_blocked", "unchanged", "corrected", "refused", *KINDS} - TABLES[game].cannot
    return sorted(name for name in wanted if not tally[name])


def main() -> int:
    """Run; returns 0 if every table stood as the fresh one and everything has happened, else 1."""
    command = CampaignCommand("corrections", __doc__)
    command.option("--rounds", type=int, default=ROUNDS, help="of each game")
    command.option("--game", choices=list(TABLES))
    options = command.begin()
    faults = 0
    for game in [options.game] if options.game else TABLES:
        tally = run(game, options.rounds, options.seed)
        command.say(line_of(game, tally))
        never = missing(game, tally)
        if never:
            command.say(f"game={game} never happened: {', '.join(never)}")
        faults += len(never) + tally["faults"]
    return command.end(f"rounds={options.rounds} faults={faults}", is_good=not faults)


if __name__ == "__main__":
    sys.exit(main())

"""``make powercut``: the power is cut at every point of a table's life, and the process killed at every named point.

The last line is for programs; the exit code is 1 if anything acknowledged was lost, or the harness is blind.
``docs/reliability.md`` keeps the figures of one run.
"""

import argparse
import logging
import os
import sys
from typing import Final

from tests.powercut.campaign import ALL_GAMES, Plan, run
from tests.powercut.kills import kill_cycles

SEED: Final = 20040055
STATES: Final = 100_000
KILLS: Final = 1500


def main() -> int:
    """Runs the campaign; the exit code."""
    parser = argparse.ArgumentParser(prog="make powercut", description=__doc__)
    parser.add_argument("--states", type=int, default=STATES, help=f"crash states (default {STATES}; 0: no power cuts)")
    parser.add_argument("--kills", type=int, default=KILLS, help=f"processes to kill (default {KILLS}; 0: none)")
    parser.add_argument("--rounds", type=int, help="only so many rounds of each game, not a whole shoe game")
    parser.add_argument("--game", action="append", choices=ALL_GAMES, help="only this game; may be given again")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of cards, tears and kills (default {SEED})")
    arguments = parser.parse_args()
    logging.disable(logging.ERROR)  # that the disk is nearly full is what is played here
    good = True
    if arguments.kills:
        kills = kill_cycles(arguments.kills, arguments.seed, _say)
        _say(kills.summary())
        good = kills.is_good
    if arguments.states:
        plan = Plan(
            games=arguments.game or ALL_GAMES, states=arguments.states, rounds=arguments.rounds, seed=arguments.seed
        )
        outcome = run(plan, _say)
        for line in outcome.tally.described:
            _say(line)
        _say(f"{outcome.tally.prefixes} points in time, seed {arguments.seed}")
        _write(outcome.summary())
        good = good and outcome.is_good
    return 0 if good else 1


def _say(line: str) -> None:
    _write(f"{sum(os.times()[:4]):7.1f} s  {line}")  # CPU, with that of the killed


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

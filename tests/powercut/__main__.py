"""``make powercut``: the power is cut at every point of a table's life, and the process killed at every named point.

The last line is for programs; the exit code is 1 if anything acknowledged was lost, or the harness is blind.
``docs/reliability.md`` keeps the figures of one run.
"""

import logging
import sys
from typing import Final

from tests.kit.campaign import CampaignCommand
from tests.powercut.campaign import ALL_GAMES, Plan, run
from tests.powercut.kills import kill_cycles

SEED: Final = 20040055
STATES: Final = 100_000
KILLS: Final = 1500


def main() -> int:
    """Runs the campaign; the exit code."""
    command = CampaignCommand("powercut", __doc__, seed=SEED)
    command.option("--states", type=int, default=STATES, help=f"crash states (default {STATES}; 0: no power cuts)")
    command.option("--kills", type=int, default=KILLS, help=f"processes to kill (default {KILLS}; 0: none)")
    command.option("--rounds", type=int, help="only so many rounds of each game, not a whole shoe game")
    command.option("--game", action="append", choices=ALL_GAMES, help="only this game; may be given again")
    arguments = command.begin()
    logging.disable(logging.ERROR)  # that the disk is nearly full is what is played here

    def say(line: str) -> None:
        command.say(f"{command.cpu_s:7.1f} s  {line}")

    good, figures = True, "states=0"
    if arguments.kills:
        kills = kill_cycles(arguments.kills, arguments.seed, say)
        say(kills.summary())
        good = kills.is_good
    if arguments.states:
        plan = Plan(
            games=arguments.game or ALL_GAMES, states=arguments.states, rounds=arguments.rounds, seed=arguments.seed
        )
        outcome = run(plan, say)
        for line in outcome.tally.described:
            say(line)
        say(f"{outcome.tally.prefixes} points in time")
        good, figures = good and outcome.is_good, outcome.summary()
    return command.end(figures, is_good=good)


if __name__ == "__main__":
    sys.exit(main())

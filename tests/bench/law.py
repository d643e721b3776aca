"""``python -m tests.bench.law``: what the law alone costs, an event at a time, in each game.

Whole shoe games are played once; their events are then given to fresh tables, and what the regulation spends on them is
counted in CPU time. In the same run a trigger of a plain ``transitions`` machine is timed, as a measure of the machine.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Final

from transitions import Machine

from regulations.events.inputs import AnyInput, CardDrawn, RoundClosed, Table
from regulations.procedure.procedure import Procedure
from sim.croupier.instructions import HouseInstructions
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded
from tests.sim.croupier.plain_table import PlainTable

SEED: Final = 20261121
TURNS: Final = 5
"""Of each measurement the best turn counts: what else the machine does only adds."""
TRIGGERS: Final = 2000
US_PER_S: Final = 1e6


def main() -> None:
    """Run; the last line is for programs."""
    parser = argparse.ArgumentParser(prog="tests.bench.law", description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="rounds of each game (default 300)")
    arguments = parser.parse_args()
    figures = {"plain_trigger": _best(_plain_triggers) / TRIGGERS * US_PER_S}
    print(f"seed {SEED}; a trigger of a plain machine of the library: {figures['plain_trigger']:.1f} us")
    for game in ENFORCED:
        events = events_of(table_of(game), arguments.rounds)
        seconds = _best(lambda given=events: _give(given))  # type: ignore[misc]  # the default binds the loop's value
        rounds = sum(isinstance(event, RoundClosed) for event in events)
        cards = sum(isinstance(event, CardDrawn) for event in events)
        figures[game] = seconds / len(events) * US_PER_S
        print(
            f"{game:<20} {len(events):6} events {cards:6} cards {rounds:5} rounds"
            f" {figures[game]:6.1f} us an event {rounds / seconds:7.0f} rounds/s"
        )
    print("bench-law: " + " ".join(f"{name}_us={value:.1f}" for name, value in figures.items()))


def table_of(game: str) -> Table:
    """The table of a game whose law is measured."""
    table = decoded(profile(game=game))
    assert isinstance(table, Table)
    return table


def events_of(table: Table, rounds: int) -> Sequence[AnyInput]:
    """All that a table with a simulated croupier was told in so many rounds; its profile first."""
    played = PlainTable(SEED, table, orders=HouseInstructions(games=None, rounds=rounds), reads=True)
    played.run()
    return [event for event, _ in played.log]


def _give(events: Sequence[AnyInput]) -> None:
    table, *others = events
    assert isinstance(table, Table)
    procedure = Procedure(table)
    for event in others:
        procedure.apply(event)


def _plain_triggers() -> None:
    machine = Machine(
        states=["a", "b"], initial="a", auto_transitions=False, transitions=[["go", "a", "b"], ["go", "b", "a"]]
    )
    go: Callable[[], bool] = machine.go
    for _ in range(TRIGGERS):
        go()


def _best(work: Callable[[], None]) -> float:
    """CPU seconds of its best turn."""
    spent = []
    for _ in range(TURNS):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


if __name__ == "__main__":
    main()

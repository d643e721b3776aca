"""Whatever anybody says at any time, each game answers it, its log replays, and a table taken up goes on alike."""

from collections import Counter
from dataclasses import replace
from typing import Final

import msgspec
import pytest

from regulations.events.codec import INPUTS
from regulations.events.errors import RegulationBug
from regulations.events.inputs import Table
from regulations.games.registry import GAMES
from regulations.play.context.snapshot import Snapshot
from regulations.procedure.procedure import Procedure
from tests.kit.length import at_length
from tests.property.odd_inputs import play, resumed

INPUTS_EACH: Final = at_length(2_000, 200_000)
NEEDED: Final = {"refused", "irregularity", "resolved", "dealt", "result", "voided", "shoe_over", "taken up"}
"""What must have happened at the tables of each game."""


@pytest.mark.statistical
@pytest.mark.parametrize("game", GAMES)
def test_each_game_answers_whatever_it_is_told(game: str, seed: int) -> None:
    tally = play(game, INPUTS_EACH, seed)
    print(game, shown(tally))  # noqa: T201  shown with -s, or when the test fails
    assert {name for name in NEEDED if not tally[name]} == set()
    assert {name for name in INPUTS if not tally[f"told {name}"]} == set()


def shown(tally: Counter[str]) -> str:
    return " ".join(f"{name}={tally[name]}" for name in ("inputs", "tables", "malformed", *sorted(NEEDED)))


def test_a_state_without_an_answer_is_found(seed: int) -> None:
    """A rule is taken out by which an input is answered that is odd there."""
    rulebook = GAMES["casino_war"].rulebook
    lame = replace(rulebook, round=[row for row in rulebook.round if row.id != "decision@idle+"])
    assert len(lame.round) == len(rulebook.round) - 1
    with pytest.raises(RegulationBug, match="decision"):
        play("casino_war", 20_000, seed, rulebook=lame)


def forgetful(table: Table, snapshot: Snapshot, lines: int) -> Procedure:
    """Takes a table up with the number of its rounds forgotten."""
    return resumed(table, msgspec.structs.replace(snapshot, round_no=0), lines)


def test_a_table_that_goes_on_otherwise_is_found(seed: int) -> None:
    with pytest.raises(AssertionError):
        play("casino_war", 5_000, seed, resume=forgetful)

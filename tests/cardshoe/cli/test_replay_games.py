"""`cardshoe replay` plays scripts of whole shoe games of every game, with irregularities and refusals in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from regulations.events.codec import encode
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import GAMES
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.cli.support import answered, cardshoe
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import materials, profile

ROUNDS = 24
"""Where one deck is in play, or no stack ends by itself; elsewhere a whole shoe game."""
MISTAKES = 0.08


def script_of(game: Game, kind: EquipmentKind, seed: int) -> list[str]:
    """The inputs of a shoe game, or several, with a careless croupier and people who interfere."""
    is_short = kind == "shuffler_dealer" or GAMES[game].law.equipment[kind].decks == (1, 1)
    orders = HouseInstructions(games=None, rounds=ROUNDS) if is_short else HouseInstructions(games=1)
    table = PlainTable(
        seed,
        profile(game, kind, {}),
        mistakes=MISTAKES,
        orders=orders,
        reads=True,
        strategy="random",
        interference=0.03,
    )
    table.run()
    return [encode(event).decode() for event, _ in table.log]


@pytest.mark.parametrize(("game", "kind"), materials(), ids=str)
def test_a_script_is_answered_by_what_stands_in_it_alone(
    game: Game, kind: EquipmentKind, seed: int, tmp_path: Path
) -> None:
    lines = script_of(game, kind, seed)
    script = tmp_path / f"{game}.jsonl"
    script.write_text("\n".join(lines) + "\n")
    # In two processes: each has its own hash seed, and its own time.
    first, second = answered("replay", script), cardshoe("replay", script, environment={"PYTHONHASHSEED": "7"})
    assert (first.returncode, first.stderr) == (0, b"")
    assert first.stdout == second.stdout
    outputs: list[dict[str, Any]] = [json.loads(line) for line in first.stdout.splitlines()]
    names = [output["event"] for output in outputs]
    assert names.count("next") == len(lines)
    assert names[-1] == "next"
    assert [output["seq"] for output in outputs] == list(range(1, len(outputs) + 1))
    assert all(output.get("article") for output in outputs if output["event"] != "next")
    assert {"result", "settled", "shoe_over", "irregularity", "refused"} <= set(names)
    strict = answered("replay", "--strict", script)
    assert strict.returncode == 3
    assert first.stdout.startswith(strict.stdout)

"""Shoe games by touches alone, in every game, with stakes and without: from the sign-in to the closed table."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser

from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import NAMES
from sim.croupier.instructions import HouseInstructions
from tests.e2e.playing import CROUPIER, SUPERVISOR, Playing
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, stage
from tests.sim.croupier.profiles import profile

pytestmark = NEEDS_CHROMIUM
SHORT: Final[list[tuple[Game, EquipmentKind, str]]] = [
    ("casino_war", "shoe", "untracked"),
    ("three_card_baccarat", "box", "tracked"),
]
"""Rounds of the other games by touches alone: ``test_person_sized.py``, ``test_states.py``, ``test_touches.py``."""
ALL: Final[list[tuple[Game, EquipmentKind, str]]] = [
    (game, "box" if game == "three_card_baccarat" else "shoe", stakes)
    for game in NAMES
    for stakes in ("tracked", "untracked")
]


@pytest.mark.timeout(3600 if LONG else 120)
@pytest.mark.parametrize(("game", "equipment", "stakes"), ALL if LONG else SHORT)
def test_a_shoe_game_is_played_by_touches_alone(
    tmp_path: Path, browser: Browser, seed: int, game: Game, equipment: EquipmentKind, stakes: str
) -> None:
    table = profile(game, equipment, {"stakes": stakes})
    with stage(tmp_path, table, browser) as shown:
        persons = (CROUPIER, SUPERVISOR)
        playing = Playing(shown, table, seed, HouseInstructions(games=1, rounds=None if LONG else 1, persons=persons))
        playing.play()
        assert shown.faults == []
        assert playing.croupier.rounds_played >= 1
        assert shown.table.view.phase == "closed"

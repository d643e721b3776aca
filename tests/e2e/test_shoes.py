"""Shoe games by touches alone, in every game, with stakes and without: from the sign-in to the closed table."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser

from regulations.events.vocabulary import EquipmentKind, Game
from sim.croupier.instructions import HouseInstructions
from tests.e2e.playing import CROUPIER, SUPERVISOR, Playing
from tests.e2e.stage import LONG, NEEDS_CHROMIUM, stage
from tests.sim.croupier.profiles import profile

pytestmark = NEEDS_CHROMIUM
SHORT: Final[list[tuple[Game, EquipmentKind, str]]] = [
    ("baccarat", "shoe", "untracked"),
    ("casino_war", "shoe", "untracked"),
    ("q_poker", "shoe", "untracked"),
    ("three_card_baccarat", "box", "tracked"),
]
ALL: Final[list[tuple[Game, EquipmentKind, str]]] = [
    (game, equipment, stakes)
    for game, equipment, _ in [*SHORT, ("blackjack", "shoe", "")]
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

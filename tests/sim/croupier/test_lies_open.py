"""Law and sheet agree on which cards are laid face up, in every game on every equipment."""

from typing import Any

import pytest

from regulations.events.inputs import CardDrawn, Decision
from regulations.events.outputs import Dealt, Next, Refused
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import SHEETS
from sim.croupier.instructions import HouseInstructions
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import materials, profile

OTHERS = [("baccarat", "shoe", {"deal": "face_down"}), ("blackjack", "shoe", {"procedure": "second"})]


@pytest.mark.parametrize(("game", "kind", "options"), [*((*one, {}) for one in materials()), *OTHERS])
def test_a_card_is_told_if_and_only_if_the_sheet_lays_it_face_up(
    game: Game, kind: EquipmentKind, options: dict[str, Any]
) -> None:
    played = PlainTable(
        7, profile(game, kind, options), orders=HouseInstructions(games=None, rounds=40), reads=True, strategy="random"
    )
    played.run()
    layout, split, laid = SHEETS[game].layout, set[int](), 0
    opening = played.log[0][1][-1]
    assert isinstance(opening, Next)
    assert isinstance(opening.options, dict)
    for event, answer in played.log:
        if isinstance(event, Decision) and event.action == "split" and not isinstance(answer[0], Refused):
            split.add(event.seat)
        dealt = [one for one in answer if isinstance(one, Dealt)] if isinstance(event, CardDrawn) else []
        for one in dealt:
            laid += 1
            shown = layout.lies_open(one.to, one.position, opening.options, kind, one.seat in split)
            assert (one.card is not None) == shown, one
        if isinstance(answer[-1], Next) and answer[-1].do == "close_round":
            split.clear()
    assert laid > 40

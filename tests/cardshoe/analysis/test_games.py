"""Shoes that are read from the logs of simulated games, with mistakes and corrections: no face is ever wrong."""

import json
from typing import Any

import pytest

from cardshoe.analysis.lines import shoes_of
from cardshoe.analysis.order import UNKNOWN
from cardshoe.analysis.shoe import RETURNED
from regulations.events.cards import DECK
from regulations.events.codec import encode
from regulations.events.vocabulary import EquipmentKind, Game
from sim.croupier.instructions import HouseInstructions
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import materials, profile

ROUNDS = 12
Said = dict[str, Any]


@pytest.mark.parametrize("mistakes", [0.0, 0.1])
@pytest.mark.parametrize(("game", "kind"), materials())
def test_faces_are_those_of_the_cards(seed: int, game: Game, kind: EquipmentKind, mistakes: float) -> None:
    orders = HouseInstructions(games=None, rounds=ROUNDS)
    table = PlainTable(seed, profile(game, kind, {}), orders=orders, mistakes=mistakes)
    table.run()
    answers: list[list[Said]] = [
        [json.loads(encode(event)), *(json.loads(encode(output)) for output in outputs)] for event, outputs in table.log
    ]
    drawn = iter([DECK.index(out.card) for out in table.hands.history])
    true: list[list[int]] = []
    for said in answers:
        if said[0]["event"] == "loaded" and all(one["event"] != "refused" for one in said[1:]):
            true.append([])
        elif said[0]["event"] == "card":
            true[-1].append(next(drawn))
    shoes = list(shoes_of(iter(answers)))
    assert len(shoes) == len(true)
    for shoe, cards in zip(shoes, true, strict=True):
        faces = [face for face in shoe.faces() if face != RETURNED]
        # A card that comes out behind the end of the shoe game is in none.
        assert len(faces) == len(cards) if not mistakes else len(faces) <= len(cards)
        known = [(face, card) for face, card in zip(faces, cards, strict=False) if face != UNKNOWN]
        assert [face for face, _ in known] == [card for _, card in known]
        assert mistakes or len(known) >= len(cards) - 8 - ROUNDS  # burned at first, and one a round

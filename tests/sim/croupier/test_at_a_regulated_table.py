"""Whole shoe games under the real regulation: the croupier never deadlocks, and no card is lost or made."""

import pytest

from sim.croupier.instructions import HouseInstructions
from tests.sim.croupier.regulated import PROFILES, Mishaps, RegulatedTable, profile, settings


def test_the_shoe_and_the_regulation_agree_on_every_card_of_a_croupier_without_fault(seed: int) -> None:
    for options in PROFILES.values():
        orders = HouseInstructions(games=2, demonstrations=3)
        table = RegulatedTable(seed, profile(options), orders=orders, settings=settings(options))
        table.run()
        assert table.croupier.stuck is None
        assert table.codes == {}
        assert table.refusals == {}
        assert table.croupier.games_played == 2
        assert table.croupier.rounds_played > 100
        assert table.hands.cards_are_complete
        assert table.procedure.is_closed


@pytest.mark.parametrize("mistakes", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("name", PROFILES)
def test_a_croupier_with_faults_gets_through_a_shoe(seed: int, name: str, mistakes: float) -> None:
    options = PROFILES[name]
    table = RegulatedTable(seed, profile(options), mistakes=mistakes, settings=settings(options))
    table.run()
    assert table.croupier.stuck is None
    assert table.croupier.games_played == 1
    assert table.croupier.rounds_played > 20
    assert set(table.refusals) <= {"burn_missing"}
    assert table.croupier.mistakes_made.total() > 0
    assert table.hands.cards_are_complete


def test_over_some_shoes_he_makes_every_mistake(seed: int) -> None:
    table = RegulatedTable(seed, profile({"deal": "face_down"}), mistakes=0.3, orders=HouseInstructions(games=4))
    table.run()
    made = table.croupier.mistakes_made
    assert all(made[kind] for kind in ("extra_card", "early_card", "forgotten_burn", "pushed_back", "wrong_button"))


def test_rounds_are_limited(seed: int) -> None:
    table = RegulatedTable(seed, profile({}), orders=HouseInstructions(games=None, rounds=5))
    table.run()
    assert table.croupier.rounds_played == 5
    assert table.procedure.is_closed


def test_the_same_seed_plays_the_same_game(seed: int) -> None:
    played = []
    for _ in range(2):
        table = RegulatedTable(seed, profile({}), mistakes=0.1)
        table.run()
        played.append((table.hands.felt.rack, table.codes, table.clock.now_s(), table.croupier.mistakes_made))
    assert played[0] == played[1]


@pytest.mark.parametrize("number", range(24))
def test_whatever_happens_he_comes_to_an_end_and_every_card_is_there(seed: int, number: int) -> None:
    options = list(PROFILES.values())[number % len(PROFILES)]
    table = RegulatedTable(
        seed + number,
        profile(options),
        mistakes=[0.0, 0.1][number % 2],
        orders=HouseInstructions(games=1, rounds=[None, 30][number // 2 % 2]),
        settings=settings(options, error_before_card=number % 4 == 0),
        mishap=Mishaps(seed + number, [0.002, 0.02, 0.1][number % 3]),
    )
    table.run()
    assert table.croupier.stuck is None
    assert table.hands.cards_are_complete
    assert table.procedure.is_closed

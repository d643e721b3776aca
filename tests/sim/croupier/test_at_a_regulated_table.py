"""Whole shoe games under the real regulation: the croupier never deadlocks, and no card is lost or made."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from protocols.angel_eye.messages import ErrorCode
from regulations.events.inputs import Authorisation, Misdeal, Table, Void
from sim.angel_eye.settings import ShoeSettings
from sim.croupier.orders import Orders
from tests.sim.croupier.regulated import RegulatedTable

PROFILES: dict[str, dict[str, Any]] = {
    "plain": {},
    "face down": {"deal": "face_down"},
    "next round": {"deal": "face_down", "overdrawn_card": "next_round"},
    "round burn": {"round_burn": True},
    "one more": {"after_cut_card": "one_more"},
    "first card": {"initial_burn": "first_card_value"},
}


def profile(options: dict[str, Any]) -> Table:
    return Table(
        table_id="B-101",
        game="baccarat",
        decks=8,
        seats=7,
        equipment="shoe",
        options=options,
        authorisations=[
            Authorisation(option=name, value=value, reference="1", requested="2024-01-02", effective="2024-02-01")
            for name, value in options.items()
        ],
        at="2025-01-06T12:00:00.000000Z",
    )


def settings(options: dict[str, Any], *, error_before_card: bool = False) -> ShoeSettings:
    return ShoeSettings(
        initial_burn=options.get("initial_burn", "per_deck"),
        round_burn=options.get("round_burn", False),
        error_before_card=error_before_card,
    )


def test_the_shoe_and_the_regulation_agree_on_every_card_of_a_croupier_without_fault(seed: int) -> None:
    for options in PROFILES.values():
        orders = Orders(games=2, demonstrations=3)
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
    table = RegulatedTable(seed, profile({"deal": "face_down"}), mistakes=0.3, orders=Orders(games=4))
    table.run()
    made = table.croupier.mistakes_made
    assert all(made[kind] for kind in ("extra_card", "early_card", "forgotten_burn", "pushed_back", "wrong_button"))


def test_rounds_are_limited(seed: int) -> None:
    table = RegulatedTable(seed, profile({}), orders=Orders(games=None, rounds=5))
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


class Mishaps:
    """Anything that can happen to a table, at random."""

    def __init__(self, seed: int, rate: float) -> None:
        self._rng = random.Random(seed)
        self._rate = rate

    def __call__(self, table: RegulatedTable) -> None:
        if self._rng.random() < self._rate:
            self._rng.choice(self._acts(table))()

    def _acts(self, table: RegulatedTable) -> list[Callable[[], object]]:
        rng, shoe, clock = self._rng, table.hands.shoe, table.clock
        void = Void(ground="misdeal", reason="a person asks", by=[1, 2])
        misdeal = Misdeal(detail="a person says so")
        return [
            lambda: shoe.fail_next_read(rng.choice([ErrorCode.CANNOT_READ, ErrorCode.CARD_CODE])),
            lambda: shoe.misread_next("AS"),
            shoe.double_feed_next,
            *[lambda: shoe.drop_telegrams(rng.randrange(1, 3))] * 2,
            shoe.power_cycle,
            shoe.power_off,
            lambda: shoe.turn_key(locked=True),
            lambda: shoe.fault(rng.choice([1, 4, 5, 6, 9, 40])),
            lambda: shoe.is_card_half_out or shoe.start_draw(),
            shoe.force_end,
            lambda: shoe.set_setting_mode(on=True),
            shoe.stand_by,
            lambda: clock.call_later(0.01, lambda: table.apply(void)),
            lambda: clock.call_later(0.01, lambda: table.apply(misdeal)),
            lambda: table.unplug(for_s=rng.choice([3.0, 30.0, 300.0])),
        ]


@pytest.mark.parametrize("number", range(24))
def test_whatever_happens_he_comes_to_an_end_and_every_card_is_there(seed: int, number: int) -> None:
    options = list(PROFILES.values())[number % len(PROFILES)]
    table = RegulatedTable(
        seed + number,
        profile(options),
        mistakes=[0.0, 0.1][number % 2],
        orders=Orders(games=1, rounds=[None, 30][number // 2 % 2]),
        settings=settings(options, error_before_card=number % 4 == 0),
        mishap=Mishaps(seed + number, [0.002, 0.02, 0.1][number % 3]),
    )
    table.run()
    assert table.croupier.stuck is None
    assert table.hands.cards_are_complete
    assert table.procedure.is_closed

"""Whole games of every kind from plain equipment under the real regulation: each comes to its end, nothing is lost."""

from typing import Any, get_args

import pytest

from regulations.events.inputs import CardDrawn, CutCard
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import GAMES
from sim.croupier.instructions import HouseInstructions
from sim.players import Strategy
from tests.kit.length import at_length
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import materials, profile, variants

ROUNDS = 10
SOME = HouseInstructions(games=None, rounds=ROUNDS)
ENDS_BY_CUT_CARD = [
    (game, kind)
    for game, kind in materials()
    if (law := GAMES[game].law).has_cut_card(kind, (decks := profile(game, kind, {}).decks))
    and not law.serves_one_round(kind, decks)
]


def assert_in_order(table: PlainTable) -> None:
    assert table.croupier.stuck is None, table.tail()
    assert table.procedure.is_closed
    assert table.hands.cards_are_complete
    assert table.cashier.faults == []
    assert table.cashier.carried == {}


@pytest.mark.parametrize("strategy", get_args(Strategy))
@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize(("game", "kind"), materials())
def test_a_croupier_without_fault_is_never_refused(
    seed: int, game: Game, kind: EquipmentKind, *, reads: bool, strategy: Strategy
) -> None:
    for number in range(at_length(1, 2)):
        table = PlainTable(seed + number, profile(game, kind, {}), orders=SOME, reads=reads, strategy=strategy)
        table.run()
        assert_in_order(table)
        assert (table.refusals, table.codes) == ({}, {}), table.tail()
        assert table.croupier.rounds_played == table.results == ROUNDS
        assert not (reads and unread(table))


def unread(table: PlainTable) -> list[CardDrawn]:
    return [event for event, _ in table.log if isinstance(event, CardDrawn) and event.card is None]


@pytest.mark.parametrize(("game", "kind", "options"), variants())
def test_every_value_of_every_option_is_dealt(
    seed: int, game: Game, kind: EquipmentKind, options: dict[str, Any]
) -> None:
    for strategy in get_args(Strategy):
        table = PlainTable(seed, profile(game, kind, options), orders=SOME, strategy=strategy)
        table.run()
        assert_in_order(table)
        assert (table.refusals, table.codes) == ({}, {}), table.tail()


@pytest.mark.parametrize("mistakes", [0.05, 0.3])
@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize(("game", "kind"), materials())
def test_a_croupier_with_faults_comes_to_an_end(
    seed: int, game: Game, kind: EquipmentKind, mistakes: float, *, reads: bool
) -> None:
    for number in range(2):
        table = PlainTable(
            seed + number,
            profile(game, kind, {}),
            orders=SOME,
            mistakes=mistakes,
            reads=reads,
            strategy=get_args(Strategy)[number % 2],
        )
        table.run()
        assert_in_order(table)
        # One in twenty may miss ten short rounds.
        assert table.croupier.mistakes_made.total() > 0 or mistakes < 0.3


@pytest.mark.parametrize(("game", "kind"), ENDS_BY_CUT_CARD)
def test_a_shoe_game_ends_by_its_cut_card_and_the_next_begins(seed: int, game: Game, kind: EquipmentKind) -> None:
    table = PlainTable(seed, profile(game, kind, {}), orders=HouseInstructions(games=2))
    table.run()
    assert_in_order(table)
    assert table.croupier.games_played == 2
    # In casino war a round that might not be dealt to its end is not begun: the cut card may stay in.
    came = sum(isinstance(event, CutCard) for event, _ in table.log)
    assert came == 2 or (game == "casino_war" and came <= 2)


@pytest.mark.parametrize(("game", "kind"), materials())
def test_the_same_seed_plays_the_same_game(seed: int, game: Game, kind: EquipmentKind) -> None:
    logs = []
    for _ in range(2):
        table = PlainTable(seed, profile(game, kind, {}), orders=SOME, mistakes=0.1, strategy="random")
        table.run()
        logs.append(table.log)
    assert logs[0] == logs[1]


@pytest.mark.parametrize("interference", [0.02, 0.1])
@pytest.mark.parametrize(("game", "kind"), materials())
def test_whatever_others_say_he_comes_to_an_end(
    seed: int, game: Game, kind: EquipmentKind, interference: float
) -> None:
    for number in range(2):
        table = PlainTable(
            seed + number, profile(game, kind, {}), orders=SOME, mistakes=0.05, interference=interference
        )
        table.run()
        assert_in_order(table)

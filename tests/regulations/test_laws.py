"""The sheets and laws of the games, which load no rules."""

import pytest

from regulations.events.errors import UnknownGame
from regulations.games.registry import GAMES, NAMES, SHEETS
from tests.sixth_game.high_card import HIGH_CARD


@pytest.mark.law
def test_the_sheets_alone_are_those_of_the_games() -> None:
    assert [*SHEETS.items()] == [(name, game.sheet) for name, game in GAMES.items()]
    assert [sheet.law.game for sheet in SHEETS.values()] == [*NAMES]


@pytest.mark.law
def test_there_are_these_games_and_no_other() -> None:
    assert len(GAMES) == len(SHEETS) == 5
    with pytest.raises(KeyError):
        GAMES["roulette"]
    assert GAMES.get("roulette") is None


@pytest.mark.law
def test_a_game_from_outside_is_one_of_the_games_while_it_is_admitted() -> None:
    with GAMES.playing(HIGH_CARD):
        assert (GAMES["high_card"], SHEETS["high_card"]) == (HIGH_CARD, HIGH_CARD.sheet)
        assert ([*GAMES], len(GAMES), len(SHEETS)) == ([*NAMES, "high_card"], 6, 6)
    with pytest.raises(UnknownGame, match="unknown game 'high_card'; known are baccarat, ") as caught:
        GAMES["high_card"]
    assert (caught.value.game, caught.value.field) == ("high_card", "$.game")
    assert ([*GAMES], len(GAMES)) == ([*NAMES], 5)


@pytest.mark.law
@pytest.mark.parametrize("game", GAMES)
def test_each_payout_of_a_game_has_a_name_of_its_own(game: str) -> None:
    names = [rule.id for rule in GAMES[game].rulebook.payouts]
    assert len(set(names)) == len(names)


@pytest.mark.law
def test_fewer_cards_than_none_are_never_behind_the_cut_card() -> None:
    assert SHEETS["q_poker"].law.cut_card_found(52) == (0, 4), (
        "reading G16: four more or fewer, and it is placed at the end"
    )

"""The laws without the rest of the games, for whoever plays none."""

import pytest

from regulations.games.laws import LAWS
from regulations.games.registry import GAMES


@pytest.mark.law
def test_the_laws_alone_are_those_of_the_games() -> None:
    assert [*LAWS.items()] == [(name, game.law) for name, game in GAMES.items()]


@pytest.mark.law
def test_there_are_these_games_and_no_other() -> None:
    assert len(GAMES) == len(LAWS)
    with pytest.raises(KeyError):
        GAMES["roulette"]
    assert GAMES.get("roulette") is None


@pytest.mark.law
@pytest.mark.parametrize("game", GAMES)
def test_each_payout_of_a_game_has_a_name_of_its_own(game: str) -> None:
    names = [rule.id for rule in GAMES[game].rulebook.payouts]
    assert len(set(names)) == len(names)


@pytest.mark.law
def test_fewer_cards_than_none_are_never_behind_the_cut_card() -> None:
    assert LAWS["q_poker"].cut_card_found(52) == (0, 4), "reading G16: four more or fewer, and it is placed at the end"

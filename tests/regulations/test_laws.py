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

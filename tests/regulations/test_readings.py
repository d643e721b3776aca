"""The readings: each is told once."""

from collections import Counter

import pytest

from regulations.games.registry import GAMES
from regulations.law.readings import COMMON


@pytest.mark.parametrize("game", GAMES)
def test_each_reading_is_told_once(game: str) -> None:
    told = Counter(reading.id for reading in (*GAMES[game].own_readings, *COMMON))
    assert [name for name, times in told.items() if times > 1] == []

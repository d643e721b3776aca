"""The games that this edition enforces."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from regulations.play.context.game import Game

NAMES: Final = ("baccarat", "blackjack", "casino_war", "three_card_baccarat", "q_poker")
"""The games' names in the table log, and of their folders."""


class _Games(Mapping[str, Game]):
    """Loads a game when it is first asked for: a table plays one, and rules and rounds of five take a while."""

    def __getitem__(self, name: str) -> Game:
        if name not in NAMES:
            raise KeyError(name)
        game: Game = import_module(f"regulations.games.{name}.game").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


GAMES: Final[Mapping[str, Game]] = _Games()
"""Every game by its name in the table log."""

"""The games that this edition enforces."""

from typing import Final

from regulations.baccarat.game import GAME as BACCARAT
from regulations.game import Game

GAMES: Final[dict[str, Game]] = {BACCARAT.law.game: BACCARAT}
"""Every game by its name in the table log."""

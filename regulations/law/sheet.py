"""The sheet of a game: all that others may know of it without loading a rule."""

from dataclasses import dataclass

from regulations.events.results import Result
from regulations.law.game_law import GameLaw


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A game as it declares itself.

    Attributes:
        law: what its regulation fixes for the table.
        result: the verdict on its rounds.
    """

    law: GameLaw
    result: type[Result]

"""Games by typed names."""

from cardshoe.process.exits import Exit, Stop
from regulations.games.registry import GAMES
from regulations.play.context.game import Game


def game_by_name(name: str) -> Game:
    found = GAMES.get(name)
    if found is None:
        known = ", ".join(sorted(GAMES))
        raise Stop(f"the game {name!r} is not enforced by this edition", f"It knows: {known}.", Exit.USAGE)
    return found

"""The rule table of the shoe game, with a game's own articles and only the rows that its equipment can reach.

A shuffler-dealer knows only load, rounds and the return of the cards after each of them. Each step is taken in its
order and no other; whatever else is asked is refused, and whatever a device reports is taken.
"""

from regulations.law.game_law import GameLaw
from regulations.law.rows import Row
from regulations.play.shoe.card_rows import card_rows
from regulations.play.shoe.device_rows import device_rows
from regulations.play.shoe.opening_rows import opening_rows
from regulations.play.shoe.round_rows import round_rows
from regulations.play.shoe.stack_rows import stack_rows


def shoe_rows(law: GameLaw) -> tuple[Row, ...]:
    """The rule table of the shoe game.

    Args:
        law: what the game's regulation fixes.
    """
    return (
        *opening_rows(law),
        *stack_rows(law),
        *card_rows(law),
        *round_rows(law),
        *device_rows(),
    )

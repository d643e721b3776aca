"""Where a shoe game can stand."""

from enum import StrEnum, unique
from typing import Final


@unique
class ShoeState(StrEnum):
    """The next step of a shoe game.

    ``fill``: a shuffler waits for its cards; ``mix``: they are in it, unshuffled. ``one_more``: the cut card came in
    the open round, one round may follow; ``next_last``: it came between result and end, the next round is the last;
    ``last``: the open or coming round is the last.
    """

    OPENING = "opening"
    SHUFFLE = "shuffle"
    CUT = "cut"
    PLACE_CUT_CARD = "place_cut_card"
    FILL = "fill"
    MIX = "mix"
    LOAD = "load"
    BURN = "burn"
    ROUNDS = "rounds"
    ONE_MORE = "one_more"
    NEXT_LAST = "next_last"
    LAST = "last"
    RETURN = "return"
    OVER = "over"
    CLOSED = "closed"


S = ShoeState
IN_ROUNDS: Final = (S.ROUNDS, S.ONE_MORE, S.NEXT_LAST, S.LAST)
BEFORE_STACK: Final = (S.SHUFFLE, S.CUT, S.PLACE_CUT_CARD, S.FILL, S.MIX, S.LOAD)
RUNNING: Final = (S.BURN, *IN_ROUNDS, S.RETURN)
ALL: Final = (*BEFORE_STACK, *RUNNING, S.OVER, S.CLOSED)
"""Every state in which a table rests once its profile is accepted; which of them a game has, its law says."""

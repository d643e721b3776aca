"""States of a shoe game."""

from enum import StrEnum, unique
from typing import Final


@unique
class ShoeState(StrEnum):
    """``fill``: a shuffler waits for its cards; ``mix``: they are in it, unshuffled.

    ``one_more``: one round may follow the open one; ``next_last``: the next round is the last.
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

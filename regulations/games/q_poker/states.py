"""States of a round of q poker."""

from enum import StrEnum, unique
from typing import Final

from regulations.play.context.game_round import Phases


@unique
class RoundState(StrEnum):
    IDLE = "idle"
    OPENED = "opened"
    DEALING = "dealing"
    SHOWING = "showing"
    DECIDING = "deciding"
    CROUPIER = "croupier"
    DECIDED = "decided"
    VOID = "void"


R = RoundState
PHASES: Final[Phases[RoundState]] = Phases(
    idle=R.IDLE,
    opened=R.OPENED,
    dealing=(R.DEALING, R.SHOWING, R.DECIDING, R.CROUPIER),
    decided=(R.DECIDED,),
    void=R.VOID,
)
CROUPIER_HIDDEN: Final = (R.DEALING, R.SHOWING, R.DECIDING)
"""The croupier's hand is not yet due to be opened (art. 9.º-3, reading Q11)."""

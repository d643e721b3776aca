"""States of a blackjack round."""

from enum import StrEnum, unique
from typing import Final

from regulations.play.context.game_round import Phases


@unique
class RoundState(StrEnum):
    IDLE = "idle"
    OPENED = "opened"
    DEALING = "dealing"
    TURNS = "turns"
    DECIDING = "deciding"
    DRAWING = "drawing"
    SHOWING = "showing"
    CROUPIER_SHOWS = "croupier_shows"
    BURNING = "burning"
    CROUPIER = "croupier"
    BANK = "bank"
    DECIDED = "decided"
    VOID = "void"


R = RoundState
PHASES: Final[Phases[RoundState]] = Phases(
    idle=R.IDLE,
    opened=R.OPENED,
    dealing=(R.DEALING, R.DECIDING, R.DRAWING, R.SHOWING, R.CROUPIER_SHOWS, R.BURNING, R.CROUPIER),
    decided=(R.DECIDED,),
    void=R.VOID,
)
RESTING: Final = PHASES.resting

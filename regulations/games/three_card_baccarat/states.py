"""States of a round of three-card baccarat."""

from enum import StrEnum, unique
from typing import Final

from regulations.play.context.game_round import Phases


@unique
class RoundState(StrEnum):
    IDLE = "idle"
    OPENED = "opened"
    DEALING = "dealing"
    SHOW_SEATS = "show_seats"
    SHOW_BANKER = "show_banker"
    DECIDED = "decided"
    VOID = "void"


R = RoundState
SHOWING: Final = (R.SHOW_SEATS, R.SHOW_BANKER)
PHASES: Final[Phases[RoundState]] = Phases(
    idle=R.IDLE,
    opened=R.OPENED,
    dealing=(R.DEALING, *SHOWING),
    decided=(R.DECIDED,),
    void=R.VOID,
)

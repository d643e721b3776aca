"""States of a round of casino war."""

from enum import StrEnum, unique
from typing import Final

from regulations.play.context.game_round import Phases


@unique
class RoundState(StrEnum):
    IDLE = "idle"
    OPENED = "opened"
    SEATS = "seats"
    CROUPIER = "croupier"
    DECIDING = "deciding"
    SEAT_BURN = "seat_burn"
    SEAT_WAR = "seat_war"
    CROUPIER_BURN = "croupier_burn"
    CROUPIER_WAR = "croupier_war"
    DECIDED = "decided"
    VOID = "void"


R = RoundState
BURNING: Final = (R.SEAT_BURN, R.CROUPIER_BURN)
CHALLENGED: Final = (R.SEAT_BURN, R.SEAT_WAR, R.CROUPIER_BURN, R.CROUPIER_WAR)
PHASES: Final[Phases[RoundState]] = Phases(
    idle=R.IDLE,
    opened=R.OPENED,
    dealing=(R.SEATS, R.CROUPIER, R.DECIDING, *CHALLENGED),
    decided=(R.DECIDED,),
    void=R.VOID,
)
COMPARED: Final = (R.DECIDING, *CHALLENGED, R.DECIDED)
UNCOMPARED: Final = tuple(state for state in PHASES.resting if state not in COMPARED)

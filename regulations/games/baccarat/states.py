"""States of a baccarat round."""

from enum import StrEnum, unique
from typing import Final

from regulations.play.context.game_round import Phases


@unique
class RoundState(StrEnum):
    IDLE = "idle"
    OPENED = "opened"
    PLAYER_1 = "player_1"
    BANKER_1 = "banker_1"
    PLAYER_2 = "player_2"
    BANKER_2 = "banker_2"
    SHOW_PLAYER = "show_player"
    SHOW_BANKER = "show_banker"
    FOUR_OPEN = "four_open"
    PLAYER_3 = "player_3"
    SHOW_PLAYER_3 = "show_player_3"
    THIRD_OPEN = "third_open"
    BANKER_3 = "banker_3"
    SHOW_BANKER_3 = "show_banker_3"
    DECIDED = "decided"
    VOID = "void"


R = RoundState
CARD_DUE: Final = (R.PLAYER_1, R.BANKER_1, R.PLAYER_2, R.BANKER_2, R.PLAYER_3, R.BANKER_3)
SHOWING: Final = (R.SHOW_PLAYER, R.SHOW_BANKER, R.SHOW_PLAYER_3, R.SHOW_BANKER_3)
DEALING: Final = (*CARD_DUE, *SHOWING)
PHASES: Final = Phases(idle=R.IDLE, opened=R.OPENED, dealing=DEALING, decided=(R.DECIDED,), void=R.VOID)

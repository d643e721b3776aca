"""Q poker as all may know it."""

from typing import Final

from regulations.games.q_poker.law import LAW
from regulations.games.q_poker.result import QPokerResult
from regulations.law.sheet import Sheet

SHEET: Final = Sheet(law=LAW, result=QPokerResult)

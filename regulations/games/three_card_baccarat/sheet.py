"""Three-card baccarat as all may know it."""

from typing import Final

from regulations.games.three_card_baccarat.law import LAW
from regulations.games.three_card_baccarat.result import ThreeCardResult
from regulations.law.sheet import Sheet

SHEET: Final = Sheet(law=LAW, result=ThreeCardResult)

"""Casino war as all may know it."""

from typing import Final

from regulations.games.casino_war.law import LAW
from regulations.games.casino_war.result import CasinoWarResult
from regulations.law.sheet import Sheet

SHEET: Final = Sheet(law=LAW, result=CasinoWarResult)

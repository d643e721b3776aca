"""Baccarat as all may know it."""

from typing import Final

from regulations.games.baccarat.law import LAW
from regulations.games.baccarat.result import BaccaratResult
from regulations.law.sheet import Sheet

SHEET: Final = Sheet(law=LAW, result=BaccaratResult)

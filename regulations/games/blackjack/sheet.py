"""Blackjack as all may know it."""

from typing import Final

from regulations.games.blackjack.law import LAW
from regulations.games.blackjack.result import BlackjackResult
from regulations.law.sheet import Sheet

SHEET: Final = Sheet(law=LAW, result=BlackjackResult)

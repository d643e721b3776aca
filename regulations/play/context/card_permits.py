"""Permits by which a device lets out the cards called for (reading G7).

A permit is the log line of the ``next`` that called; the device reports it with the card, however late.
"""

from typing import Final

from regulations.events.vocabulary import Do

CALLS: Final[tuple[Do, ...]] = ("draw", "burn")


class CardPermits:
    def __init__(self) -> None:
        self.lines = self._missed = 0
        # Missed is the last line up to which a device was lost or faulty: what was permitted by then may be told late.
        self.first: int
        self._due: int

    @property
    def is_open(self) -> bool:
        return self._due > 0

    def is_in_force(self, permit: int) -> bool:
        return self.is_open and self.first <= permit <= self.lines

    def is_late(self, permit: int) -> bool:
        return permit <= self._missed

    def card_came(self) -> None:
        self._due -= 1

    def answered(self, outputs: int, act: Do, in_a_row: int, *, is_missed: bool) -> None:
        """Count the lines of an input and record the cards that its ``next`` calls for."""
        self.lines += 1 + outputs
        if is_missed:
            self._missed = self.lines
        if act in CALLS:
            if not self.is_open:
                self.first = self.lines
            self._due = in_a_row
        elif act != "resolve" or not in_a_row:
            self._due = 0

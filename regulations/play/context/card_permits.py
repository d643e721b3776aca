"""The cards that are called for, and by which permits a device lets them out (reading G7).

A permit is the line number, in the table's log, of the ``next`` that called for a card. The device receives it with the
command and reports it with the card, however late.
"""

from typing import Final

from regulations.events.vocabulary import Do

CALLS: Final[tuple[Do, ...]] = ("draw", "burn")
"""The values of ``do`` in a ``next`` that calls for a card."""


class CardPermits:
    """The cards that the table calls for now.

    Attributes:
        lines: lines of the table's log so far, inputs and outputs together.
        first: the line that began to call for the cards that are due: the lowest valid permit.
    """

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
        """True if a device was lost or faulty since a permit was given."""
        return permit <= self._missed

    def card_came(self) -> None:
        """One of the cards that are called for has come."""
        self._due -= 1

    def answered(self, outputs: int, act: Do, in_a_row: int, *, is_missed: bool) -> None:
        """Count the lines of an input and record the cards that its ``next`` calls for.

        A call continues while its cards are due, also while an irregularity is open.

        Args:
            outputs: number of outputs, 1 or more.
            in_a_row: cards that are due one after the other, 0 or more.
        """
        self.lines += 1 + outputs
        if is_missed:
            self._missed = self.lines
        if act in CALLS:
            if not self.is_open:
                self.first = self.lines
            self._due = in_a_row
        elif act != "resolve" or not in_a_row:
            self._due = 0

"""The eye at the mouth: reads each card as it leaves, unless it was told to fail."""

from collections import deque
from typing import NamedTuple

from protocols.angel_eye.messages import ErrorCode
from regulations.events.cards import Card


class Reading(NamedTuple):
    """The eye's reading of a card: ``card`` as it read it, or the ``error`` instead."""

    card: Card | None
    error: ErrorCode | None


class Reader:
    """Reads truly, but for the failures that were asked for, one for each card to come."""

    def __init__(self) -> None:
        self._failures: deque[Reading] = deque()

    def fail_next(self, error: ErrorCode) -> None:
        """Do not read the next card: error 1 (cannot read) or 6 (card code)."""
        self._failures.append(Reading(None, error))

    def misread_next(self, card: Card) -> None:
        """Take the next card for ``card``, and notice nothing."""
        self._failures.append(Reading(card, None))

    def read(self, card: Card) -> Reading:
        """Read a card that passes."""
        return self._failures.popleft() if self._failures else Reading(card, None)

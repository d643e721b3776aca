"""Questions that other threads have for the table's thread, which alone uses the journal.

Between two events it answers them. Once it has ended and waits for those threads, they answer themselves, in turns.
"""

import threading
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, TypeVar, cast

T = TypeVar("T")

PATIENCE_S: Final = 10.0
"""Seconds that somebody waits for the table's thread, which is never busy for one."""


class Unanswered(Exception):
    """The table's thread did not answer, or has ended for good."""


class Errand:
    """One question; it is answered once, or never if it was given up.

    Args:
        work: the answer. An error of it is the asker's.
        answered: told when it is.
    """

    def __init__(self, work: Callable[[], object], answered: threading.Condition) -> None:
        self._work: Callable[[], object] | None = work
        self._answered: Final = answered
        self.is_done = False
        self._result: object = None
        self._error: Exception | None = None

    def run(self) -> None:
        """Answer it, in the thread that uses the journal."""
        with self._answered:
            work, self._work = self._work, None
        if work is None:
            return
        try:
            self._result = work()
        except Exception as error:  # noqa: BLE001  it belongs to the asker, and must not end the table
            self._error = error
        with self._answered:
            self.is_done = True
            self._answered.notify_all()

    def give_up(self) -> bool:
        """See that it is not answered any more; whether it was still to be."""
        with self._answered:
            work, self._work = self._work, None
        return work is not None

    def result(self) -> object:
        """The answer.

        Raises:
            Exception: what went wrong over it.
        """
        if self._error is not None:
            raise self._error
        return self._result


class _Who(Enum):
    TABLE = auto()
    ASKERS = auto()
    NOBODY = auto()


class Errands:
    """Where questions are asked.

    Args:
        put: puts one into the inbox of the table's thread.
    """

    def __init__(self, put: Callable[[Errand], object]) -> None:
        self._put: Final = put
        self._changed: Final = threading.Condition()
        self._turn: Final = threading.Lock()
        self._who = _Who.TABLE

    def ask(self, work: Callable[[], T]) -> T:
        """Have something answered where the journal may be used; never called in the table's own thread.

        Raises:
            Unanswered: nobody did.
            Exception: what ``work`` raised.
        """
        errand = Errand(work, self._changed)
        if self._who is _Who.TABLE:
            self._put(errand)
        with self._changed:
            self._changed.wait_for(lambda: errand.is_done or self._who is not _Who.TABLE, PATIENCE_S)
        with self._turn:
            if self._who is _Who.ASKERS:
                errand.run()
        if errand.give_up() or not errand.is_done:
            raise Unanswered("the table was asked and did not answer")
        return cast("T", errand.result())

    def hand_over(self) -> None:
        """From here on the table's thread waits for those who ask, and does not use the journal meanwhile."""
        self._let(_Who.ASKERS)

    def close(self) -> None:
        """From here on nobody may use the journal; returns when nobody does."""
        with self._turn:
            self._let(_Who.NOBODY)

    def _let(self, who: _Who) -> None:
        with self._changed:
            self._who = who
            self._changed.notify_all()

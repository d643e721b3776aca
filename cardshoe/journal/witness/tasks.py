"""Tasks of other threads for the table's thread, the journal's only user.

It runs them between two events; after its end the waiting threads do.
"""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from enum import Enum, auto
from typing import Any, Final, TypeVar

T = TypeVar("T")

PATIENCE_S: Final = 10.0
"""Longest wait for the table's thread, which is never busy for 1 s."""


class Unanswered(Exception):
    """The table's thread did not do the task in time, or has ended."""


class Task(Future[T]):
    """Work for the thread that may use the journal."""

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__()
        self._work: Final = work

    def run(self) -> None:
        """Run the work once, unless cancelled."""
        if self.done() or not self.set_running_or_notify_cancel():
            return
        try:
            result = self._work()
        except Exception as error:  # noqa: BLE001  it belongs to the asker, and must not end the table
            self.set_exception(error)
        else:
            self.set_result(result)


class _Who(Enum):
    TABLE = auto()
    ASKERS = auto()
    NOBODY = auto()


class Tasks:
    def __init__(self, put: Callable[[Task[Any]], object]) -> None:
        self._put: Final = put
        self._turn: Final = threading.Lock()
        self._who = _Who.TABLE
        self._waiting: Final[set[Task[Any]]] = set()

    def ask(self, work: Callable[[], T]) -> T:
        """Run work where the journal may be used; never from the table's thread.

        Raises:
            Unanswered: not done in time.
            Exception: from ``work``.
        """
        task = Task(work)
        with self._turn:
            if self._who is _Who.TABLE:
                self._waiting.add(task)
                self._put(task)
            elif self._who is _Who.ASKERS:
                task.run()
            else:
                task.cancel()
        try:
            task.exception(PATIENCE_S)  # what the work raised is returned here: what is raised here is of the waiting
        except (CancelledError, TimeoutError) as error:
            task.cancel()
            raise Unanswered("the table was asked and did not answer") from error
        finally:
            with self._turn:
                self._waiting.discard(task)
        return task.result()

    def hand_over(self) -> None:
        """Let callers run their tasks: the table's thread ended."""
        with self._turn:
            self._who = _Who.ASKERS
            for task in self._waiting:
                task.run()

    def close(self) -> None:
        """Bar further use of the journal; wait for the last use."""
        with self._turn:
            self._who = _Who.NOBODY
            for task in self._waiting:
                task.cancel()

"""Tasks of other threads for the table's thread, the journal's only user.

It runs them between two events; after its end the waiting threads do.
"""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager
from enum import Enum, auto
from typing import Any, Final, TypeVar

T = TypeVar("T")

PATIENCE_S: Final = 10.0
"""Longest wait for the table's thread, which is never busy for 1 s."""


class Unanswered(Exception):
    """The table's thread did not do the task in time, or has ended."""


class Task(Future[T]):
    """Work for the thread that may use the journal.

    Args:
        alone: held while the work runs, so that no other work on the same journal does.
    """

    def __init__(self, work: Callable[[], T], alone: AbstractContextManager[object] | None = None) -> None:
        super().__init__()
        self._work: Final = work
        self._alone: Final = alone or threading.Lock()

    def run(self) -> None:
        """Run the work, unless it ran or was cancelled; from any thread."""
        with self._alone:
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
        self._alone: Final = threading.Lock()
        self._who = _Who.TABLE
        self._waiting: Final[set[Task[Any]]] = set()

    def ask(self, work: Callable[[], T]) -> T:
        """Run work where the journal may be used; never from the table's thread.

        Raises:
            Unanswered: not done in time.
            Exception: from ``work``.
        """
        task = Task(work, self._alone)
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
        with self._turn, self._alone:
            self._who = _Who.NOBODY
            for task in self._waiting:
                task.cancel()

"""Signs of life that only the table's own thread can give.

A timer would go on ticking beside a table that hangs. So each beat is a task in the table's inbox: it is done between
two events, and the next one is put in only after that. A table thread that hangs is silent.
"""

import threading
from collections.abc import Callable
from typing import Any, Final

from cardshoe.journal.witness.tasks import Task


class Heart:
    """Has something done in the table's thread, again and again.

    Args:
        put: puts a task into the inbox of the table's thread; does not wait.
        beat: what is done there; must not wait for anything.
        interval_s: seconds from one beat to the next.
    """

    def __init__(self, put: Callable[[Task[Any]], object], beat: Callable[[], None], interval_s: float) -> None:
        self._put: Final = put
        self._beat: Final = beat
        self._interval_s: Final = interval_s
        self._due: Final = threading.Event()
        self._is_over = False
        self._task: Task[None] | None = None
        self._thread: Final = threading.Thread(target=self._run, name="heart", daemon=True)

    def start(self) -> None:
        """Begins, with a beat at once."""
        self._due.set()
        self._thread.start()

    def beat_soon(self) -> None:
        """Does not wait for the next one's time; from any thread, returns at once."""
        self._due.set()

    def stop(self) -> None:
        """Ends; returns when no beat can come any more."""
        self._is_over = True
        self._due.set()
        self._thread.join()
        if self._task is not None:
            self._task.cancel()

    def _run(self) -> None:
        while True:
            self._due.wait(self._interval_s)
            self._due.clear()
            if self._is_over:
                return
            if self._task is None or self._task.done():
                self._task = Task(self._beat)
                self._put(self._task)

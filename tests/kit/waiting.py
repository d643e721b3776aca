"""Waiting for what other threads do, with generous limits and no sleeping as synchronisation."""

import threading
import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 30.0
"""Long enough for a loaded machine; nothing waits this long unless the test fails."""

_LOOK_AGAIN_S: Final = 0.005


def eventually(condition: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    """Look until ``condition`` holds."""
    deadline = time.monotonic() + patience_s
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"did not happen within {patience_s} s: {what}"
        pause.wait(_LOOK_AGAIN_S)


class Log:
    """Entries of any thread, in order."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._entries: list[object] = []

    def add(self, entry: object) -> None:
        with self._changed:
            self._entries.append(entry)
            self._changed.notify_all()

    def entries(self) -> list[object]:
        with self._changed:
            return list(self._entries)

    def wait_for(self, condition: Callable[[list[object]], bool]) -> list[object]:
        with self._changed:
            met = self._changed.wait_for(lambda: condition(self._entries), PATIENCE_S)
            assert met, f"waited in vain; so far: {self._entries}"
            return list(self._entries)

"""Ctrl-C and SIGTERM end a command cleanly, between two events."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def signals_stop(stop: Callable[[], object]) -> Iterator[None]:
    """While the block runs, Ctrl-C and SIGTERM call ``stop`` instead of breaking off whatever is going on."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        stop()

    before = [(number, signal.signal(number, handle)) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)

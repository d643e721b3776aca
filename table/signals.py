"""Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) end a command cleanly, between two events."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def signals_stop(stop: Callable[[], object]) -> Iterator[None]:
    """While the block runs, SIGINT, SIGTERM and SIGHUP call ``stop`` instead of breaking off whatever is going on."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        stop()

    before = [(number, signal.signal(number, handle)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)

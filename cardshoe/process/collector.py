"""Python's garbage collector, run only while no card waits.

A full pass takes longer than all work for a card (``docs/benchmarks.md``): leave no reference cycles per
message.
"""

import atexit
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

YOUNG: Final = 1
MANY: Final = 20_000
"""New live objects until collection at the next quiet moment."""
TOO_MANY: Final = 10 * MANY
"""Collection at once, even while cards wait: bounds memory."""


_holders: Final = [0]
_one_at_a_time: Final = threading.Lock()


@contextmanager
def between_rounds_only() -> Iterator[None]:
    """While the block runs, only the functions below collect; existing objects are frozen."""
    with _one_at_a_time:
        if not _holders[0]:
            gc.freeze()
        _holders[0] += 1
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        with _one_at_a_time:
            _holders[0] -= 1
            if not _holders[0]:
                gc.unfreeze()


def collect_less() -> None:
    """Collect rarely, and not at exit: most objects of a program's start are imports, which stay."""
    gc.set_threshold(MANY)
    atexit.register(gc.freeze)


def leave_alone() -> None:
    with _one_at_a_time:
        gc.freeze()
        _holders[0] += 1


def after_round() -> None:
    gc.collect(YOUNG)


def after_shoe() -> None:
    gc.collect()


def is_due() -> bool:
    return gc.get_count()[0] > TOO_MANY


def when_quiet() -> None:
    if gc.get_count()[0] > MANY:
        gc.collect()

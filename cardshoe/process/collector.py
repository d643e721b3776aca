"""Python's garbage collector, run only while no card waits.

A full pass takes longer than all other work for a card (``docs/benchmarks.md``). So it runs after a round, between shoe
games and while the inbox is empty; per-message code must leave no reference cycles.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

YOUNG: Final = 1
MANY: Final = 20_000
"""Live new objects from which garbage is collected at the next quiet moment."""
TOO_MANY: Final = 10 * MANY
"""With as many, garbage is collected at once, even while cards wait: memory is bounded."""


_holders: Final = [0]
_one_at_a_time: Final = threading.Lock()


@contextmanager
def between_rounds_only() -> Iterator[None]:
    """While the block runs, garbage is collected only by the functions below.

    Existing objects are frozen until the end, garbage too.
    """
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


def leave_alone() -> None:
    """Leaves alone what there is as long as the process runs."""
    with _one_at_a_time:
        gc.freeze()
        _holders[0] += 1


def after_round() -> None:
    """Collects what the round left; a fraction of a millisecond."""
    gc.collect(YOUNG)


def after_shoe() -> None:
    """Collects everything that came since the start; some milliseconds."""
    gc.collect()


def is_due() -> bool:
    """True if enough was allocated that garbage must be collected, even in mid-round."""
    return gc.get_count()[0] > TOO_MANY


def when_quiet() -> None:
    """Collects, if there may be much, where nothing waits."""
    if gc.get_count()[0] > MANY:
        gc.collect()

"""Python's garbage collector, kept out of the way of the cards.

By itself it runs in the middle of whatever allocates, and its full pass takes longer than everything else a card needs
(`make bench`, ``docs/benchmarks.md``). At a table there are better moments: when a round is closed, and between two
shoe games.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

YOUNG: Final = 1


@contextmanager
def between_rounds_only() -> Iterator[None]:
    """While the block runs, garbage is collected only by :func:`after_round` and :func:`after_shoe`.

    What there is when it begins is left alone until it ends, garbage too: a table has made next to none by then, and
    to look for it costs a process that holds much else (one that runs tests) more than many a table.
    """
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def after_round() -> None:
    """Collects what the round left; a fraction of a millisecond."""
    gc.collect(YOUNG)


def after_shoe() -> None:
    """Collects everything that came since the start; some milliseconds."""
    gc.collect()

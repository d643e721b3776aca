"""The cost for its table of an uplink that catches up: CPU of the table's own thread, with it and without in turn."""

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cardshoe.process.clock import wall_time
from cardshoe.table.controller import Controller
from cardshoe.table.inbox import Inbox
from cardshoe.table.live.place import TablePlace
from cardshoe.table.live.server import LiveServer
from cardshoe.table.log.table_journal import open_log
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import nobody, table_of
from tests.cardshoe.floor.waiting import wait_until
from tests.cardshoe.floor.week import day_of, mark_of, uplink_process

TABLE: Final = "T-001"
TURNS: Final = 6
"""With an uplink, and as many without."""
INPUTS: Final = 1200
"""Of a turn, an entry each, which an uplink needs a second or two for."""
MICRO: Final = 1e6


class Cost(NamedTuple):
    """Of a turn in the middle, CPU of the table's thread for an input, in seconds."""

    alone: float
    catching_up: float
    behind: int

    @property
    def ratio(self) -> float:
        """How many times more it is with an uplink."""
        return self.catching_up / self.alone

    def __str__(self) -> str:
        return (
            f"cost: alone_us={self.alone * MICRO:.0f} catching_up_us={self.catching_up * MICRO:.0f} "
            f"ratio={self.ratio:.3f} behind_at_least={self.behind}"
        )


def cost(folder: Path, site: Site, database: str, turns: int = TURNS, inputs: int = INPUTS) -> Cost:
    """Plays in this thread as fast as it can, with an uplink process in every other turn.

    Args:
        database: an empty one.
    """
    journals, state = folder / "journals", folder / "state"
    state.mkdir(mode=0o700)
    coming = _endless(day_of(2))
    log = open_log(journals, table_of(TABLE), wall_time(), nobody, resume=False)
    controller = Controller(log, Inbox())
    live = LiveServer(TablePlace.of(journals, TABLE), log, controller)
    log.journal.listen(live.noted)
    controller.show(live)
    name = log.journal.header.fingerprint
    alone, catching_up, behind = [], [], []
    with Collector(site, state, database) as floor, log.journal, live:
        settings = site.uplink(floor.address, journals, TABLE)
        for _ in range(turns):
            alone.append(_played(controller, coming, inputs))
            before = mark_of(database, name)
            with uplink_process(settings):
                wait_until(lambda: mark_of(database, name) > before)  # noqa: B023  # at once
                catching_up.append(_played(controller, coming, inputs))
                behind.append(log.journal.last - mark_of(database, name))
                wait_until(lambda: mark_of(database, name) == log.journal.last)
    return Cost(statistics.median(alone), statistics.median(catching_up), min(behind))


def _played(controller: Controller, coming: Iterator[AnyInput], inputs: int) -> float:
    before_s = time.thread_time()
    for _ in range(inputs):
        controller.take(next(coming))
    return (time.thread_time() - before_s) / inputs


def _endless(inputs: Sequence[AnyInput]) -> Iterator[AnyInput]:
    while True:
        yield from inputs

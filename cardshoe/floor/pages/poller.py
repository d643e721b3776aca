"""The one poller that all viewers share."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from typing import Final

from cardshoe.floor.database import Database, Unavailable
from cardshoe.floor.facts.projector import Projector
from cardshoe.floor.pages.tiles import Tile, Tiles

logger: Final = logging.getLogger(__name__)
LOOK_S: Final = 0.25
AWAY: Final = "the database cannot be used now"
DEFECT_S: Final = 5.0


class TablePoller:
    """All tables as last polled; ``why_not``: why they are out of date, empty if they are not."""

    def __init__(self, database: Database) -> None:
        self.projector: Final = Projector(database)
        self._tiles: Final = Tiles()
        self._changed = asyncio.Event()
        self.tiles: Sequence[Tile] = ()
        self.version = 0
        self.why_not = "not polled yet"
        self.is_over = False

    async def run(self) -> None:
        """Poll until `end`."""
        while not self.is_over:
            began_s = time.monotonic()
            rest_s = LOOK_S
            try:
                self.take(await asyncio.to_thread(self.look))
            except Unavailable as error:
                if self.why_not != AWAY:
                    logger.warning("%s", error)
                self.take(self.tiles, AWAY)
            except Exception:
                logger.exception("the pages failed; they are read again")
                self.take(self.tiles, "a defect of the floor's pages")
                rest_s = DEFECT_S
            await asyncio.sleep(max(rest_s, time.monotonic() - began_s))

    def look(self) -> list[Tile]:
        """Poll once.

        Raises:
            Unavailable: the database does not answer.
        """
        self.projector.look()
        return self._tiles.of(iter(self.projector.tables()), self.projector.alarms, self.projector.now)

    async def keep(self) -> None:
        """Store the state for the next start."""
        with contextlib.suppress(Unavailable):
            await asyncio.to_thread(self.projector.keep)

    async def changed(self, timeout_s: float) -> None:
        """Wait for news or the timeout."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), timeout_s)

    def end(self) -> None:
        """End polling and all streams."""
        self.is_over = True
        self._rouse()

    def take(self, tiles: Sequence[Tile], why_not: str = "") -> None:
        """Publish a poll's result and wake waiting readers if it is new."""
        if why_not == self.why_not and [one.key for one in tiles] == [one.key for one in self.tiles]:
            return
        self.tiles, self.why_not = tiles, why_not
        self.version += 1
        self._rouse()

    def _rouse(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

"""A page that is left open while a table plays: what it keeps in memory."""

import time
from typing import Final, NamedTuple

from playwright.sync_api import Page

from tests.e2e.stage import LONG, PATIENCE_S

HEAP_MORE: Final = 0.05 if LONG else 0.1
"""Share by which a page's heap may grow when all is collected: what the engine keeps of code that became hot."""
SETTLED: Final = 5
"""Collections in a row after which no more comes back."""
IDLE: Final = """() => new Promise(resolve => requestAnimationFrame(() => requestIdleCallback(resolve)))"""
"""Waits until a page has shown a frame and has nothing to do."""


class Memory(NamedTuple):
    """DOM nodes, listeners, and bytes of a page's script."""

    nodes: float
    listeners: float
    heap: float

    def is_like(self, before: "Memory") -> bool:
        """True if it holds no more than before, but for what an engine keeps for itself."""
        # Of nodes some dozens; a page that kept what it showed, hundreds a step.
        return (
            self.listeners == before.listeners
            and self.nodes - before.nodes < before.nodes / 4
            and self.heap - before.heap < before.heap * HEAP_MORE
        )


class LeftOpen:
    """Compares what a page holds at two lines of a log."""

    def __init__(self, page: Page) -> None:
        self.page: Final = page
        self._session: Final = page.context.new_cdp_session(page)
        self._held: Final[list[tuple[int, Memory]]] = []
        self._session.send("Performance.enable")

    def measure(self, seq: int) -> None:
        """Collects until no more comes back, and the second time until it is as at first, with patience."""
        self.page.bring_to_front()
        deadline_s = time.monotonic() + PATIENCE_S
        least, same = self._collected(), 0
        while same < SETTLED or not (
            all(least.is_like(before) for _, before in self._held) or time.monotonic() > deadline_s
        ):
            now = self._collected()
            same = 0 if now.nodes < least.nodes or now.listeners < least.listeners else same + 1
            least = Memory(*map(min, now, least))
        self._held.append((seq, least))

    def check(self) -> None:
        """Prints what it holds more, and asserts that this is next to nothing."""
        (begun, before), (ended, after) = self._held
        share = after.heap / before.heap - 1
        print(f"{self.page.url}: {ended - begun} lines, heap {share:+.1%}")  # noqa: T201  measured
        assert after.is_like(before), (self.page.url, before, after)

    def _collected(self) -> Memory:
        self._session.send("HeapProfiler.collectGarbage")
        self.page.evaluate(IDLE)
        found = {one["name"]: one["value"] for one in self._session.send("Performance.getMetrics")["metrics"]}
        return Memory(found["Nodes"], found["JSEventListeners"], found["JSHeapUsedSize"])

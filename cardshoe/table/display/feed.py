"""A display's link to its table, shared by all viewers."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from cardshoe.process.http.streams import event
from cardshoe.screens.view import TableView
from cardshoe.screens.view.encoding import change
from cardshoe.table.display.table_link import SILENCE_S, TableLink
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import number_of, view_of
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.live.session import LiveError

logger: Final = logging.getLogger(__name__)

KEPT_LINES: Final = 4096
WAITING_LINES: Final = 2048
PULSE_S: Final = 1.0
AGAIN_S: Final = 0.5
Line = tuple[int, bytes]


class Listener:
    def __init__(self) -> None:
        self._waiting: list[Line] = []
        self._some: Final = asyncio.Event()
        self._is_over = False
        self.is_cut_off = False

    def tell(self, lines: Sequence[Line]) -> None:
        """Queue lines, of one log alone."""
        if self._is_over:
            return
        if len(self._waiting) + len(lines) > WAITING_LINES:
            self.is_cut_off = True
        if not self.is_cut_off:
            self._waiting += lines
        self._some.set()

    def end(self) -> None:
        """End of the log or display."""
        self._is_over = True
        self._some.set()

    async def next(self, timeout_s: float) -> Sequence[Line]:
        """All waiting lines; empty at the end of a log.

        Raises:
            TimeoutError: none in time.
        """
        async with asyncio.timeout(timeout_s):
            await self._some.wait()
        lines, self._waiting = self._waiting, []
        if not self._is_over:
            self._some.clear()
        return lines


class Feed:
    """The table as last reported.

    Attributes:
        log: fingerprint; empty: no contact yet.
        view: after the last complete input; ``None``: no contact yet.
        why_not: why it is out of date; empty: current.
    """

    def __init__(self, place: TablePlace) -> None:
        self._place: Final = place
        self._line = b""
        self._kept: Final[deque[Line]] = deque(maxlen=KEPT_LINES)
        self._listeners: Final[set[Listener]] = set()
        self._changed = asyncio.Event()
        self._fresh: list[Line] = []
        self._is_new = False
        self.view: TableView | None = None
        self.log = ""
        self.seq = 0
        self.build = ""
        self.has_persons = False
        self.why_not = "nothing was received from the table yet"
        self.is_over = False

    @property
    def cover(self) -> str:
        """Why pages are covered; empty: they are not."""
        return "" if self.view is not None and self.view.phase == "closed" else self.why_not

    @property
    def place(self) -> TablePlace:
        """The table's place."""
        return self._place

    @property
    def listeners(self) -> int:
        """Number of clients that get each line."""
        return len(self._listeners)

    async def run(self) -> None:
        """Read until cancelled; reconnect after a loss."""
        while True:
            try:
                await self._listen()
            except NotLive:
                self._lost("no table runs")
            except LiveError as error:
                self._lost(error.reason)
            except (OSError, ValueError) as error:
                self._lost(str(error) or "the table does not answer")
            except Exception:
                logger.exception("the table cannot be followed; it is tried again")
                self._lost("a defect of the display")
            await asyncio.sleep(AGAIN_S)

    def after(self, log: str, seq: int) -> list[Line] | None:
        """The lines after one; ``None``: not kept, or another log's."""
        if log != self.log or seq > self.seq:
            return None
        first = self._kept[0][0] if self._kept else self.seq + 1
        return [line for line in self._kept if line[0] > seq] if seq + 1 >= first else None

    @contextlib.contextmanager
    def listening(self) -> Iterator[Listener]:
        """Send each line to a client while the block runs."""
        listener = Listener()
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    async def changed(self, timeout_s: float) -> None:
        """Wait for news or the timeout."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._changed.wait()

    async def reached(self, seq: int) -> None:
        """Wait for the view of a line, at most 1 s."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PULSE_S):
                while (self.view is None or self.view.seq < seq) and not self.why_not:
                    await self._changed.wait()

    def end(self) -> None:
        """Complete all streams."""
        self.is_over = True
        self._end_listeners()
        self._rouse()

    # --- the connection ----------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        link = await TableLink.to(self._place)
        self.build, self.has_persons = link.hello.build, link.hello.persons
        known = self.view is not None and link.hello.log == self.log
        link.say(says.Subscribe(after=self.seq, log=self.log, view=True) if known else says.Subscribe(view=True))
        asking = asyncio.create_task(self._ask(link))
        try:
            while True:
                for said in await link.heard(SILENCE_S):
                    self._hear(said)
                self._pass_on()
        finally:
            asking.cancel()
            link.close()

    async def _ask(self, link: TableLink) -> None:
        while True:
            await asyncio.sleep(PULSE_S / 2)
            link.say(says.Subscribe())

    def _hear(self, said: says.Said) -> None:
        match said:
            case says.SnapshotMessage():
                self._begin(said)
            case says.LineMessage():
                self._take(bytes(said.line))
            case says.ViewMessage():
                self.view = view_of(said)
                self.why_not, self._is_new = "", True
            case says.ChangeMessage() if self.view is not None:
                change(self.view, said.change, self._line)
                self._is_new = True
            case _:
                pass

    def _begin(self, snapshot: says.SnapshotMessage) -> None:
        self._pass_on()
        self.view = view_of(snapshot)
        self.log, self.seq, self.why_not = snapshot.log, snapshot.seq, ""
        self._kept.clear()
        self._end_listeners()
        self._is_new = True

    def _take(self, line: bytes) -> None:
        self._line, self.seq = line, number_of(line)
        kept = self.seq, event("line", f"{self.log}:{self.seq}", line)
        self._kept.append(kept)
        self._fresh.append(kept)

    def _pass_on(self) -> None:
        if self._fresh:
            for listener in self._listeners:
                listener.tell(self._fresh)
            self._fresh = []
        if self._is_new:
            self._rouse()

    def _end_listeners(self) -> None:
        for listener in self._listeners:
            listener.end()

    def _lost(self, why: str) -> None:
        if self.why_not != why:
            self.why_not = why
            self._rouse()

    def _rouse(self) -> None:
        self._is_new = False
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

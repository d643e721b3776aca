"""A display's link to its table: one connection to the live socket, shared by all viewers."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Final

from cardshoe.process.http.streams import event
from cardshoe.screens.view import LineFold, TableView
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import number_of, view_of
from cardshoe.table.live.messages import VERSION, read_said, written
from cardshoe.table.live.place import NotLive, TablePlace, connected

logger: Final = logging.getLogger(__name__)

KEPT_LINES: Final = 4096
"""Lines that a client may have missed and is still given: some ten minutes of a quick table."""
WAITING_LINES: Final = 2048
"""Lines that may wait for one client; a slower one is cut off and comes back with what it has."""
PULSE_S: Final = 1.0
"""Seconds from one sign of life to the next, of the table here and of the server at the page."""
SILENCE_S: Final = 2.0
"""Seconds without a word after which what is shown is no longer taken for current."""
AGAIN_S: Final = 0.5
"""Seconds until a table that was not there is looked for again."""
LINE_MAX: Final = 16 * 1024 * 1024
"""Bytes of a message: a view of a whole shoe game has some hundred thousand."""
CHUNK: Final = 1024 * 1024
"""Bytes that are read at once: all lines that are here are passed on together."""
Line = tuple[int, bytes]
"""A durable line: its number, and the event as which it goes to all clients."""


class Listener:
    """One client that gets each line.

    Attributes:
        is_cut_off: whether too much waited for it.
    """

    def __init__(self) -> None:
        self._waiting: list[Line] = []
        self._some: Final = asyncio.Event()
        self._is_over = False
        self.is_cut_off = False

    def tell(self, lines: Sequence[Line]) -> None:
        """Has lines wait."""
        if len(self._waiting) + len(lines) > WAITING_LINES:
            self.is_cut_off = True
        if not self.is_cut_off:
            self._waiting += lines
        self._some.set()

    def end(self) -> None:
        """The log is another one now, or the display ends."""
        self._is_over = True
        self._some.set()

    async def next(self, timeout_s: float) -> Sequence[Line]:
        """All lines that wait; none at the end of a log.

        Raises:
            TimeoutError: none came in time.
        """
        async with asyncio.timeout(timeout_s):
            await self._some.wait()
        lines, self._waiting = self._waiting, []
        if not self._is_over:
            self._some.clear()
        return lines


class Feed:
    """The table as it was heard of last.

    Args:
        place: where the table is.

    Attributes:
        log: the fingerprint of its log; empty: it was never heard of.
        seq: the last line.
        build: the table's program.
        has_persons: whether the table has persons; where it has none, nobody says anything here.
        is_over: whether the display ends: then whoever looks on is told all that there is, and no more.
        why_not: why it is not current now, for a person; empty while it is.
    """

    def __init__(self, place: TablePlace) -> None:
        self._place: Final = place
        self._fold: LineFold | None = None
        self._kept: Final[deque[Line]] = deque(maxlen=KEPT_LINES)
        self._listeners: Final[set[Listener]] = set()
        self._changed = asyncio.Event()
        self._fresh: list[Line] = []
        self._is_new = False
        self.log = ""
        self.seq = 0
        self.build = ""
        self.has_persons = False
        self.why_not = "nothing was received from the table yet"
        self.is_over = False

    @property
    def view(self) -> TableView | None:
        """The table; ``None`` before anything was heard."""
        return None if self._fold is None else self._fold.view

    @property
    def place(self) -> TablePlace:
        """Where the table is."""
        return self._place

    @property
    def listeners(self) -> int:
        """Clients that get each line."""
        return len(self._listeners)

    async def run(self) -> None:
        """Listens for ever; a table that goes is looked for again."""
        while True:
            try:
                await self._listen()
            except NotLive:
                self._lost("no table runs")
            except (OSError, ValueError, asyncio.IncompleteReadError, TimeoutError) as error:
                self._lost(str(error) or "the table does not answer")
            except Exception:
                logger.exception("the table cannot be followed; it is tried again")
                self._lost("a defect of the display")
            await asyncio.sleep(AGAIN_S)

    def after(self, log: str, seq: int) -> list[Line] | None:
        """The lines after one; ``None``: they are not kept, or are another log's."""
        if log != self.log or seq > self.seq:
            return None
        first = self._kept[0][0] if self._kept else self.seq + 1
        return [line for line in self._kept if line[0] > seq] if seq + 1 >= first else None

    @contextlib.contextmanager
    def listening(self) -> Iterator[Listener]:
        """While the block runs, a client gets each line."""
        listener = Listener()
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    async def changed(self, timeout_s: float) -> None:
        """Waits until something is new, or the time is over."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._changed.wait()

    async def reached(self, seq: int) -> None:
        """Waits until a line is here that the table has told somebody else of, or for a second."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PULSE_S):
                while self.seq < seq and not self.why_not:
                    await self._changed.wait()

    def end(self) -> None:
        """Ends all streams: each is completed, and not broken off."""
        self.is_over = True
        self._end_listeners()
        self._rouse()

    # --- the connection ----------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        sock = connected(self._place, SILENCE_S)
        sock.settimeout(0)
        reader, writer = await asyncio.open_connection(sock=sock)
        asking = None
        try:
            async for batch in _said(reader):
                for said in batch:
                    if isinstance(said, says.Bye):
                        self._pass_on()
                        self._lost("the table was closed" if said.reason == "closed" else "the table was stopped")
                        return
                    if asking is None:
                        self._greet(said, writer)
                        asking = asyncio.create_task(self._ask(writer))
                    self._hear(said)
                self._pass_on()
        finally:
            if asking is not None:
                asking.cancel()
            writer.close()

    def _greet(self, hello: says.Said, writer: asyncio.StreamWriter) -> None:
        if not isinstance(hello, says.Hello) or hello.live != VERSION:
            raise ValueError(f"the table speaks a version other than {VERSION}")
        self.build, self.has_persons = hello.build, hello.persons
        known = self._fold is not None and hello.log == self.log
        writer.write(written(says.Subscribe(after=self.seq, log=self.log) if known else says.Subscribe()))

    async def _ask(self, writer: asyncio.StreamWriter) -> None:
        """Asks for what is there already: that the table refuses it is its sign of life."""
        while True:
            await asyncio.sleep(PULSE_S / 2)
            writer.write(written(says.Subscribe()))

    def _hear(self, said: says.Said) -> None:
        match said:
            case says.Snapshot():
                self._begin(said)
            case says.SaidLine():
                self._take(bytes(said.line))
            case says.Error() if said.code not in ("subscribed", "malformed"):
                raise ValueError(said.reason)
            case _:
                pass
        if self.why_not and self._fold is not None:
            self.why_not = ""
            self._is_new = True

    def _begin(self, snapshot: says.Snapshot) -> None:
        self._pass_on()
        self._fold = LineFold(view_of(snapshot))
        self.log, self.seq = snapshot.log, snapshot.seq
        self._kept.clear()
        self._end_listeners()
        self._is_new = True

    def _take(self, line: bytes) -> None:
        self.seq = number_of(line)
        kept = self.seq, event("line", f"{self.log}:{self.seq}", line)
        self._kept.append(kept)
        self._fresh.append(kept)
        if self._fold is not None and self._fold.take(line):
            self._is_new = True

    def _pass_on(self) -> None:
        """Tells all clients what has come, all of it at once."""
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
        """Wakes all that wait, once each."""
        self._is_new = False
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


async def _said(reader: asyncio.StreamReader) -> AsyncIterator[list[says.Said]]:
    """Yield the table's messages, all that have arrived at once.

    Raises:
        TimeoutError: it said nothing for too long.
        ValueError: it has gone, or says what no table says.
    """
    rest = b""
    while True:
        async with asyncio.timeout(SILENCE_S):
            chunk = await reader.read(CHUNK)
        if not chunk or len(rest) > LINE_MAX:
            raise ValueError("the table has gone" if not chunk else "the table sent too much at once")
        *lines, rest = (rest + chunk).split(b"\n")
        yield [said for said in map(read_said, lines) if said is not None]

"""A display's connection to its table's live socket."""

import asyncio
from typing import Final, Self

from cardshoe.table.live import messages as says
from cardshoe.table.live.messages import written
from cardshoe.table.live.place import TablePlace, connected
from cardshoe.table.live.session import LiveError, LiveSession

SILENCE_S: Final = 2.0
"""Silence after which the page is out of date."""
CHUNK: Final = 1024 * 1024


class TableLink:
    hello: says.Hello

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader: Final = reader
        self._writer: Final = writer
        self._session: Final = LiveSession()

    @classmethod
    async def to(cls, place: TablePlace) -> Self:
        """Connect; `close` ends it.

        Raises:
            NotLive: no table runs there.
            LiveError: refused, silent, or of another version.
            OSError: it cannot be reached.
        """
        sock = connected(place, SILENCE_S)
        sock.settimeout(0)
        link = cls(*await asyncio.open_connection(sock=sock))
        try:
            while (hello := link._session.greeting()) is None:
                await link._receive(SILENCE_S)
        except BaseException:  # also where who asked has gone
            link.close()
            raise
        link.hello = hello
        return link

    async def heard(self, silence_s: float | None) -> list[says.Said]:
        """All received messages, at least one, within ``silence_s`` (``None``: no limit).

        Raises:
            LiveError: the connection has ended.
        """
        while not (found := self._session.heard()):
            await self._receive(silence_s)
        return found

    def say(self, request: says.Request) -> None:
        """Send a request."""
        self.send(written(request))

    def send(self, message: bytes) -> None:
        """Send encoded bytes."""
        self._writer.write(message)

    def close(self) -> None:
        """End the connection."""
        self._writer.close()

    async def _receive(self, silence_s: float | None) -> None:
        try:
            async with asyncio.timeout(silence_s):
                data: bytes | None = await self._reader.read(CHUNK)
        except TimeoutError:
            data = None
        except OSError as error:
            raise LiveError("lost", "the table has gone") from error
        self._session.receive(data)

"""The streams of the pages: the newest state and no queue for each client, and an end to those who take nothing."""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from starlette.types import ASGIApp, Message

from cardshoe.floor.pages.poller import Board
from cardshoe.floor.pages.routes import STREAMS
from cardshoe.process.http.connection_limits import Door
from cardshoe.process.http.http_server import bounded_server
from tests.cardshoe.floor.facts.support import BEGUN, DEALT, cards, events, opened
from tests.cardshoe.floor.filling import Played
from tests.cardshoe.floor.pages.support import looked_at, of_supervisor
from tests.cardshoe.floor.postgres import needs_postgres

pytestmark = needs_postgres
HOST: Final = b"127.0.0.1:8472"
PATIENCE_S: Final = 60


class Reader:
    """One who listens to a stream.

    Args:
        app: the application.
        path: of the stream.
        is_stuck: whether nothing is taken after the head of the answer.
    """

    def __init__(self, app: ASGIApp, path: str, *, is_stuck: bool = False) -> None:
        self.heard: Final[asyncio.Queue[tuple[str, Any]]] = asyncio.Queue()
        self.status = 0
        self._is_stuck: Final = is_stuck
        self._gone: Final = asyncio.Event()
        self.task: Final = asyncio.create_task(self._listen(app, path))

    async def _listen(self, app: ASGIApp, path: str) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": address, "raw_path": address.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(b"host", HOST)], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8472),
        }  # fmt: skip
        await app(scope, self._receive, self._send)

    async def _receive(self) -> Message:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.heard.put_nowait(("status", self.status))
            return
        if self._is_stuck:
            await asyncio.Event().wait()
        kind, data = "", ""
        for line in message.get("body", b"").decode().splitlines():
            name, _, value = line.partition(": ")
            kind, data = (value, data) if name == "event" else (kind, data + value if name == "data" else data)
        if kind:
            self.heard.put_nowait((kind, json.loads(data)))

    async def next(self, kind: str) -> Any:  # noqa: ANN401  # what JSON holds
        """The next event of a kind."""
        while (one := await self.heard.get())[0] != kind:
            continue
        return one[1]

    async def leave(self) -> None:
        """Goes away."""
        self._gone.set()
        with suppress(Exception):
            await self.task


def stage(database: str, folder: Path, act: Callable[[ASGIApp, Board, Any], Awaitable[None]], send_s: float) -> None:
    """Has an act before pages with one table."""
    with looked_at(database, folder) as looked:
        table = Played(folder, "T-1", "baccarat", BEGUN)
        looked.filler.deliver(table.play(opened()))

        async def run() -> None:
            board = Board(looked.database)
            app = await of_supervisor(looked.app(board, send_s))
            board.take(board.look())
            async with asyncio.timeout(PATIENCE_S):
                await act(app, board, (looked, table))

        asyncio.run(run())


def test_a_reader_that_takes_nothing_is_cut_off_and_the_others_have_the_newest(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: Board, at: Any) -> None:  # noqa: ANN401  # two of the test's own
        looked, table = at
        stuck, quick = Reader(app, "/tables/events?lang=en", is_stuck=True), Reader(app, "/tables/events?lang=en")
        first = await quick.next("shown")
        assert "T-1" in first["html"]
        for card in DEALT:
            book = table.play(events(*cards(card)))
            looked.filler.deliver(book, book_end(looked))
            board.take(board.look())
        while '<q class="player">P</q>' not in (await quick.next("shown"))["html"]:
            continue
        with suppress(Exception):
            await stuck.task
        assert stuck.task.done()
        await quick.leave()

    stage(database, tmp_path, act, send_s=0.2)


def test_streams_have_an_end_to_their_number_and_end_with_the_floor(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: Board, _at: Any) -> None:  # noqa: ANN401  # as above
        readers = [Reader(app, "/table/events?id=T-1") for _ in range(STREAMS.each)]
        for reader in readers:
            await reader.next("shown")
        refused = Reader(app, "/tables/events")
        await refused.task
        assert refused.status == 503
        await readers[0].leave()
        another = Reader(app, "/tables/events")
        await another.next("shown")
        nobody = Reader(app, "/table/events?id=T-2")
        await nobody.task
        assert nobody.status == 404
        board.end()
        await asyncio.gather(another.task, *(one.task for one in readers[1:]))

    stage(database, tmp_path, act, send_s=5)


def test_a_stream_lasts_longer_than_an_exchange_may(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: Board, _at: Any) -> None:  # noqa: ANN401  # as above
        with closing(Door(socket.create_server(("127.0.0.1", 0)))) as door:
            server = bounded_server(app, door, None, exchange_s=0.5)
            serving = asyncio.create_task(server.serve(sockets=[door]))
            reader, writer = await asyncio.open_connection(*door.getsockname())
            writer.write(b"GET /tables/events HTTP/1.1\r\nHost: %s\r\n\r\n" % HOST)
            for _ in range(3):  # a second each
                await reader.readuntil(b"event: pulse")
            board.end()
            server.should_exit = True
            assert b"0\r\n\r\n" in await reader.read()
            writer.close()
            await serving

    stage(database, tmp_path, act, send_s=5)


def book_end(looked: Any) -> int:  # noqa: ANN401  # as above
    """How many lines are stored of the one log."""
    [row] = looked.database.rows("SELECT mark + 1 AS size FROM streams", {})
    size: int = row["size"]
    return size

"""The streams of the pages: the newest state and no queue for each client, and an end to those who take nothing."""

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from msgspec import structs
from starlette.types import ASGIApp, Message

from cardshoe.floor.database import Database
from cardshoe.floor.pages.all_tables import AllTables
from cardshoe.floor.pages.live import STREAMS
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.pages.tiles import Device, Tile, Trouble
from cardshoe.process.http.connection_limits import LimitedListener
from cardshoe.process.http.http_server import bounded_server
from tests.cardshoe.floor.facts.support import BEGUN, DEALT, cards, events, opened
from tests.cardshoe.floor.filling import Played
from tests.cardshoe.floor.pages.support import looked_at, of_supervisor
from tests.cardshoe.floor.postgres import needs_postgres

pytestmark = needs_postgres
HOST: Final = b"127.0.0.1:8472"
PATIENCE_S: Final = 60


class Reader:
    """One who listens to a stream."""

    def __init__(self, app: ASGIApp, path: str, *, is_stuck: bool = False, last: str = "") -> None:
        self.heard: Final[asyncio.Queue[tuple[str, Any]]] = asyncio.Queue()
        self.status = 0
        self._is_stuck: Final = is_stuck
        self._last: Final = last.encode()
        self._gone: Final = asyncio.Event()
        self.task: Final = asyncio.create_task(self._listen(app, path))

    async def _listen(self, app: ASGIApp, path: str) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": address, "raw_path": address.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(b"host", HOST), (b"last-event-id", self._last)], "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8472),
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
        for said in message.get("body", b"").decode().split("\r\n\r\n")[:-1]:
            event = dict(line.split(": ", 1) for line in said.splitlines())
            self.heard.put_nowait((event["event"], json.loads(event["data"])))

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


def tile(table: str) -> Tile:
    """A table at which a round is dealt."""
    devices = [
        Device(name="shoe", model="TDP S-416", kind="S-416", serial="1", firmware="1.7.2", verdict="", is_well=True)
    ]
    return Tile(
        table=table,
        key=(object(),),
        game="baccarat",
        phase="dealing",
        shoe=1,
        round=7,
        croupier="7001",
        devices=devices,
        lag=0,
        is_proved=True,
        results=["player", "banker", "tie", "banker"],
        troubles=[],
    )


def stage(
    database: str,
    folder: Path,
    act: Callable[[ASGIApp, TablePoller, Any], Awaitable[None]],
    send_s: float,
    person: str = "sara",
) -> None:
    """Has an act before pages with one table, at which a person looks."""
    with looked_at(database, folder) as looked:
        table = Played(folder, "T-1", "baccarat", BEGUN)
        looked.filler.deliver(table.play(opened()))

        async def run() -> None:
            board = TablePoller(looked.database)
            app = await of_supervisor(looked.app(board, send_s), person)
            board.take(board.look())
            async with asyncio.timeout(PATIENCE_S):
                await act(app, board, (looked, table))

        asyncio.run(run())


def test_a_reader_that_takes_nothing_is_cut_off_and_the_others_have_the_newest(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: TablePoller, at: Any) -> None:  # noqa: ANN401  # two of the test's own
        looked, table = at
        stuck, quick = Reader(app, "/tables/events?lang=en", is_stuck=True), Reader(app, "/tables/events?lang=en")
        first = await quick.next("shown")
        assert "T-1" in first["html"]
        for card in DEALT:
            book = table.play(events(*cards(card)))
            looked.filler.deliver(book, book_end(looked))
            board.take(board.look())
        while "<q class='player'>P</q>" not in (await quick.next("changed"))["parts"].get("t-T-1", ""):
            continue
        with suppress(Exception):
            await stuck.task
        assert stuck.task.done()
        await quick.leave()

    stage(database, tmp_path, act, send_s=0.2)


def test_streams_have_an_end_to_their_number_and_end_with_the_floor(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: TablePoller, _at: Any) -> None:  # noqa: ANN401  # as above
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


def test_a_timeline_follows_its_table(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: TablePoller, at: Any) -> None:  # noqa: ANN401  # as above
        looked, table = at
        reader = Reader(app, "/surveillance/events?table=T-1&lang=en")
        assert "Follows the table" in (await reader.next("shown"))["html"]
        looked.filler.deliver(table.play(events(*cards(DEALT[0], by_hand=True))), book_end(looked))
        board.take(board.look())
        html = (await reader.next("shown"))["html"]
        assert "Entered by hand" in html.split("<tbody>")[1].split("</tr>")[0]
        nobody = Reader(app, "/surveillance/events?table=T-2")
        await nobody.task
        assert nobody.status == 404
        await reader.leave()

    stage(database, tmp_path, act, send_s=5, person="vera")


def test_a_stream_lasts_longer_than_an_exchange_may(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: TablePoller, _at: Any) -> None:  # noqa: ANN401  # as above
        with closing(LimitedListener(socket.create_server(("127.0.0.1", 0)))) as door:
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


def with_trouble(board: TablePoller, number: int) -> None:
    """Something is wrong at one table of the board, or is not any more."""
    tiles = list(board.tiles)
    wrong = [] if tiles[number].troubles else [Trouble(kind="lag", count=250)]
    tiles[number] = structs.replace(tiles[number], key=(object(),), troubles=wrong)
    board.take(tiles)


def parts_of(event: bytes) -> set[str]:
    """The keys of the parts that an event changes; the whole page: ``whole``."""
    data = json.loads(event.split(b"data: ")[1].split(b"\r\n")[0]) if event else {"parts": {}}
    return set(data["parts"]) if "parts" in data else {"whole"}


def test_a_reader_gets_what_has_changed_since_it_looked_encoded_once_for_all() -> None:
    board = TablePoller(Database("host=/nowhere", 1))
    board.take([tile(f"T-{number}") for number in range(300)])
    tables = AllTables(Templates(PagesSettings()), board)
    first, whole = tables.news("en", None)
    assert parts_of(whole) == {"whole"}
    assert tables.news("en", first) == (first, b"")
    with_trouble(board, 7)
    second, event = tables.news("en", first)
    assert parts_of(event) == {"sum", "worst", "t-T-7"}
    assert tables.news("en", first)[1] is event
    assert tables.news("pt", first)[1] != event
    for _ in range(2):  # 250 lines behind, and not any more
        with_trouble(board, 8)
        tables.news("en", second)
    third, event = tables.news("en", second)
    assert parts_of(event) == {"sum", "worst", "t-T-8"}
    assert parts_of(tables.news("en", first)[1]) == {"sum", "worst", "t-T-7", "t-T-8"}
    assert len(event) < len(whole) / 50
    # A version of which nothing is shown leads nowhere; another table wants the whole page.
    board.take([structs.replace(one, key=(object(),)) for one in board.tiles])
    assert tables.news("en", third)[1] == b""
    board.take([*board.tiles, tile("T-300")])
    fourth, event = tables.news("en", third)
    assert parts_of(event) == {"whole"}
    assert event == tables.whole("en").event
    assert tables.news("en", fourth) == (fourth, b"")


def test_ids_that_look_alike_have_parts_of_their_own() -> None:
    board = TablePoller(Database("host=/nowhere", 1))
    board.take([tile('T"\u202e'), tile('T"\u202d'), tile("桌")])
    html = AllTables(Templates(PagesSettings()), board).whole("en").html
    assert re.findall(r"data-key='t-([^']+)'", html) == ["T%22%E2%80%AE", "T%22%E2%80%AD", "%E6%A1%8C"]


def test_who_comes_back_gets_the_whole_page_whatever_it_had(database: str, tmp_path: Path) -> None:
    async def act(app: ASGIApp, board: TablePoller, _at: Any) -> None:  # noqa: ANN401  # two of the test's own
        for number in range(2):
            reader = Reader(app, "/tables/events?lang=en", last=f"any:{board.version - number}")
            assert "T-1" in (await reader.next("shown"))["html"]
            with_trouble(board, 0)
            assert set((await reader.next("changed"))["parts"]) == {"sum", "worst", "t-T-1"}
            await reader.leave()

    stage(database, tmp_path, act, send_s=5)


def book_end(looked: Any) -> int:  # noqa: ANN401  # as above
    """How many lines are stored of the one log."""
    [row] = looked.database.rows("SELECT mark + 1 AS size FROM streams", {})
    size: int = row["size"]
    return size

"""Attack: somebody who knows no PIN keeps others from signing in, or from looking at the table."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

import httpx
from starlette.applications import Starlette
from starlette.types import Message

from cardshoe.persons.lockout import OF_ID, TERMINAL, TRIES, Source
from cardshoe.persons.request_sources import PinsWaiting, StreamLimits, Streams
from cardshoe.persons.sessions import SignInPlace
from cardshoe.persons.sign_in import SignedInto
from cardshoe.process.http.problems import RequestRejected
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.display.app import Display
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.server import ROOM
from cardshoe.table.display.settings import DisplaySettings
from tests.cardshoe.floor.browsers import Browser, Interface
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.persons.support import PINS, WRONG, table_with_persons
from tests.cardshoe.table.display.support import displayed_with_persons, signed_in
from tests.cardshoe.table.live.support import ServedTable
from tests.kit.waiting import PATIENCE_S

AFAR: Final = "198.51.100.7"
HERE: Final = "127.0.0.1"
BURST: Final = 300
"""Requests at once, in one turn of the loop."""
SUPERVISORS: Final = ("sara", "sven")
EVERYBODY: Final = (*PINS, "nobody", "x" * 64)


def post(client: httpx.Client, person: str, pin: str) -> httpx.Response:
    return client.post("/api/v1/session", json={"id": person, "pin": pin})


@asynccontextmanager
async def display_of(table: ServedTable) -> AsyncIterator[Starlette]:
    """The display of a table, in this process: its requests may come from any address."""
    section = DisplaySection(listen="127.0.0.1:0", languages=["en"])
    feed = Feed(table.place)
    folder = str(table.place.folder)
    app = Display(DisplaySettings(folder=folder, table_id="T-1", section=section, currency="MOP"), feed).app([])
    async with app.router.lifespan_context(app):
        while feed.why_not:
            await feed.changed(1.0)
        yield app


def client_at(app: Starlette, address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(address, 1)), base_url="http://127.0.0.1")


async def tried(client: httpx.AsyncClient, person: str, pin: str) -> str | None:
    """Why a sign-in was refused; ``None``: it was not."""
    answer = await client.post("/api/v1/session", json={"id": person, "pin": pin})
    assert answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR, answer.text
    refused: str | None = answer.json().get("refused")
    return refused


def test_nobody_elsewhere_keeps_the_tables_own_screen_from_signing_in(tmp_path: Path) -> None:
    async def act(table: ServedTable) -> None:
        async with display_of(table) as app, client_at(app, HERE) as screen, client_at(app, AFAR) as tablet:
            assert await tried(tablet, "sara", PINS["sara"]) is None
            over, refused = asyncio.Event(), set()

            async def attack(address: str) -> None:
                async with client_at(app, address) as attacker:
                    while not over.is_set():
                        for person in EVERYBODY:
                            refused.add(await tried(attacker, person, WRONG))

            attackers = [asyncio.create_task(attack(f"198.51.100.{number}")) for number in range(100, 140)]
            came: list[str | None] = []
            while len(came) < 16 or not {"locked", "busy"} <= refused:
                screen.cookies.clear()
                came += [await tried(screen, person, PINS[person]) for person in SUPERVISORS]
            over.set()
            await asyncio.gather(*attackers)
            assert set(came) == {None}
            assert refused == {"not_permitted", "locked", "busy"}
            # From elsewhere an ID is locked, but for browsers in which somebody has signed in.
            for number in range(OF_ID):
                async with client_at(app, f"203.0.113.{number}") as stranger:
                    await tried(stranger, "sara", WRONG)
            async with client_at(app, "203.0.113.99") as stranger:
                assert await tried(stranger, "sara", PINS["sara"]) == "locked"
            assert await tried(tablet, "sven", PINS["sven"]) is None
        assert table.persons is not None
        assert isinstance(table.persons.sign_in(SignInPlace("terminal"), "sara", PINS["sara"], TERMINAL), SignedInto)

    with table_with_persons(tmp_path) as table:
        asyncio.run(act(table))


def test_a_stranger_at_the_same_address_locks_out_no_browser_that_has_signed_in(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (table, home), httpx.Client(base_url=home.base_url) as stranger:
        signed_in(home, "cara")
        for person in PINS:
            refused = [post(stranger, person, WRONG).json()["refused"] for _ in range(TRIES + 1)]
            assert refused[-1] == "locked"
        assert post(stranger, "sara", PINS["sara"]).json()["refused"] == "locked"
        for person in SUPERVISORS:
            signed_in(home, person)
        assert table.persons is not None
        assert isinstance(table.persons.sign_in(SignInPlace("terminal"), "sara", PINS["sara"], TERMINAL), SignedInto)


def test_who_has_signed_in_guesses_no_more_pins_with_more_browsers(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (_, home):
        tries = 0
        while True:
            with httpx.Client(base_url=home.base_url) as another:
                signed_in(another, "vera", "own")
                answers = [post(another, "sven", WRONG).json()["refused"] for _ in range(TRIES)]
            tries += answers.count("not_permitted")
            if "locked" in answers:
                break
        assert tries <= OF_ID


def test_one_pin_of_each_source_waits_and_those_of_the_table_have_room() -> None:
    waiting = PinsWaiting(4, 2)
    with ExitStack() as going:
        for number in range(2):
            source = Source(f"198.51.100.{number}", "remote")
            assert not waiting.is_full(source)
            going.enter_context(waiting.waits(source))
            assert waiting.is_full(source)
        assert waiting.is_full(Source("198.51.100.9", "remote"))
        assert waiting.is_full(Source("a", "remote_known"))
        for here in (Source(HERE, "here"), Source("b", "here_known")):
            assert not waiting.is_full(here)
            going.enter_context(waiting.waits(here))
        assert waiting.is_full(Source("127.0.0.2", "here"))
    assert not waiting.is_full(Source("198.51.100.9", "remote"))


def strangers() -> Iterator[Source]:
    yield from (Source(f"198.51.100.{number}", "remote") for number in range(20))
    yield Source(HERE, "here")
    yield Source("a", "remote_known")


def test_strangers_leave_streams_for_the_tables_screen_and_for_those_who_have_signed_in() -> None:
    limits, streams = StreamLimits(), Streams()
    with ExitStack() as going:
        opened = {}
        for source in strangers():
            for number in range(limits.all):
                try:
                    streams.check(source)
                except RequestRejected:
                    break
                going.enter_context(streams.open(source))
                opened[source] = number + 1
        assert max(opened.values()) == limits.each
        assert sum(number for source, number in opened.items() if source.kind == "remote") == limits.strange_afar
        assert opened[Source(HERE, "here")] == limits.strange - limits.strange_afar == limits.each
        assert opened[Source("a", "remote_known")] == limits.all - limits.strange == limits.each
        assert streams.count == limits.all
    assert streams.count == 0


def test_one_client_does_not_take_all_streams_of_a_display(tmp_path: Path) -> None:
    with displayed_with_persons(tmp_path) as (_, home), ExitStack() as going:
        signed_in(home, "cara")
        stranger = going.enter_context(
            httpx.Client(base_url=home.base_url, limits=httpx.Limits(max_connections=None), timeout=30)
        )
        statuses: list[int] = []
        parts: list[Iterator[bytes]] = []
        for _ in range(StreamLimits().all):
            stream = going.enter_context(stranger.stream("GET", "/pages/croupier/events"))
            statuses.append(stream.status_code)
            if stream.is_success:
                parts.append(stream.iter_bytes())
                next(parts[-1])
        assert statuses == [200] * StreamLimits().each + [503] * (StreamLimits().all - StreamLimits().each)
        stream = going.enter_context(home.stream("GET", "/pages/croupier/events"))
        assert stream.status_code == HTTPStatus.OK


def test_a_burst_of_requests_opens_no_more_streams_than_there_may_be(tmp_path: Path) -> None:
    async def act(table: ServedTable) -> None:
        async with display_of(table) as app:
            begun: list[int] = []
            all_begun = asyncio.Event()

            async def open_one() -> None:
                over = asyncio.Event()

                async def receive() -> Message:
                    await over.wait()
                    return {"type": "http.disconnect"}

                async def send(message: Message) -> None:
                    if message["type"] == "http.response.start":
                        begun.append(message["status"])
                        if len(begun) == BURST:
                            all_begun.set()

                path = "/pages/croupier/events"
                scope = {
                    "type": "http",
                    "http_version": "1.1",
                    "method": "GET",
                    "path": path,
                    "raw_path": path.encode(),
                }
                scope |= {"query_string": b"", "headers": [], "client": (AFAR, 1), "scheme": "http", "root_path": ""}
                await app(scope, receive, send)

            asked = [asyncio.create_task(open_one()) for _ in range(BURST)]
            await all_begun.wait()
            assert Counter(begun) == {200: StreamLimits().each, 503: BURST - StreamLimits().each}
            for one in asked:
                one.cancel()
            await asyncio.gather(*asked, return_exceptions=True)

    with table_with_persons(tmp_path) as table:
        asyncio.run(act(table))


@needs_postgres
def test_a_stranger_at_the_floor_locks_out_no_browser_that_has_signed_in(cluster: Postgres, tmp_path: Path) -> None:
    with Interface(tmp_path / "state", cluster.database("floor")) as interface:
        known, stranger = Browser(interface), Browser(interface)
        known.keeps = ("cardshoe_floor_browser",)
        assert known.sign_in("vera").status_code == HTTPStatus.CREATED
        for person in PINS:
            refused = [stranger.sign_in(person, WRONG).json()["refused"] for _ in range(TRIES + 1)]
            assert refused[-1] == "locked"
        assert stranger.sign_in("sara").json()["refused"] == "locked"
        for person in SUPERVISORS:
            assert known.sign_in(person).status_code == HTTPStatus.CREATED


def test_connections_that_say_nothing_are_limited_and_displace_each_other(tmp_path: Path) -> None:
    """300 of one address, and 70 each of three more: those that came first from there are closed, and no stream is."""
    with displayed_with_persons(tmp_path) as (_, client), ExitStack() as held:
        address = (str(client.base_url.host), int(client.base_url.port or 0))
        stream = held.enter_context(client.stream("GET", "/api/v1/events"))
        pulses = stream.iter_raw()
        next(pulses)

        def silent(source: str) -> socket.socket:
            made = socket.create_connection(address, PATIENCE_S, source_address=(source, 0))
            return held.enter_context(made)

        for source, count in (("127.0.0.2", 300), ("127.0.0.3", 70), ("127.0.0.4", 70), ("127.0.0.5", 70)):
            there = [silent(source) for _ in range(count)]
            assert [is_closed(one) for one in there[: count - ROOM.each]] == [True] * (count - ROOM.each)
        assert post(client, "sara", PINS["sara"]).status_code == HTTPStatus.CREATED
        next(pulses)


def is_closed(connection: socket.socket) -> bool:
    """Whether the far end closes a connection; it waits for that."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True

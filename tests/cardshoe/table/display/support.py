"""A real table with a real display beside it, and who asks it."""

import asyncio
import http.client
import json
import os
import re
import threading
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from urllib.parse import urlsplit

import httpx
from starlette.applications import Starlette

from cardshoe.persons.refusal import AccessRefusal
from cardshoe.screens.view import TableView
from cardshoe.screens.words import labels
from cardshoe.screens.words.display_section import DisplaySection, Language
from cardshoe.table.display.app import Display
from cardshoe.table.display.child import DisplayChild
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.pages import Pages
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.live.equipment import Check, EquipmentStatus, LinkFault, LinkStatus
from regulations.events.inputs import Table
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.persons.support import PINS, Clock, table_with_persons
from tests.cardshoe.screens.view.support import taken
from tests.cardshoe.table.display.here import DisplayHere
from tests.cardshoe.table.live.support import TABLE, ServedTable
from tests.kit.command import PATIENCE_S
from tests.kit.waiting import eventually
from tests.sim.croupier.plain_table import PlainTable

Done = TypeVar("Done")
SAID = re.compile(r"""\b[wt]\("((?:[^"\\]|\\.)*)"|\b[wt]\('([^']*)'""")

EQUIPMENT: Final = EquipmentStatus(
    links=[
        LinkStatus(
            device="shoe",
            family="angel_eye",
            port="usb:0403:6001",
            stage="bytes",
            advice="Bytes arrive and make no frame: check baud rate and device family.",
            connected_s=12.5,
            counts={name: number for number, name in enumerate(labels.LINK_COUNTS, start=1001)},
            faults=[LinkFault(ago_s=3.4, reason="bad_checksum", length=17)],
        )
    ],
    checks=[
        Check(about="disk", level="ok", what="12 GB free"),
        Check(about="device shoe", level="problem", what="no permission", remedy="Add the account to dialout."),
    ],
    checked_at="2026-11-28T12:00:00Z",
    is_checking=True,
    next_build="0.2.0-3f9a1c2b",
    command="cardshoe doctor /etc/cardshoe/b-101.toml --listen 10",
)
"""Of a table whose shoe has the wrong speed."""
PADS: Final = re.compile(r'<section class="pad".*?</section>|<dialog .*?</dialog>', re.DOTALL)
"""What there is of all cards alike, for whoever enters one by hand."""
LEFT: Final = re.compile(r'<ol id="round-left".*?</ol>', re.DOTALL)
"""The cards that left in the round, once more and in their order, for whoever corrects it."""
ENDS_MAX: Final = 20
"""Requests that an ending process may take along, one after the other."""
DISPLAY: Final = re.compile(r"-m\0cardshoe\.table\.display\0")


@contextmanager
def displayed(
    folder: Path, table: Table = TABLE, languages: tuple[Language, ...] = ("zh-Hant", "en"), *, apart: bool = False
) -> Iterator[tuple[ServedTable, httpx.Client]]:
    """A table, and a client of its display, once that is ready.

    Args:
        apart: the display is a process, as at a table.
    """
    section = DisplaySection(listen="127.0.0.1:0", languages=list(languages), simulated=True)
    with ServedTable(folder, table) as served, client_of(folder, table, section, apart=apart) as client:
        yield served, client


@contextmanager
def displayed_with_persons(
    folder: Path, clock: Clock | None = None, *, apart: bool = False
) -> Iterator[tuple[ServedTable, httpx.Client]]:
    """A table of baccarat that knows everybody of `ROLES`, and a client of its display, as a browser that has a tab."""
    section = DisplaySection(listen="127.0.0.1:0", languages=["en"])
    with table_with_persons(folder, clock) as served, client_of(folder, TABLE, section, apart=apart) as client:
        yield served, client


@contextmanager
def client_of(folder: Path, table: Table, section: DisplaySection, *, apart: bool = False) -> Iterator[httpx.Client]:
    """A client of a table's display, once that is ready."""
    settings = DisplaySettings(folder=str(folder), table_id=table.table_id, section=section, currency="MOP")
    display = DisplayChild(settings) if apart else DisplayHere(settings)
    with display, httpx.Client(base_url=display.home, timeout=PATIENCE_S) as client:
        ready(client)
        yield client


def signed_in(client: httpx.Client, person: str, screen: str = "table") -> dict[str, Any]:
    """Signs a person in; the session, whose csrf goes along from now on."""
    answer = client.post("/api/v1/session", json={"id": person, "pin": PINS[person], "screen": screen})
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    found: dict[str, Any] = answer.json()
    client.headers["Cardshoe-Csrf"] = found["csrf"]
    return found


def caught_up(table: ServedTable) -> int:
    """The number of the last line, once the table has taken all that waits, such as who has just signed in or out."""
    done = threading.Event()
    nothing = AccessRefusal(code="busy", reason="nothing is asked")
    table.controller.ask_and_wait(lambda: nothing, lambda _: done.set())
    assert done.wait(PATIENCE_S)
    return table.log.journal.last_seq


def ready(client: httpx.Client, status: int = 200) -> dict[str, Any]:
    """Waits until the display has heard of the table, or has lost it; what it says then of how ready it is.

    On a busy machine the table is lost and found again: so the pulse alone does not count.
    """
    for told in events(client, "/pages/board/events"):
        if told["event"] == "pulse" and (told["data"]["why_not"] == "") == (status == HTTPStatus.OK):
            answer = client.get("/readyz")
            if answer.status_code == status:
                found: dict[str, Any] = answer.json()
                return found
    raise AssertionError(f"the display ended before it answered {status}")


def ready_again(client: httpx.Client) -> None:
    """Waits as `ready` does for a display that is started again; a request that the old one took along is made anew."""
    for _ in range(ENDS_MAX):
        try:
            ready(client)
        except httpx.TransportError:
            continue
        return
    raise AssertionError(f"{ENDS_MAX} requests in a row were broken off")


def events(client: httpx.Client, path: str = "/api/v1/events", last: str = "") -> Iterator[dict[str, Any]]:
    """The events of a stream: `event`, `id` and `data`."""
    with client.stream("GET", path, headers={"Last-Event-ID": last} if last else {}) as stream:
        told: dict[str, Any] = {}
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if line:
                told[name] = json.loads(value) if name == "data" else value
            else:
                yield told
                told = {}


def of_kind(stream: Iterator[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The next event of a kind."""
    return next(one for one in stream if one["event"] == kind)


def display_pid() -> int:
    """The process id of the display that is a child of this process."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            status = (folder / "status").read_text()
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if f"PPid:\t{os.getpid()}\n" in status and DISPLAY.search(words):
            return int(folder.name)
    raise AssertionError("no display runs")


def raw(client: httpx.Client, host: str, path: str = "/board") -> tuple[int, bytes]:
    """Asks by another name, as a page would for which somebody has bent the names."""
    parts = urlsplit(str(client.base_url))
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE_S)
    connection.request("GET", path, headers={"Host": host})
    answer = connection.getresponse()
    status, body = answer.status, answer.read()
    connection.close()
    return status, body


def pages_of(table: Table) -> Iterator[tuple[TableView, str]]:
    """Each state of a table as a simulated croupier leads to it, with the croupier's page of it."""
    settings = DisplaySettings(folder=".", table_id="T", section=DisplaySection(), currency="MOP")
    pages = Pages(settings, Feed(settings.place))
    at = PlainTable(7, table, reads=True, mistakes=0.05, interference=0, orders=HouseInstructions(games=None, rounds=4))
    at.run()
    view = TableView()
    for _, one in taken(table, [event for event, _ in at.log[1:]]):
        view.take(one.event, one.outputs)
        yield view, pages.render("croupier", view)


class Inside:
    """A client of a display in this process, on an event loop of its own thread."""

    def __init__(self, app: Starlette, peer: str) -> None:
        self._app: Final = app
        self._peer: Final = peer
        self._loop: Final = asyncio.new_event_loop()
        self._thread: Final = threading.Thread(target=self._loop.run_forever)
        self._held: Final = AsyncExitStack()

    def __enter__(self) -> Self:
        self._thread.start()
        self._client = self._done(self._begin())
        return self

    def __exit__(self, *_: object) -> None:
        self._done(self._held.aclose())
        self._done(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _begin(self) -> httpx.AsyncClient:
        await self._held.enter_async_context(self._app.router.lifespan_context(self._app))
        transport = httpx.ASGITransport(self._app, client=(self._peer, 1))
        return await self._held.enter_async_context(
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8443", timeout=PATIENCE_S)
        )

    def _done(self, work: Coroutine[Any, Any, Done]) -> Done:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401  as httpx takes it
        return self._done(self._client.request(method, path, **more))

    def get(self, path: str, params: Mapping[str, str] | None = None) -> httpx.Response:
        """A page."""
        return self._answered("GET", path, params=params)

    def _answered(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401  as httpx takes it
        """An answer; asked for again while a busy machine keeps the table silent for the display."""
        found: list[httpx.Response] = []

        def is_answered() -> bool:
            found.append(self.request(method, path, **more))
            return found[-1].status_code != HTTPStatus.SERVICE_UNAVAILABLE

        eventually(is_answered, f"{path} is answered")
        return found[-1]

    def enter(self, person: str = "sara") -> None:
        """Sign a person in."""
        answer = self._answered("POST", "/api/v1/session", json={"id": person, "pin": PINS[person], "screen": "own"})
        assert answer.status_code == HTTPStatus.CREATED, answer.text


@contextmanager
def inside(table: ServedTable, peer: str = "127.0.0.1", **changes: Any) -> Iterator[Inside]:  # noqa: ANN401  of the section
    """The display of a table in this process for a browser at an address, once it receives the table."""
    section = DisplaySection(**{"languages": ["en"], **changes})
    place = table.place
    settings = DisplaySettings(folder=str(place.folder), table_id=place.stem, section=section, currency="MOP")
    feed = Feed(settings.place)
    with Inside(Display(settings, feed).app([]), peer) as client:
        eventually(lambda: not feed.why_not, "the display receives the table")
        yield client

"""The floor's pages in this process, before a real PostgreSQL that the real collector has filled; a person looks."""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from cardshoe.floor.database import Database
from cardshoe.floor.interface import make_app
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.routes import page_routes
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.persons.recorder import Recorder
from cardshoe.floor.persons.sign_in import FloorEntrance, Visiting
from cardshoe.journal.file.chain import lines_of
from cardshoe.process.http.streams import SEND_S
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.facts.support import BY, CLOSED, DEALT, cards, written
from tests.cardshoe.floor.filling import Filling, filling
from tests.cardshoe.floor.house import PINS, everybody, roll_in
from tests.cardshoe.persons.support import CHEAP

DAY: Final = "2026-11-23"

HOME: Final = "http://127.0.0.1:8472"


async def signed_in(app: ASGIApp, person: str = "sara") -> str:
    """The cookie of a person who has signed in; a person has one session."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOME) as client:
        answer = await client.post("/api/v1/session", json={"id": person, "pin": PINS[person]})
        assert answer.status_code == 201, answer.text
        return answer.headers["set-cookie"].partition(";")[0]


async def of_supervisor(app: ASGIApp, person: str = "sara") -> ASGIApp:
    """An application whose every request comes from the browser of a person, a supervisor, who has signed in."""
    cookie = (await signed_in(app, person)).encode()

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"cookie", cookie)]}
        await app(scope, receive, send)

    return asked


class Client:
    """Asks an application in this process, as a person who has signed in."""

    def __init__(self, app: ASGIApp, person: str) -> None:
        self._transport: Final = httpx.ASGITransport(app)
        self._cookie: Final = asyncio.run(signed_in(app, person))

    def get(
        self, path: str, params: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:

        async def asked() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport, base_url=HOME) as client:
                return await client.get(path, params=params, headers={"cookie": self._cookie, **(headers or {})})

        return asyncio.run(asked())


class Looked:
    """Pages, and who asks for them."""

    def __init__(
        self,
        database: Database,
        filler: Filling,
        settings: PagesSettings,
        entrance: FloorEntrance,
        person: str = "sara",
    ) -> None:
        self.filler: Final = filler
        self.database: Final = database
        self.board: Final = TablePoller(database)
        self.settings: Final = settings
        self.entrance: Final = entrance
        self.recorder: Final = Recorder(database)
        self.client: Final = Client(self.app(self.board), person)

    def app(self, board: TablePoller, send_s: float = SEND_S) -> ASGIApp:
        """The application, before another board as well."""
        visiting = Visiting(self.entrance, is_secure=False)
        pages = page_routes(board, self.database, self.settings, self.recorder.record, visiting.who, send_s)
        return make_app(self.database, ["127.0.0.1:8472"], visiting, pages=pages)

    def look(self) -> None:
        """The board looks, to the end of what there is."""
        board = self.board
        while True:
            lines = board.projector.look()
            if not lines and not board.projector.is_behind:
                break
        board.take(board.look())

    def get(self, path: str, within: Mapping[str, str] | None = None, status: int = 200, **query: str) -> str:
        """A page in English, once the board has looked.

        Args:
            path: of the page.
        """
        self.look()
        answer = self.client.get(path, params={"lang": "en", **(within or {}), **query})
        assert answer.status_code == status, answer.text
        return answer.text


@contextmanager
def looked_at(address: str, folder: Path, settings: PagesSettings | None = None) -> Iterator[Looked]:
    """Pages before a database."""
    roll = roll_in(folder / "state")
    everybody(roll)
    with (
        filling(address, folder / "filler") as (database, filler),
        FloorEntrance(roll, Recorder(database), CHEAP) as entrance,
    ):
        yield Looked(database, filler, settings or PagesSettings(language="en"), entrance)


def trouble(folder: Path, name: str = "T-1") -> Journal:
    """A round, a void one, a correction, a card by hand, an override, and a dispute that is settled."""
    fault = {"event": "fault", "device": "shoe", "code": 3}
    by: dict[str, object] = {"event": "resolve", "by": BY}
    return written(
        folder,
        *cards(*DEALT),
        {"event": "misdeal", "detail": "card_entered_wrongly"},
        {**by, "irregularity": 1, "action": "identify", "cards": [{"index": 4, "card": "2C"}], "ground": "misread"},
        CLOSED,
        *cards("2D", by_hand=True),
        fault,
        {**by, "irregularity": 2, "action": "void"},
        CLOSED,
        {**fault, "event": "fault_cleared"},
        *cards("9D", "3S", "KD", "4H"),
        {"event": "device_result", "device": "shoe", "outcome": "banker"},
        {**by, "irregularity": 3, "action": "continue"},
        {"event": "dispute", "detail": "=HYPERLINK(1)"},
        {**by, "irregularity": 4, "action": "settle"},
        name=name,
    )


def rows_of(html: str) -> list[str]:
    """The rows of all tables of a page, as their texts."""
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in re.findall(r"<tr.*?</tr>", html, re.DOTALL)]


def log_of(book: Journal) -> str:
    """The fingerprint of a journal."""
    return book.batch(0, 1).head.log


def line_of(book: Journal, event: str, number: int = 1) -> int:
    """The number of the first line of a round with this input."""
    found = (json.loads(lines_of(data)[0]) for data in book.entries[1:])
    return next(int(one["seq"]) for one in found if (one["event"], one.get("round")) == (event, number))

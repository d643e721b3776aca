"""The interface of a floor in this process, and browsers that ask it."""

import asyncio
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

import httpx
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from cardshoe.floor.database import Database
from cardshoe.floor.interface import make_app
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.routes import page_routes
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.persons.recorder import Recorder
from cardshoe.floor.persons.sign_in import FloorEntrance, Visiting
from cardshoe.process.http.http_server import PEER
from tests.cardshoe.floor.house import PINS, everybody, roll_in
from tests.cardshoe.persons.support import CHEAP, Clock

HOST: Final = "127.0.0.1:8472"


class Interface:
    """The interface of a floor that knows everybody of `ROLES`; gone at the end of a ``with`` block."""

    def __init__(
        self,
        state: Path,
        address: str,
        *,
        knows: bool = True,
        programs: Collection[str] | None = None,
        secure: bool = False,
    ) -> None:
        self.roll: Final = roll_in(state)
        if knows:
            everybody(self.roll)
        self.clock: Final = Clock()
        self.database: Final = Database(address, 2)
        self.recorder: Final = Recorder(self.database)
        self.entrance: Final = FloorEntrance(self.roll, self.recorder, CHEAP, self.clock)
        self.scheme: Final = "https" if secure else "http"
        visiting = Visiting(self.entrance, is_secure=secure)
        self.board: Final = TablePoller(self.database)
        self.board.end()  # whoever listens to a page hears the end at once
        pages = page_routes(self.board, self.database, PagesSettings(language="en"), self.recorder.record, visiting.who)
        self.app: Final[Starlette] = make_app(
            self.database,
            [] if secure else [HOST],
            visiting,
            programs=programs,
            pages=pages,
        )
        self._held: Final = ExitStack()

    def __enter__(self) -> Self:
        self._held.enter_context(self.database)
        self.database.prepare()
        self._held.enter_context(self.entrance)
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def visits(self) -> list[tuple[str, str, str]]:
        """The record: who, what, details."""
        self.entrance.tick()
        rows = self.database.rows("SELECT person, what, detail FROM visits ORDER BY id", {})
        return [(one["person"], one["what"], one["detail"]) for one in rows]


class Browser:
    """Somebody who asks, with cookies.

    Args:
        name: the common name of a certificate; ``None``: there is none.
    """

    def __init__(self, interface: Interface, name: str | None = None) -> None:
        self._interface: Final = interface
        self._peer: Final = None if name is None else {"subject": ((("commonName", name),),)}
        self.cookie = ""
        """As a browser sends it; empty: none."""
        self.csrf = ""
        self.keeps: Collection[str] = ()
        """Names of other cookies that it keeps."""
        self.kept: Final[dict[str, str]] = {}

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401  # as the library has it
        """Send a request; the csrf of a session goes along."""

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self._named)
            base = f"{self._interface.scheme}://{HOST}"
            cookies = "; ".join([one for one in (self.cookie,) if one] + list(self.kept.values()))
            sent = {"cardshoe-csrf": self.csrf, **({"cookie": cookies} if cookies else {})}
            headers = {**sent, **more.pop("headers", {})}
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                return await client.request(method, path, headers=headers, **more)

        answer = asyncio.run(asked())
        if "set-cookie" in answer.headers:
            said = answer.headers["set-cookie"].partition(";")[0]
            self.cookie = "" if said.endswith('=""') else said
            given = [one.partition(";")[0] for one in answer.headers.get_list("set-cookie")]
            self.kept.update({name: one for one in given if (name := one.partition("=")[0]) in self.keeps})
        return answer

    def sign_in(self, person: str, pin: str | None = None) -> httpx.Response:
        """Signs in as a program does that has the page's part."""
        said = {"id": person, "pin": PINS[person] if pin is None else pin}
        answer = self.ask("POST", "/api/v1/session", json=said)
        if answer.status_code == 201:
            self.csrf = answer.json()["csrf"]
        return answer

    def form(self, path: str, headers: dict[str, str] | None = None, **fields: str) -> httpx.Response:
        """Sends the form of a page, and no header of ours."""
        return self.ask("POST", path, data=fields, headers={"cardshoe-csrf": "", **(headers or {})})

    async def _named(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[PEER] = self._peer
        await self._interface.app(scope, receive, send)

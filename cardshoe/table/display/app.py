"""Routes of a display: pages, `/api/v1`, health, figures (`docs/display.md`)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib import resources
from importlib.metadata import version
from time import monotonic
from typing import Final

import msgspec
from msgspec import Raw, Struct
from sse_starlette import ServerSentEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cardshoe.persons.permissions import PAGES
from cardshoe.persons.request_sources import CountedStream, Streams
from cardshoe.process.clock import wall_time
from cardshoe.process.http.guard import Guard
from cardshoe.process.http.problems import RequestRejected, of_http, of_refusing, problem
from cardshoe.process.http.streams import SEND_S, StreamStatus, event
from cardshoe.screens.view.allowed import Allowed, allowed
from cardshoe.screens.words.display_section import LANGUAGE_NAMES
from cardshoe.screens.words.translation import Words
from cardshoe.table.display import figures
from cardshoe.table.display.drafts import Drafts
from cardshoe.table.display.feed import PULSE_S, Feed
from cardshoe.table.display.openapi import document
from cardshoe.table.display.pages import Pages
from cardshoe.table.display.persons_api import PersonsApi
from cardshoe.table.display.round_pages import TableRounds
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.display.sheets import Sheets, Visitor
from cardshoe.table.display.technician_page import TechnicianPage

PULSE_NEW_S: Final = 0.05
Answer = Callable[[Request], Awaitable[Response]]


class CurrentTable(Struct, frozen=True, kw_only=True):
    """The table after a line; ``current``: reported in the last two seconds."""

    log: str
    seq: int
    current: bool
    view: Raw


class CurrentOptions(Struct, frozen=True, kw_only=True):
    log: str
    seq: int
    current: bool
    options: list[Allowed]


class Version(Struct, frozen=True, kw_only=True):
    version: str
    build: str
    table: str


class Display:
    def __init__(self, settings: DisplaySettings, feed: Feed) -> None:
        self._settings: Final = settings
        self._feed: Final = feed
        drafts = Drafts()
        self._persons: Final = PersonsApi(
            feed,
            is_secure=settings.section.tls is not None,
            words=Words(list(LANGUAGE_NAMES), seats=settings.section.seat_labels),
            drafts=drafts,
            pages_for=self._pages_for,
        )
        waiting = self._persons.awaited
        self._pages: Final = Pages(settings, feed, drafts, waiting=waiting)
        self._translated: Final[dict[str, Pages]] = {
            one: Pages(settings, feed, drafts, one, waiting) for one in LANGUAGE_NAMES
        }
        self._sheets: Final = Sheets(settings, self._persons, self._pages.build)
        self._rounds: Final = (
            TableRounds(self._sheets, feed.place, settings.table_id) if "rounds" in settings.section.pages else None
        )
        self._document: Final = msgspec.json.encode(document(version("cardshoe")))
        self._streams: Final = Streams()
        self._said = (0.0, ("", ""), b"")

    def app(self, hosts: list[str]) -> Starlette:
        """The application."""
        routes = [
            Route("/", self._start if self._settings.start is not None and hosts else self._home),
            *(Route(f"/{name}", self._page(name)) for name in self._pages.names),
            *(Route(f"/pages/{name}/events", self._page_events(name)) for name in self._pages.names),
            Route("/api/v1/table", self._table),
            Route("/api/v1/events", self._events),
            Route("/api/v1/options", self._options),
            Route("/api/v1/openapi.json", self._openapi),
            *self._persons.routes(),
            *(() if self._rounds is None else self._rounds.routes()),
            *self._technician(),
            Route("/healthz", self._healthz),
            Route("/readyz", self._readyz),
            Route("/version", self._version),
            Route("/metrics", self._metrics),
            Mount("/static", StaticFiles(directory=str(resources.files("cardshoe.screens") / "static"))),
        ]
        return Starlette(
            routes=routes,
            middleware=[Middleware(Guard, hosts=hosts, forms=True)],
            exception_handlers={HTTPException: of_http, RequestRejected: of_refusing, Exception: _defect},
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        listening = asyncio.create_task(self._feed.run())
        if self._rounds is not None:
            self._rounds.start()
        try:
            yield
        finally:
            listening.cancel()
            if self._rounds is not None:
                await asyncio.to_thread(self._rounds.stop)
            await self._persons.close()

    def _technician(self) -> list[Route]:
        wanted = "technician" in self._settings.section.pages
        return TechnicianPage(self._sheets, self._settings, self._feed).routes() if wanted else []

    # --- pages -------------------------------------------------------------------------------------------------------

    async def _home(self, _request: Request) -> Response:
        return RedirectResponse(f"/{self._settings.section.pages[0]}", HTTPStatus.TEMPORARY_REDIRECT)

    async def _start(self, request: Request) -> Response:
        return Response(self._pages_for(request).start(), media_type="text/html")

    def _pages_for(self, request: Request) -> Pages:
        return self._translated.get(request.query_params.get("lang", ""), self._pages)

    def _page(self, name: str) -> Answer:
        async def answer(request: Request, visitor: Visitor | None = None) -> Response:
            screen = "table" if visitor is None else visitor.screen
            return Response(self._pages_for(request).whole(name, screen), media_type="text/html")

        return self._sheets.gated(name, answer) if name in PAGES else answer

    def _page_events(self, name: str) -> Answer:
        async def events(request: Request, pages: Pages) -> AsyncIterator[bytes]:
            shown = None
            while not self._feed.is_over and await self._may_see(request, name):
                now = pages.part(name)
                if now is not shown and now is not None:
                    shown = now
                    yield now.event + self._pulse(pages.build)
                else:
                    yield self._pulse(pages.build)
                await self._feed.changed(PULSE_S)

        async def answer(request: Request) -> Response:
            if not await self._may_see(request, name):
                return problem(HTTPStatus.UNAUTHORIZED, "Sign in at the page; its role decides.")
            return self._stream(request, events(request, self._pages_for(request)))

        return answer

    async def _may_see(self, request: Request, name: str) -> bool:
        if name not in PAGES:
            return True
        try:
            session = await self._persons.visitor(request)
        except RequestRejected:
            return False
        return session is not None and session.role in PAGES[name]

    def _pulse(self, build: str = "") -> bytes:
        now, why_not = monotonic(), self._feed.cover
        at, of, said = self._said
        if now - at >= PULSE_NEW_S or of != (build, why_not):
            pulse = msgspec.json.encode(StreamStatus(at=wall_time(), build=build or self._pages.build, why_not=why_not))
            said = ServerSentEvent(pulse.decode(), event="pulse").encode()
            self._said = now, (build, why_not), said
        return said

    # --- the interface -----------------------------------------------------------------------------------------------

    async def _table(self, _request: Request) -> Response:
        if (now := self._now()) is None:
            return self._unknown()
        return _json(msgspec.json.encode(now))

    def _now(self) -> CurrentTable | None:
        feed = self._feed
        if (view := feed.view) is None:
            return None
        # The view is after the last input that is whole: lines of a later one may have come already.
        return CurrentTable(log=feed.log, seq=view.seq, current=not feed.why_not, view=Raw(msgspec.json.encode(view)))

    async def _options(self, _request: Request) -> Response:
        feed = self._feed
        if (view := feed.view) is None:
            return self._unknown()
        now = CurrentOptions(log=feed.log, seq=view.seq, current=not feed.why_not, options=allowed(view))
        return _json(msgspec.json.encode(now))

    def _unknown(self) -> Response:
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, f"Nothing is known of the table: {self._feed.why_not}.")

    async def _events(self, request: Request) -> Response:
        log, _, number = request.headers.get("last-event-id", "").rpartition(":")
        if number and not (number.isascii() and number.isdigit() and len(number) < 19):  # noqa: PLR2004  64 bits
            return problem(HTTPStatus.BAD_REQUEST, "Last-Event-ID is LOG:SEQ, as the id of each event is.")
        return self._stream(request, self._lines(log, int(number or 0)))

    async def _lines(self, log: str, seq: int) -> AsyncIterator[bytes]:
        feed = self._feed
        with feed.listening() as listener:
            missed = feed.after(log, seq) if log else None
            first = b""
            if missed is None and (now := self._now()) is not None:
                log, seq = now.log, now.seq
                first = event("snapshot", f"{log}:{seq}", msgspec.json.encode(now))
                missed = feed.after(log, seq) or []
            for number, line in missed or ():
                seq = number
                first += line
            if first:
                yield first
            while not (listener.is_cut_off or feed.is_over):
                try:
                    told = await listener.next(PULSE_S)
                except TimeoutError:
                    yield self._pulse()
                    continue
                if not told:
                    return  # another log: the client comes back and gets a snapshot
                if new := b"".join(line for number, line in told if number > seq or log != feed.log):
                    log, seq = feed.log, told[-1][0]
                    yield new

    def _stream(self, request: Request, events: AsyncIterator[bytes]) -> Response:
        return CountedStream(self._streams, self._persons.source(request), events, SEND_S)

    async def _openapi(self, _request: Request) -> Response:
        return _json(self._document)

    # --- whoever watches over it -------------------------------------------------------------------------------------

    async def _healthz(self, _request: Request) -> Response:
        return _json(b'{"alive":true}')

    async def _readyz(self, _request: Request) -> Response:
        failing = figures.failing(self._feed)
        if failing:
            named = ", ".join(failing)
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, f"Not ready: {named}.", failing=failing)
        return _json(b'{"ready":true}')

    async def _version(self, _request: Request) -> Response:
        now = Version(version=version("cardshoe"), build=self._pages.build, table=self._feed.build)
        return _json(msgspec.json.encode(now))

    async def _metrics(self, _request: Request) -> Response:
        text = await asyncio.to_thread(figures.text, self._settings, self._feed, self._streams.count)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def _defect(_request: Request, _error: Exception) -> Response:
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "The display has a defect; the table is not affected. Report it.")

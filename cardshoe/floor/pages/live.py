"""Live pages: all tables and one table, with event streams (SSE)."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec
from sse_starlette import ServerSentEvent
from sse_starlette.sse import AppStatus
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from cardshoe.floor.certificates import name_of
from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.all_tables import AllTables
from cardshoe.floor.pages.one_table import OneTable
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.questions import Questions
from cardshoe.floor.pages.rendering import Here, Templates
from cardshoe.persons.lockout import Source
from cardshoe.persons.request_sources import CountedStream, StreamLimits, Streams
from cardshoe.process.clock import wall_time
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.process.http.http_server import PEER
from cardshoe.process.http.problems import problem
from cardshoe.process.http.streams import StreamStatus
from cardshoe.screens.rendering import Part

STREAMS: Final = StreamLimits()
PULSE_S: Final = 1.0
GAP_S: Final = 0.4
SeenT = TypeVar("SeenT")
News = Callable[[SeenT | None], Awaitable[tuple[SeenT, bytes]]]


class LivePages:
    """The live pages; readers that need longer than ``send_s`` seconds are cut off and reconnect."""

    def __init__(self, templates: Templates, board: TablePoller, questions: Questions, send_s: float) -> None:
        self._templates: Final = templates
        self._board: Final = board
        self._questions: Final = questions
        self._send_s: Final = send_s
        self._all: Final = AllTables(templates, board)
        self._one: Final = OneTable(templates, board)
        self._streams: Final = Streams(STREAMS)
        # Else that library cancels its streams half a second after a signal; `TablePoller.end` ends them in order.
        AppStatus.enable_automatic_graceful_drain = False

    def routes(self) -> list[BaseRoute]:
        """Routes of pages and streams."""
        return [
            Route("/tables", self._tables),
            Route("/tables/events", self._tables_events),
            Route("/table", self._table),
            Route("/table/events", self._table_events),
        ]

    async def _tables(self, request: Request) -> Response:
        here = self._questions.here(request)
        stream = f"/tables/events?lang={here.language}"
        part = self._all.whole(here.language)
        return HTMLResponse(self.page("tables", here, part, stream, here.word(floor_labels.NAV["tables"])))

    async def _tables_events(self, request: Request) -> Response:
        language = self._questions.here(request).language

        async def news(seen: int | None) -> tuple[int, bytes]:
            return self._all.news(language, seen)

        return self.stream(request, news)

    async def _table(self, request: Request) -> Response:
        here = self._questions.here(request)
        table = request.query_params.get("id", "")
        part = await self._one.part(table, here.language)
        if part is None:
            said = here.word(floor_labels.NO_TABLE)
            html = self._templates.page("unknown", here, title=here.word(floor_labels.NAV["tables"]), said=said)
            return HTMLResponse(html, HTTPStatus.NOT_FOUND)
        stream = Here(path="/table/events", query={"id": table}, language=here.language).address()
        return HTMLResponse(self.page("table", here, part, stream, table))

    async def _table_events(self, request: Request) -> Response:
        here = self._questions.here(request)
        table = request.query_params.get("id", "")
        if await self._one.part(table, here.language) is None:
            return problem(HTTPStatus.NOT_FOUND, floor_labels.NO_TABLE)

        async def news(seen: str | None) -> tuple[str, bytes]:
            part = await self._one.part(table, here.language)
            return ("", b"") if part is None else (part.id, b"" if part.id == seen else part.event)

        return self.stream(request, news)

    def page(self, name: str, here: Here, part: Part, stream: str, title: str) -> str:
        """Render a live page for its first request."""
        values = {
            "name": name,
            "stream": stream,
            "title": title,
            "main": part.html,
            "id": part.id,
            "why_not": self._board.why_not,
            "digits": self._templates.currency.digits,
        }
        return self._templates.page("live", here, **values)

    def stream(self, request: Request, news: News[SeenT]) -> Response:
        """Answer with the events of a live page."""
        return CountedStream(self._streams, _reader(request), self._events(news), self._send_s)

    async def _events(self, news: News[SeenT]) -> AsyncIterator[bytes]:
        seen: SeenT | None = None
        why_not, pulsed_s = None, 0.0
        while not self._board.is_over:
            version = self._board.version
            seen, event = await news(seen)
            since_s = time.monotonic() - pulsed_s
            pulse = b""
            if self._board.why_not != why_not or since_s >= (PULSE_S / 2 if event else PULSE_S):
                why_not, pulsed_s, pulse = self._board.why_not, time.monotonic(), self._pulse()
            if event or pulse:
                yield event + pulse
            if event:
                await asyncio.sleep(GAP_S)
            if self._board.version == version:
                await self._board.changed(max(0.0, pulsed_s + PULSE_S - time.monotonic()))

    def _pulse(self) -> bytes:
        pulse = StreamStatus(at=wall_time(), build=self._templates.build, why_not=self._board.why_not)
        return ServerSentEvent(msgspec.json.encode(pulse).decode(), event="pulse").encode()


def _reader(request: Request) -> Source:
    visit = request.scope.get(VISIT)
    if visit is not None:
        return Source(visit.person, "remote_known")
    name = name_of(request.scope.get(PEER))
    return Source("", "here") if name is None else Source(name, "remote")

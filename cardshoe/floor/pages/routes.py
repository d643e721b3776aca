"""The routes of the pages, in one list: who may see which of them is decided around it.

| request | answer |
|---|---|
| ``GET /`` | the way to all tables |
| ``GET /tables``, ``/table?id=`` | all tables; one table |
| ``GET /tables/events``, ``/table/events?id=`` | what these show, whole, each time that it changes (SSE) |
| ``GET /irregularities[?from=&to=&kind=&table=&page=]`` | the history |
| ``GET /plots[?from=&to=&table=]`` | rounds, irregularities, faults of devices |
| ``GET /report[?day=&table=&person=]``, ``/report.csv`` | the day report; as CSV |

Each takes ``lang``, one of ``zh-Hant``, ``pt``, ``en``; else the browser's wish counts.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import partial
from http import HTTPStatus
from importlib import resources
from typing import Any, Final, TypeVar

import msgspec
from markupsafe import Markup
from sse_starlette import ServerSentEvent
from sse_starlette.sse import AppStatus
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from cardshoe.floor.certificates import name_of
from cardshoe.floor.database import Database
from cardshoe.floor.facts.told import ACT_KINDS
from cardshoe.floor.pages import messages as says
from cardshoe.floor.pages.days import ZONE, GamingDays, read_day
from cardshoe.floor.pages.pages import Here, Pages
from cardshoe.floor.pages.plots import bars_of, columns_of, hours_of
from cardshoe.floor.pages.poller import Board
from cardshoe.floor.pages.queries import PAGE_ROWS, PAGES_MAX, REPORT_ROWS, Asked, Span
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.pages.sheet import sheet
from cardshoe.floor.pages.words import WORDS, language_of
from cardshoe.persons.lockout import Source
from cardshoe.persons.request_sources import CountedStream, StreamLimits, Streams
from cardshoe.process.clock import wall_time
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.process.http.http_server import PEER
from cardshoe.process.http.problems import problem
from cardshoe.process.http.streams import SEND_S, Pulse
from cardshoe.screens.rendering import Part
from cardshoe.screens.words import messages

STREAMS: Final = StreamLimits()
"""Streams at once; of one person or program as many as `each`."""
PULSE_S: Final = 1.0
GAP_S: Final = 0.2
"""Seconds between two states that one page gets: where hundreds of tables play, something is new at every look."""
ASKING_MAX: Final = 3
"""Pages that ask the database at once; others wait for their turn."""
DAYS_MAX: Final = 92
"""Gaming days that may be asked for at once: a quarter of a year."""
TEXT_MAX: Final = 200
HISTORY_DAYS: Final = 7
KINDS: Final = (*ACT_KINDS, "dispute")
Who = Callable[[Request], Markup]
"""Who is signed in, for the header of each page."""
AnswerT = TypeVar("AnswerT")


class BadQuestion(ValueError):
    """A question that the pages cannot answer; the text is one of the pages' messages."""


class FloorPages:
    """All pages of a floor.

    Args:
        board: all tables; looks at the database while its `run` does.
        database: prepared, and of whoever looks alone: what they ask must keep neither collector nor board waiting.
        settings: of the pages.
        who: tells who is signed in.
        send_s: seconds in which whoever looks must take what was sent; else the stream is cut off, and comes back.
    """

    def __init__(
        self,
        board: Board,
        database: Database,
        settings: PagesSettings,
        who: Who = lambda _request: Markup(),
        send_s: float = SEND_S,
    ) -> None:
        self._settings: Final = settings
        self._asked: Final = Asked(database)
        self._days: Final = GamingDays(settings.day_begins)
        self._who: Final = who
        self._send_s: Final = send_s
        self._asking: Final = asyncio.Semaphore(ASKING_MAX)
        self._streams: Final = Streams(STREAMS)
        self._board: Final = board
        self._pages: Final = Pages(settings, board)
        # Else that library cancels its streams half a second after a signal; `Board.end` ends them in order.
        AppStatus.enable_automatic_graceful_drain = False

    def routes(self) -> list[BaseRoute]:
        """All routes: pages, their streams, and the files that all pages share."""
        return [
            Route("/", self._home),
            Route("/tables", self._tables),
            Route("/tables/events", self._tables_events),
            Route("/table", self._table),
            Route("/table/events", self._table_events),
            Route("/irregularities", self._irregularities),
            Route("/plots", self._plots),
            Route("/report", self._report),
            Route("/report.csv", self._report_csv),
            Mount("/static/floor", StaticFiles(directory=str(resources.files("cardshoe.floor.pages") / "static"))),
            Mount("/static", StaticFiles(directory=str(resources.files("cardshoe.screens") / "static"))),
        ]

    # --- what goes on by itself --------------------------------------------------------------------------------------

    async def _home(self, request: Request) -> Response:
        return RedirectResponse(f"/tables?lang={self._here(request).language}", HTTPStatus.TEMPORARY_REDIRECT)

    async def _tables(self, request: Request) -> Response:
        here = self._here(request)
        part = self._pages.tables(here.language)
        stream = f"/tables/events?lang={here.language}"
        return _html(self._pages.live("tables", here, part, stream, _word(here, says.NAV["tables"])))

    async def _tables_events(self, request: Request) -> Response:
        language = self._here(request).language

        async def part() -> Part:
            return self._pages.tables(language)

        return self._stream(request, part)

    async def _table(self, request: Request) -> Response:
        here = self._here(request)
        table = request.query_params.get("id", "")
        part = await self._pages.table(table, here.language)
        if part is None:
            return self._unknown(here, says.NO_TABLE)
        stream = Here(path="/table/events", query={"id": table}, language=here.language).address()
        return _html(self._pages.live("table", here, part, stream, table))

    async def _table_events(self, request: Request) -> Response:
        here = self._here(request)
        table = request.query_params.get("id", "")
        if await self._pages.table(table, here.language) is None:
            return problem(HTTPStatus.NOT_FOUND, says.NO_TABLE)
        return self._stream(request, partial(self._pages.table, table, here.language))

    def _stream(self, request: Request, part: Callable[[], Any]) -> Response:
        async def events() -> AsyncIterator[bytes]:
            shown = None
            while not self._board.is_over:
                now = await part()
                if now is not None and (shown is None or now.id != shown):
                    shown = now.id
                    yield now.event
                    await asyncio.sleep(GAP_S)
                yield self._pulse()
                await self._board.changed(PULSE_S)

        return CountedStream(self._streams, _looker(request), events(), self._send_s)

    def _pulse(self) -> bytes:
        pulse = Pulse(at=wall_time(), build=self._pages.build, why_not=self._board.why_not)
        return ServerSentEvent(msgspec.json.encode(pulse).decode(), event="pulse").encode()

    # --- what is asked for -------------------------------------------------------------------------------------------

    async def _irregularities(self, request: Request) -> Response:
        here, today = self._here(request), self._today()
        span, fault = self._span(request, today - timedelta(days=HISTORY_DAYS - 1), today)
        page = _page(request)
        found, count = await self._ask(self._asked.irregularities, span, page)
        pages = min(max(1, math.ceil(count / PAGE_ROWS)), PAGES_MAX)
        html = self._pages.page(
            "irregularities",
            here,
            title=_word(here, says.NAV["irregularities"]),
            span=span,
            fault=fault,
            found=found,
            count=count,
            page=page,
            pages=pages,
            at_page=lambda number: here.address(page=str(number)),
        )
        return _html(html, _status(fault))

    async def _plots(self, request: Request) -> Response:
        here, today = self._here(request), self._today()
        span, fault = self._span(request, today, today)
        rounds = await self._ask(self._asked.rounds, span, hours_of(span))
        kinds = await self._ask(self._asked.kinds, span)
        faulty = await self._ask(self._asked.faulty, span)
        texts: dict[str, str] = {str(code): text for code, text in messages.IRREGULARITIES.items()}
        html = self._pages.page(
            "plots",
            here,
            title=_word(here, says.NAV["plots"]),
            span=span,
            fault=fault,
            rounds=columns_of(span, rounds),
            kinds=bars_of((_word(here, texts.get(code, code)), count) for code, count in kinds.items()),
            faults=bars_of((one.serial or _word(here, says.NOT_KNOWN), one.count) for one in faulty),
            faulty=faulty,
        )
        return _html(html, _status(fault))

    async def _report(self, request: Request) -> Response:
        here = self._here(request)
        span, fault = self._day(request)
        found = await self._ask(self._asked.acts, span, REPORT_ROWS)
        by_person = await self._ask(self._asked.acts_by_person, span)
        by_table = await self._ask(self._asked.acts_by_table, span)
        totals = {kind: sum(counts.get(kind, 0) for counts in by_table.values()) for kind in KINDS}
        query = {"day": span.first.isoformat(), "table": span.table, "person": span.person}
        html = self._pages.page(
            "report",
            here,
            title=_word(here, says.NAV["report"]),
            span=span,
            fault=fault,
            found=found,
            kinds=KINDS,
            totals=totals,
            total=sum(totals.values()),
            by_person=sorted(by_person.items()),
            by_table=sorted(by_table.items()),
            lacking=await self._ask(self._asked.lacking, span),
            now=datetime.now(ZONE),
            csv=Here(path="/report.csv", query=query, language=here.language).address(),
        )
        return _html(html, _status(fault))

    async def _report_csv(self, request: Request) -> Response:
        span, fault = self._day(request)
        if fault:
            return problem(HTTPStatus.BAD_REQUEST, fault)
        name = f"cardshoe-{span.first.isoformat()}.csv"
        return StreamingResponse(
            sheet(self._asked.all_acts(span)),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    async def _ask(self, question: Callable[..., AnswerT], *values: object) -> AnswerT:
        async with self._asking:
            return await run_in_threadpool(question, *values)

    def _today(self) -> date:
        return self._days.day_of(datetime.now(ZONE))

    def _day(self, request: Request) -> tuple[Span, str]:
        query = dict(request.query_params)
        day = query.get("day", self._today().isoformat())
        return self._asked_span({**query, "from": day, "to": day, "kind": ""}, self._today(), self._today())

    def _span(self, request: Request, first: date, last: date) -> tuple[Span, str]:
        return self._asked_span({**request.query_params, "person": ""}, first, last)

    def _asked_span(self, query: Mapping[str, str], first: date, last: date) -> tuple[Span, str]:
        """The span that the request asks for, or the usual one with the reason why the request is not possible."""
        fault = ""
        texts = {name: query.get(name, "").strip() for name in ("table", "kind", "person")}
        try:
            _check(texts.values())
            first, last = _days(query, first, last)
        except BadQuestion as error:
            fault, texts = str(error), dict.fromkeys(texts, "")
        begin, end = self._days.span(first, last)
        return Span(first=first, last=last, begin=begin, end=end, **texts), fault

    # --- around ------------------------------------------------------------------------------------------------------

    def _here(self, request: Request) -> Here:
        query = {name: value for name, value in request.query_params.items() if name != "lang"}
        language = language_of(request, self._settings.language)
        return Here(path=request.url.path, query=query, language=language, who=self._who(request))

    def _unknown(self, here: Here, said: str) -> Response:
        html = self._pages.page("unknown", here, title=_word(here, says.NAV["tables"]), said=_word(here, said))
        return _html(html, HTTPStatus.NOT_FOUND)


def _looker(request: Request) -> Source:
    """Who looks on: a person, or a program, by its certificate or its address."""
    visit = request.scope.get(VISIT)
    if visit is not None:
        return Source(visit.person, "remote_known")
    name = name_of(request.scope.get(PEER))
    return Source("", "here") if name is None else Source(name, "remote")


def _check(texts: Iterable[str]) -> None:
    if any("\0" in text or len(text) > TEXT_MAX for text in texts):
        raise BadQuestion(says.NO_NAME)


def _days(query: Mapping[str, str], first: date, last: date) -> tuple[date, date]:
    try:
        first = read_day(query["from"]) if "from" in query else first
        last = read_day(query["to"]) if "to" in query else max(first, last)
    except ValueError as error:
        raise BadQuestion(says.NO_DAY) from error
    if not 0 <= (last - first).days < DAYS_MAX:
        raise BadQuestion(says.NO_SPAN)
    return first, last


def _page(request: Request) -> int:
    said = request.query_params.get("page", "1")
    return min(max(1, int(said)), PAGES_MAX) if said.isascii() and said.isdigit() and len(said) < len("99999") else 1


def _status(fault: str) -> HTTPStatus:
    return HTTPStatus.BAD_REQUEST if fault else HTTPStatus.OK


def _word(here: Here, message: str) -> str:
    return WORDS[here.language].plain(message)


def _html(text: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(text, status, media_type="text/html")

"""History pages: irregularities, plots, day report, also as CSV."""

import asyncio
import math
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from cardshoe.floor.database import Database
from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.days import ZONE
from cardshoe.floor.pages.plots import bars_of, columns_of, hours_of
from cardshoe.floor.pages.queries import PAGE_ROWS, PAGES_MAX, REPORT_ROWS, Asked, Span
from cardshoe.floor.pages.questions import Questions, page_of
from cardshoe.floor.pages.rendering import Here, Templates
from cardshoe.floor.pages.rounds import Record
from cardshoe.floor.pages.sheet import ACT_COLUMNS, act_cells
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.process.http.problems import problem
from cardshoe.screens.rounds.acts import ACT_KINDS
from cardshoe.screens.rounds.asked import day_filter
from cardshoe.screens.sheet import sheet
from cardshoe.screens.words import labels

ASKING_MAX: Final = 3
HISTORY_DAYS: Final = 7
DETAIL_CHARACTERS: Final = 500
KINDS: Final = (*ACT_KINDS, "dispute")
AnswerT = TypeVar("AnswerT")


class HistoryPages:
    """Static pages of the past.

    Args:
        database: for readers alone, so that their queries delay no collector.
    """

    def __init__(self, templates: Templates, database: Database, questions: Questions, record: Record) -> None:
        self._templates: Final = templates
        self._asked: Final = Asked(database)
        self._questions: Final = questions
        self._record: Final = record
        self._asking: Final = asyncio.Semaphore(ASKING_MAX)

    def routes(self) -> list[BaseRoute]:
        """Routes of the pages."""
        return [
            Route("/irregularities", self._irregularities),
            Route("/plots", self._plots),
            Route("/report", self._report),
            Route("/report.csv", self._report_csv),
        ]

    async def _irregularities(self, request: Request) -> Response:
        here, today = self._questions.here(request), self._questions.today
        span, fault = self._questions.span(request, today - timedelta(days=HISTORY_DAYS - 1), today)
        page = page_of(request)
        found, count = await self._ask(self._asked.irregularities, span, page)
        pages = min(max(1, math.ceil(count / PAGE_ROWS)), PAGES_MAX)
        return self._page(
            "irregularities",
            here,
            fault,
            span=span,
            found=found,
            count=count,
            page=page,
            pages=pages,
            at_page=lambda number: here.address(page=str(number)),
        )

    async def _plots(self, request: Request) -> Response:
        here, today = self._questions.here(request), self._questions.today
        span, fault = self._questions.span(request, today, today)
        rounds = await self._ask(self._asked.rounds, span, hours_of(span))
        kinds = await self._ask(self._asked.kinds, span)
        faulty = await self._ask(self._asked.faulty, span)
        texts: dict[str, str] = {str(code): text for code, text in labels.IRREGULARITIES.items()}
        return self._page(
            "plots",
            here,
            fault,
            span=span,
            rounds=columns_of(span, rounds),
            kinds=bars_of((here.word(texts.get(code, code)), count) for code, count in kinds.items()),
            faults=bars_of((one.serial or here.word(floor_labels.NOT_KNOWN), one.count) for one in faulty),
            faulty=faulty,
        )

    async def _report(self, request: Request) -> Response:
        here = self._questions.here(request)
        span, fault = self._questions.day(request)
        found = await self._ask(self._asked.acts, span, REPORT_ROWS, None, "manual_card")
        by_hand = await self._ask(self._asked.by_hand, span)
        played = await self._ask(self._asked.played, span)
        by_person = await self._ask(self._asked.acts_by_person, span)
        by_table = await self._ask(self._asked.acts_by_table, span)
        totals = {kind: sum(counts.get(kind, 0) for counts in by_table.values()) for kind in KINDS}
        query = {"day": span.first.isoformat(), "table": span.table, "person": span.person}
        return self._page(
            "report",
            here,
            fault,
            span=span,
            found=found,
            kinds=KINDS,
            totals=totals,
            total=sum(totals.values()) - totals["manual_card"],
            by_hand=by_hand,
            played=played,
            amount=self._templates.currency.text,
            rounds_of=lambda **filters: self._rounds(here, span, filters),
            by_person=sorted(by_person.items()),
            by_table=sorted(by_table.items()),
            lacking=await self._ask(self._asked.lacking, span),
            now=datetime.now(ZONE),
            csv=Here(path="/report.csv", query=query, language=here.language).address(),
        )

    async def _report_csv(self, request: Request) -> Response:
        span, fault = self._questions.day(request)
        if fault:
            return problem(HTTPStatus.BAD_REQUEST, fault)
        visit = request.scope[VISIT]
        await run_in_threadpool(self._record, visit.person, "report_exported", request.url.query[:DETAIL_CHARACTERS])
        name = f"cardshoe-{span.first.isoformat()}.csv"
        return StreamingResponse(
            sheet(ACT_COLUMNS, map(act_cells, self._asked.all_acts(span))),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @staticmethod
    def _rounds(here: Here, span: Span, filters: Mapping[str, str]) -> str:
        person = {"person": span.person} if span.person else {}
        query = {"table": span.table, **person, **day_filter(span.begin, span.end), **filters}
        told = {name: text for name, text in query.items() if text}
        return Here(path="/rounds", query=told, language=here.language).address()

    async def _ask(self, question: Callable[..., AnswerT], *values: object) -> AnswerT:
        async with self._asking:
            return await run_in_threadpool(question, *values)

    def _page(self, name: str, here: Here, fault: str, **values: object) -> Response:
        html = self._templates.page(name, here, title=here.word(floor_labels.NAV[name]), fault=fault, **values)
        return HTMLResponse(html, HTTPStatus.BAD_REQUEST if fault else HTTPStatus.OK)

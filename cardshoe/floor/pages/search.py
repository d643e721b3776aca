"""Search for rounds: as a page with filters, and as CSV."""

import asyncio
from http import HTTPStatus
from typing import Final, LiteralString

from psycopg import sql
from psycopg.rows import class_row
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from cardshoe.floor.database import Database
from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.questions import Questions
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.pages.rounds import Record
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.process.http.problems import problem
from cardshoe.screens.rounds.asked import BadQuestion, RoundsAsked, rounds_asked
from cardshoe.screens.rounds.search import FoundPlace, RoundFound, found_page, rounds_csv

ASKING_MAX: Final = 3
DETAIL_CHARACTERS: Final = 500
_CONDITIONS: Final[dict[str, LiteralString]] = {
    "table": "table_id = %(table)s",
    "round": "round = %(round)s",
    "since": "at >= %(since)s",
    "until": "at < %(until)s",
    "tags": "tags @> %(tags)s::text[]",
    "before": "(at, table_id, log, round) < (%(at)s, %(of)s, %(log)s, %(number)s)",
}
_ROWS: Final = sql.SQL("""
SELECT table_id AS "table", log, round, shoe, at, outcome, voided, demonstration, seq, staked, house, tags
FROM rounds WHERE {} ORDER BY at DESC, table_id DESC, log DESC, round DESC LIMIT %(limit)s
""")


class RoundSearch:
    def __init__(self, database: Database) -> None:
        self._database: Final = database

    def rounds(self, asked: RoundsAsked, limit: int, before: FoundPlace | None = None) -> list[RoundFound]:
        """The rounds of a query, newest first; see `Searches`."""
        wanted: dict[str, object] = {"limit": limit}
        if asked.table:
            wanted["table"] = asked.table
        if asked.round is not None:
            wanted["round"] = asked.round
        if asked.since is not None:
            wanted["since"] = asked.since
        if asked.until is not None:
            wanted["until"] = asked.until
        if asked.tags:
            wanted["tags"] = list(asked.tags)
        conditions = [sql.SQL(text) for name, text in _CONDITIONS.items() if name in wanted]
        if before is not None:
            wanted |= {"at": before.at, "of": before.table, "log": before.log, "number": before.round}
            conditions.append(sql.SQL(_CONDITIONS["before"]))
        query = _ROWS.format(sql.SQL(" AND ").join(conditions) if conditions else sql.SQL("true"))
        with self._database.transaction() as db:
            return db.cursor(row_factory=class_row(RoundFound)).execute(query, wanted).fetchall()


class SearchPages:
    def __init__(self, templates: Templates, database: Database, questions: Questions, record: Record) -> None:
        self._templates: Final = templates
        self._search: Final = RoundSearch(database)
        self._questions: Final = questions
        self._record: Final = record
        self._asking: Final = asyncio.Semaphore(ASKING_MAX)

    def routes(self) -> list[BaseRoute]:
        """Routes of searches."""
        return [Route("/rounds", self._page), Route("/rounds.csv", self._csv)]

    async def _page(self, request: Request) -> Response:
        here = self._questions.here(request)
        async with self._asking:
            page = await run_in_threadpool(found_page, self._search, dict(request.query_params), here.language)
        html = self._templates.page(
            "rounds",
            here,
            title=here.word(floor_labels.NAV["rounds"]),
            amount=self._templates.currency.text,
            **page.shown(),
        )
        return HTMLResponse(html, HTTPStatus.BAD_REQUEST if page.fault else HTTPStatus.OK)

    async def _csv(self, request: Request) -> Response:
        try:
            asked = rounds_asked(request.query_params)
        except BadQuestion as error:
            return problem(HTTPStatus.BAD_REQUEST, str(error))
        visit = request.scope[VISIT]
        await run_in_threadpool(self._record, visit.person, "rounds_exported", asked.query()[:DETAIL_CHARACTERS])
        return StreamingResponse(
            rounds_csv(self._search, asked),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="cardshoe-rounds.csv"'},
        )

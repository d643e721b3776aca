"""The search for rounds: as a page with filters as links, and as CSV."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Final, LiteralString

from msgspec import Struct
from psycopg import sql
from psycopg.rows import class_row
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from cardshoe.floor.database import Database
from cardshoe.floor.pages import messages as says
from cardshoe.floor.pages.days import ZONE
from cardshoe.floor.pages.questions import Questions
from cardshoe.floor.pages.rendering import Here, Templates
from cardshoe.floor.pages.rounds import Record
from cardshoe.floor.pages.sheet import sheet
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.process.http.problems import problem
from cardshoe.screens.rounds.asked import BadQuestion, RoundsAsked, rounds_asked
from cardshoe.screens.words import messages

PAGE_ROWS: Final = 100
CHUNK_ROWS: Final = 2000
"""Rounds that are read at once for a CSV."""
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
COLUMNS: Final = (
    "time", "table", "shoe", "round", "result", "void", "demonstration", "stakes", "win", "seats", "cards", "persons",
    "irregularities", "acts", "log", "seq",
)  # fmt: skip


class RoundFound(Struct, frozen=True, kw_only=True):
    """A round of a search; the fields are columns of `rounds`."""

    table: str
    log: str
    round: int
    shoe: int
    at: datetime
    outcome: str | None
    voided: bool
    demonstration: bool
    seq: int
    staked: int
    house: int
    tags: list[str]

    def tagged(self, name: str) -> list[str]:
        """The values of its tags of a name."""
        return [one.removeprefix(f"{name}:") for one in self.tags if one.startswith(f"{name}:")]

    @property
    def place(self) -> str:
        """Names it in the address of the next page."""
        return f"{self.at.isoformat()}|{self.round}|{self.log}|{self.table}"


class RoundSearch:
    """Searches the facts; its methods are called in threads and may raise `Unavailable`.

    Args:
        database: prepared.
    """

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    def rounds(self, asked: RoundsAsked, limit: int, before: RoundFound | str | None = None) -> list[RoundFound]:
        """The rounds of a question, the newest first.

        Args:
            asked: the question.
            limit: how many at most.
            before: of an earlier answer, or as its `place`: only those behind it.

        Raises:
            ValueError: `before` names no round.
        """
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
            place = before if isinstance(before, str) else before.place
            at, number, log, table = place.split("|", 3)
            wanted |= {"at": datetime.fromisoformat(at), "of": table, "log": log, "number": int(number)}
            conditions.append(sql.SQL(_CONDITIONS["before"]))
        query = _ROWS.format(sql.SQL(" AND ").join(conditions) if conditions else sql.SQL("true"))
        with self._database.transaction() as db:
            return db.cursor(row_factory=class_row(RoundFound)).execute(query, wanted).fetchall()

    def all_rounds(self, asked: RoundsAsked) -> Iterator[RoundFound]:
        """All rounds of a question, read a part at a time."""
        last: RoundFound | None = None
        while part := self.rounds(asked, CHUNK_ROWS, last):
            yield from part
            last = part[-1]


class SearchPages:
    """Answers searches.

    Args:
        templates: of the pages.
        database: prepared, for readers alone.
        questions: reads requests.
        record: records exports.
    """

    def __init__(self, templates: Templates, database: Database, questions: Questions, record: Record) -> None:
        self._templates: Final = templates
        self._search: Final = RoundSearch(database)
        self._questions: Final = questions
        self._record: Final = record
        self._asking: Final = asyncio.Semaphore(ASKING_MAX)

    def routes(self) -> list[BaseRoute]:
        """The routes of searches."""
        return [Route("/rounds", self._page), Route("/rounds.csv", self._csv)]

    async def _page(self, request: Request) -> Response:
        here, fault = self._questions.here(request), ""
        asked = RoundsAsked(texts={})
        found: Sequence[RoundFound] = ()
        try:
            asked = rounds_asked(request.query_params)
            async with self._asking:
                before = request.query_params.get("before") or None
                found = await run_in_threadpool(self._search.rounds, asked, PAGE_ROWS + 1, before)
        except BadQuestion as error:
            fault = str(error)
        except ValueError:
            fault = says.NO_NAME
        html = self._templates.page(
            "rounds",
            here,
            title=here.word(says.NAV["rounds"]),
            fault=fault,
            asked=asked,
            found=found[:PAGE_ROWS],
            older=_address(here, asked, before=found[PAGE_ROWS - 1].place) if len(found) > PAGE_ROWS else "",
            narrowed=lambda **changes: _address(here, asked, **changes),
            without=lambda query: f"/rounds?{query}{'&' if query else ''}lang={here.language}",
            csv=f"/rounds.csv?{asked.query()}",
            amount=self._templates.currency.text,
            results=messages.RESULTS,
        )
        return HTMLResponse(html, HTTPStatus.BAD_REQUEST if fault else HTTPStatus.OK)

    async def _csv(self, request: Request) -> Response:
        try:
            asked = rounds_asked(request.query_params)
        except BadQuestion as error:
            return problem(HTTPStatus.BAD_REQUEST, str(error))
        visit = request.scope[VISIT]
        await run_in_threadpool(self._record, visit.person, "rounds_exported", asked.query()[:DETAIL_CHARACTERS])
        return StreamingResponse(
            sheet(COLUMNS, map(_cells, self._search.all_rounds(asked))),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="cardshoe-rounds.csv"'},
        )


def _address(here: Here, asked: RoundsAsked, **changes: str) -> str:
    """This search with other filters."""
    return f"/rounds?{asked.query(**changes, lang=here.language)}"


def _cells(row: RoundFound) -> list[str | int]:
    return [
        row.at.astimezone(ZONE).isoformat(),
        row.table,
        row.shoe,
        row.round,
        " ".join(row.tagged("result")),
        int(row.voided),
        int(row.demonstration),
        row.staked,
        row.house,
        *(" ".join(row.tagged(name)) for name in ("seat", "card", "person", "irregularity", "act")),
        row.log,
        row.seq,
    ]

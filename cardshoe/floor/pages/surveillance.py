"""A table's timeline: follows the table, or steps from entry to entry."""

from datetime import datetime
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from cardshoe.floor.database import Database
from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.live import LivePages
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.questions import TEXT_MAX, Questions
from cardshoe.floor.pages.rendering import Here, Templates
from cardshoe.floor.pages.timeline import WINDOW, Cameras, TimelinePart, Timelines
from cardshoe.process.http.problems import problem
from cardshoe.process.http.streams import event
from cardshoe.screens.rendering import Part
from cardshoe.screens.rounds.asked import BadQuestion, moment_asked
from cardshoe.screens.words.display_section import Language

_DIGITS_MAX: Final = 15


class Question(Struct, frozen=True, kw_only=True):
    """A part of a timeline, ended by ``at``, ``seq`` or ``entry``; ``log`` empty: the newest."""

    table: str
    log: str = ""
    at: datetime | None = None
    seq: int = 0
    entry: int = 0
    only: bool = False

    @property
    def follows(self) -> bool:
        """True if the page stays at the end of the newest log."""
        return not self.log and self.at is None and not self.seq and not self.entry


class SurveillancePages:
    def __init__(  # the parts that pages are made of
        self,
        templates: Templates,
        database: Database,
        board: TablePoller,
        questions: Questions,
        live: LivePages,
        cameras: Cameras,
    ) -> None:
        self._templates: Final = templates
        self._timelines: Final = Timelines(database, cameras)
        self._cameras: Final = cameras
        self._board: Final = board
        self._questions: Final = questions
        self._live: Final = live

    def routes(self) -> list[BaseRoute]:
        """Routes of timelines."""
        return [Route("/surveillance", self._page), Route("/surveillance/events", self._events)]

    async def _page(self, request: Request) -> Response:
        here, fault = self._questions.here(request), ""
        tables = [tile.table for tile in self._board.tiles]
        try:
            asked = _question(request, tables)
        except BadQuestion as error:
            asked, fault = Question(table=""), str(error)
        part = None if fault else await self._part(asked, here.language)
        if part is None:
            title = here.word(floor_labels.TIMELINE)
            said = here.word(fault or floor_labels.NO_TABLE)
            html = self._templates.page("unknown", here, title=title, said=said)
            return HTMLResponse(html, HTTPStatus.BAD_REQUEST if fault else HTTPStatus.NOT_FOUND)
        only = {"only": "1"} if asked.only else {}
        query = {"table": asked.table, **only}
        stream = Here(path="/surveillance/events", query=query, language=here.language).address()
        title = f"{here.word(floor_labels.TIMELINE)} · {asked.table}"
        return HTMLResponse(self._live.page("surveillance", here, part, stream if asked.follows else "", title))

    async def _events(self, request: Request) -> Response:
        here = self._questions.here(request)
        try:
            asked = _question(request, [tile.table for tile in self._board.tiles])
        except BadQuestion as error:
            return problem(HTTPStatus.BAD_REQUEST, str(error))
        if await self._part(asked, here.language) is None:
            return problem(HTTPStatus.NOT_FOUND, floor_labels.NO_TABLE)

        async def news(seen: str | None) -> tuple[str, bytes]:
            known = self._version(asked.table)
            if seen is not None and seen == known:
                return seen, b""
            part = await self._part(asked, here.language)
            return (known, b"") if part is None else (known, part.event)

        return self._live.stream(request, news)

    def _version(self, table: str) -> str:
        return next((f"{hash(tile.key):x}" for tile in self._board.tiles if tile.table == table), "")

    async def _part(self, asked: Question, language: Language) -> Part | None:
        return await run_in_threadpool(self._render, asked, language)

    def _render(self, asked: Question, language: Language) -> Part | None:
        found = self._timelines.read(asked.table, asked.log, at=asked.at, seq=asked.seq, entry=asked.entry)
        if found is None:
            return None
        view = self._board.projector.view(asked.table)
        html = self._templates.part(
            "timeline",
            language,
            asked=asked,
            found=found,
            moments=[one for one in found.moments if one.kinds] if asked.only else found.moments,
            camera=self._cameras.of(asked.table),
            clock=None if view is None else view[2].clock,
            logs=self._timelines.logs(asked.table),
            tables=[tile.table for tile in self._board.tiles],
            step=lambda **changes: _address(asked, found, language, changes),
            window=WINDOW,
        )
        name = f"{found.row.log}:{found.last}"
        return Part(name, event("shown", name, msgspec.json.encode({"id": name, "html": html})), html)


def _address(asked: Question, found: TimelinePart, language: Language, changes: dict[str, str]) -> str:
    log = {"log": found.row.log} if changes.keys() & {"entry", "at", "seq"} else {}
    only = {"only": "1"} if asked.only else {}
    query = {"table": asked.table, **log, **only, **changes}
    told = {name: text for name, text in query.items() if text}
    return Here(path="/surveillance", query=told, language=language).address()


def _question(request: Request, tables: list[str]) -> Question:
    """Read a query; the default is the first table.

    Raises:
        BadQuestion: malformed.
    """
    query = request.query_params
    table, log = query.get("table", "").strip(), query.get("log", "").strip()
    if any("\0" in text or len(text) > TEXT_MAX for text in (table, log)):
        raise BadQuestion(floor_labels.NO_NAME)
    return Question(
        table=table or (tables[0] if tables else ""),
        log=log,
        at=moment_asked(query.get("at") or None),
        seq=_number(query.get("seq", "")),
        entry=_number(query.get("entry", "")),
        only=query.get("only") == "1",
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX else 0

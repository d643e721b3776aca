"""The page of the watch, for surveillance."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from cardshoe.floor.database import Database
from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.live import LivePages
from cardshoe.floor.pages.questions import Questions
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.watch.routes import Act, change
from cardshoe.floor.watch.store import acknowledge, close, watch_alarms
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.process.http.streams import event
from cardshoe.screens.rendering import Part

SILENT: Final = timedelta(seconds=30)
"""Without a poll for so long the page reports a failure of the watch."""


class WatchPages:
    def __init__(self, templates: Templates, database: Database, questions: Questions, live: LivePages) -> None:
        self._templates: Final = templates
        self._database: Final = database
        self._questions: Final = questions
        self._live: Final = live

    def routes(self) -> list[BaseRoute]:
        """Routes of page, stream and buttons."""
        return [
            Route("/watch", self._page),
            Route("/watch/events", self._events),
            Route("/watch/{number}/acknowledge", self._acting(acknowledge), methods=["POST"]),
            Route("/watch/{number}/close", self._acting(close), methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        here = self._questions.here(request)
        stream = f"/watch/events?lang={here.language}"
        return HTMLResponse(
            self._live.page("watch", here, await self._part(request), stream, here.word(floor_labels.WATCH))
        )

    async def _events(self, request: Request) -> Response:
        async def news(seen: str | None) -> tuple[str, bytes]:
            part = await self._part(request)
            return part.id, b"" if part.id == seen else part.event

        return self._live.stream(request, news)

    def _acting(self, act: Act) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            await change(self._database, request, act)
            language = self._questions.here(request).language
            return RedirectResponse(f"/watch?lang={language}", HTTPStatus.SEE_OTHER)

        return answer

    async def _part(self, request: Request) -> Part:
        looked_at, alarms = await run_in_threadpool(watch_alarms, self._database)
        html = self._templates.part(
            "watch",
            self._questions.here(request).language,
            alarms=alarms,
            looked_at=looked_at,
            is_silent=looked_at is None or datetime.now(UTC) - looked_at > SILENT,
            csrf=request.scope[VISIT].csrf,
        )
        name = sha256(html.encode()).hexdigest()[:16]
        return Part(name, event("shown", name, msgspec.json.encode({"id": name, "html": html})), html)

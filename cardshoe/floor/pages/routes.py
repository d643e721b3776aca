"""The routes of the pages, in one list; `cardshoe.floor.permissions` has the roles that may see each.

| request | answer |
|---|---|
| ``GET /`` | redirection to all tables |
| ``GET /tables``, ``/table?id=`` | all tables; one table |
| ``GET /tables/events`` | the whole of that page, then the parts that change (SSE) |
| ``GET /table/events?id=`` | the whole of that page, at each change (SSE) |
| ``GET /irregularities[?from=&to=&kind=&table=&page=]`` | the history |
| ``GET /plots[?from=&to=&table=]`` | rounds, irregularities, faults of devices |
| ``GET /rounds[?table=&round=&since=&until=&seat=&card=&result=&irregularity=&person=]`` | search; ``/rounds.csv`` |
| ``GET /rounds/LOG/SEQ``, ``/rounds/LOG/SEQ/proof`` | one round by any of its lines; its proof |
| ``GET /surveillance?table=[&log=&at=&seq=&entry=&only=]`` | the timeline of a table |
| ``GET /surveillance/events?table=`` | the same at each change (SSE) |
| ``GET /watch``, ``/watch/events`` | the alarms of the watch, for surveillance; their stream (SSE) |
| ``POST /watch/NUMBER/acknowledge``, ``/close`` | acknowledges or closes one: a form |
| ``GET /report[?day=&table=&person=]``, ``/report.csv`` | the day report; as CSV |

Each takes ``lang``, one of ``zh-Hant``, ``pt``, ``en``; the default is the browser's preference.
"""

from http import HTTPStatus
from importlib import resources

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from cardshoe.floor.database import Database
from cardshoe.floor.pages.history import HistoryPages
from cardshoe.floor.pages.live import LivePages
from cardshoe.floor.pages.poller import Board
from cardshoe.floor.pages.questions import Questions, Who
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.pages.rounds import Record, RoundPages
from cardshoe.floor.pages.search import SearchPages
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.pages.surveillance import SurveillancePages
from cardshoe.floor.pages.timeline import Cameras
from cardshoe.floor.pages.watching import WatchPages
from cardshoe.process.http.streams import SEND_S


def page_routes(
    board: Board,
    database: Database,
    settings: PagesSettings,
    record: Record,
    who: Who = lambda _request: Markup(),
    send_s: float = SEND_S,
) -> list[BaseRoute]:
    """All routes: pages, their streams, and the files that all pages share.

    Args:
        board: all tables; current while its `run` runs.
        database: prepared, for readers alone.
        settings: of the pages.
        record: records downloads.
        who: the person signed in.
        send_s: see `LivePages`.
    """
    templates, questions = Templates(settings), Questions(settings, who)

    live = LivePages(templates, board, questions, send_s)

    async def home(request: Request) -> Response:
        language = questions.here(request).language
        return RedirectResponse(f"/tables?lang={language}", HTTPStatus.TEMPORARY_REDIRECT)

    live = LivePages(templates, board, questions, send_s)
    return [
        Route("/", home),
        *live.routes(),
        *SurveillancePages(
            templates, database, board, questions, live, Cameras(settings.camera, settings.cameras)
        ).routes(),
        *HistoryPages(templates, database, questions, record).routes(),
        *SearchPages(templates, database, questions, record).routes(),
        *RoundPages(templates, database, board, questions, record).routes(),
        *WatchPages(templates, database, questions, live).routes(),
        Mount("/static", StaticFiles(directory=str(resources.files("cardshoe.screens") / "static"))),
    ]

"""Routes of the pages; `cardshoe.floor.permissions` has their roles."""

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
from cardshoe.floor.pages.poller import TablePoller
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
    board: TablePoller,
    database: Database,
    settings: PagesSettings,
    record: Record,
    who: Who = lambda _request: Markup(),
    send_s: float = SEND_S,
) -> list[BaseRoute]:
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

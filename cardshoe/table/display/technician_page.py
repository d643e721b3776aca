"""The technician's page: links, checks, faults, figures. Never a capture or a log: they hold cards."""

from importlib.metadata import version
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardshoe.screens.felt.faults import faults_of
from cardshoe.screens.felt.pit import ladder_of
from cardshoe.screens.view import TableView
from cardshoe.screens.words import labels
from cardshoe.table.display import figures
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.display.sheets import Sheets, Visitor
from cardshoe.table.live.client import LiveClient
from cardshoe.table.live.equipment import EquipmentStatus
from cardshoe.table.live.place import NotLive, TablePlace
from cardshoe.table.live.session import LiveError


class TechnicianPage:
    def __init__(self, sheets: Sheets, settings: DisplaySettings, feed: Feed) -> None:
        self._sheets: Final = sheets
        self._settings: Final = settings
        self._feed: Final = feed

    def routes(self) -> list[Route]:
        """Its route."""
        return [Route("/technician", self._sheets.gated("technician", self._page))]

    async def _page(self, _request: Request, visitor: Visitor) -> Response:
        view = self._feed.view or TableView()
        text = await run_in_threadpool(figures.text, self._settings, self._feed, 0)
        equipment = await run_in_threadpool(equipment_of, self._feed.place)
        return self._sheets.page(
            "technician",
            visitor,
            title=labels.PAGE_NAMES["technician"],
            view=view,
            equipment=equipment,
            heads=[self._sheets.word(visitor, one) for one in labels.LINK_COUNTS.values()],
            checks=[one for level in labels.CHECK_LEVELS for one in equipment.checks if one.level == level],
            ladder=ladder_of(view),
            faults=faults_of(view, self._settings.faults),
            failing=figures.failing(self._feed),
            builds=(("display", version("cardshoe")), ("table", self._feed.build)),
            metrics=[line for line in text.decode().splitlines() if line and not line.startswith("#")],
        )


def equipment_of(place: TablePlace) -> EquipmentStatus:
    """Ask a table for its equipment; one that does not answer has none."""
    try:
        with LiveClient(place) as client:
            return client.equipment()
    except (NotLive, LiveError, OSError):
        return EquipmentStatus()

"""The page of one table, rendered once for all readers."""

import asyncio
import logging
import secrets
from collections.abc import Mapping
from typing import Final

import msgspec

from cardshoe.floor.facts.projector import StreamRow
from cardshoe.floor.pages.all_tables import bare
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.pages.tiles import Tile
from cardshoe.process.http.streams import event
from cardshoe.screens.felt.action_buttons import offers
from cardshoe.screens.felt.faults import faults_of
from cardshoe.screens.felt.felt import felt_of
from cardshoe.screens.felt.players_board import board_of
from cardshoe.screens.rendering import Part
from cardshoe.screens.rounds.parts import StaffAtPlace
from cardshoe.screens.view import TableView
from cardshoe.screens.words.display_section import Language

logger: Final = logging.getLogger(__name__)

KEPT: Final = 128


class OneTable:
    def __init__(self, templates: Templates, board: TablePoller) -> None:
        self._templates: Final = templates
        self._board: Final = board
        # Another process: none of its ids may be one that a page has.
        self._run: Final = secrets.token_hex(4)
        self._kept: Final[dict[tuple[str, Language], Part]] = {}
        self._rendering: Final = asyncio.Lock()

    async def part(self, table: str, language: Language) -> Part | None:
        """One table; the same object until something is new, ``None``: no such table."""
        async with self._rendering:
            tile = next((one for one in self._board.tiles if one.table == table), None)
            if tile is None:
                return None
            known = self._kept.pop((table, language), None)
            if known is None or known.id != self._id(tile):
                known = await asyncio.to_thread(self._render, tile, language)
            self._kept[table, language] = known
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
            return known

    def _render(self, tile: Tile, language: Language) -> Part:
        found = self._board.projector.view(tile.table)
        # Of a table that has sent no line there may be an alarm all the same.
        stream, signed_in, view = (None, {}, TableView()) if found is None else found
        try:
            html = self._html(tile, language, stream, signed_in, view)
        except Exception as error:
            logger.exception("%s: the table's page cannot be rendered", tile.table)
            html = self._html(bare(tile, error), language, stream, {}, TableView())
        name = self._id(tile)
        return Part(name, event("shown", name, msgspec.json.encode({"id": name, "html": html})), html)

    def _html(
        self,
        tile: Tile,
        language: Language,
        stream: StreamRow | None,
        signed_in: Mapping[str, StaffAtPlace],
        view: TableView,
    ) -> str:
        currency = self._templates.currency
        return self._templates.part(
            "table",
            language,
            tile=tile,
            stream=stream,
            signed_in=signed_in,
            view=view,
            rounds="" if stream is None else f"/rounds/{stream.log}",
            query=f"?lang={language}",
            # Every reader of this page but a technician may open a round.
            rounds_for="",
            felt=None if view.profile is None else felt_of(view, currency),
            offers=[] if view.profile is None else offers(view, currency),
            # Their names and remedies are in the families of devices, which a floor lacks.
            faults=faults_of(view, {}),
            # What a person enters at the table.
            betting=None,
            left=(),
            unsent=(),
            pad="",
            board=board_of(view, currency),
        )

    def _id(self, tile: Tile) -> str:
        return f"{self._run}:{hash(tile.key):x}"

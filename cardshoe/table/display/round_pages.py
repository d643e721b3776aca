"""Pages of rounds at the table: round, proof, search, CSV."""

import asyncio
import logging
from http import HTTPStatus
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from cardshoe.process.http.problems import problem
from cardshoe.screens.felt.round_page import page_of
from cardshoe.screens.rounds.asked import BadQuestion, rounds_asked
from cardshoe.screens.rounds.search import FoundPage, found_page, rounds_csv
from cardshoe.screens.rounds.whole import WholeRound
from cardshoe.screens.words import labels
from cardshoe.table.display.round_index import RoundIndex, RoundPlace, RoundTotals
from cardshoe.table.display.round_reader import NotRead, RoundReader
from cardshoe.table.display.sheets import Sheets, Visitor
from cardshoe.table.live.place import TablePlace

logger: Final = logging.getLogger(__name__)

ASKING_MAX: Final = 2
DETAIL_CHARACTERS: Final = 500
_DIGITS_MAX: Final = 15


class TableRounds:
    def __init__(self, sheets: Sheets, place: TablePlace, table: str) -> None:
        self._sheets: Final = sheets
        self._table: Final = table
        self._index: Final = RoundIndex(table)
        self._reader: Final = RoundReader(place, self._index)
        self._asking: Final = asyncio.Semaphore(ASKING_MAX)

    def routes(self) -> list[Route]:
        """Routes of rounds."""
        gated = self._sheets.gated
        return [
            Route("/rounds", gated("rounds", self._search)),
            Route("/rounds.csv", gated("rounds", self._csv)),
            Route("/rounds/{log}/{seq}", gated("rounds", self._round)),
            Route("/rounds/{log}/{seq}/proof", gated("rounds", self._proof)),
        ]

    def start(self) -> None:
        """Start filling the index."""
        self._reader.start()

    def stop(self) -> None:
        """End the thread."""
        self._reader.stop()
        self._index.close()

    async def _search(self, request: Request, visitor: Visitor) -> Response:
        async with self._asking:
            page, totals = await run_in_threadpool(self._found, dict(request.query_params), visitor)
        return self._sheets.page(
            "rounds",
            visitor,
            HTTPStatus.BAD_REQUEST if page.fault else HTTPStatus.OK,
            title=self._sheets.word(visitor, labels.ROUNDS),
            amount=self._sheets.currency.text,
            totals=totals,
            is_behind=self._reader.is_behind,
            unread=sorted(self._reader.unread),
            **page.shown(),
        )

    async def _csv(self, request: Request, visitor: Visitor) -> Response:
        try:
            asked = rounds_asked(request.query_params)
        except BadQuestion as error:
            return problem(HTTPStatus.BAD_REQUEST, str(error))
        await run_in_threadpool(self._reader.await_current)
        _record(visitor, "rounds_exported", asked.query()[:DETAIL_CHARACTERS])
        return StreamingResponse(
            rounds_csv(self._index, asked),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="cardshoe-rounds.csv"'},
        )

    async def _round(self, request: Request, visitor: Visitor) -> Response:
        place = await self._place(request)
        if place is None:
            return self._sheets.said(visitor, HTTPStatus.NOT_FOUND, labels.NO_ROUND)
        if str(place.seq) != request.path_params["seq"]:
            # Any line of a round names it; the address has that of the first.
            return RedirectResponse(f"/rounds/{place.log}/{place.seq}?lang={visitor.language}", HTTPStatus.SEE_OTHER)
        try:
            async with self._asking:
                whole, unproved = await run_in_threadpool(self._shown, place)
        except NotRead as error:
            return self._sheets.said(visitor, HTTPStatus.SERVICE_UNAVAILABLE, labels.NOT_READ, str(error))
        return self._sheets.page(
            "round",
            visitor,
            title=f"{self._sheets.word(visitor, labels.ROUND_FILTERS['round'])} {place.round} · {self._table}",
            page=page_of(whole, self._sheets.currency),
            log=place.log,
            proof=f"/rounds/{place.log}/{place.seq}/proof",
            unproved=unproved,
        )

    async def _proof(self, request: Request, visitor: Visitor) -> Response:
        place = await self._place(request)
        if place is None:
            return self._sheets.said(visitor, HTTPStatus.NOT_FOUND, labels.NO_ROUND)
        try:
            async with self._asking:
                told = await run_in_threadpool(self._reader.proof, place)
        except NotRead as error:
            return self._sheets.said(visitor, HTTPStatus.SERVICE_UNAVAILABLE, labels.NOT_READ, str(error))
        if not told.proof:
            return self._sheets.said(visitor, HTTPStatus.CONFLICT, labels.NOT_VERIFIED, told.fault)
        _record(visitor, "proof_downloaded", f"{place.log}:{place.seq} round {place.round}")
        name = f"cardshoe-{place.log[:8]}-{place.seq}.json"
        return Response(
            told.proof, media_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    async def _place(self, request: Request) -> RoundPlace | None:
        log, seq = request.path_params["log"], request.path_params["seq"]
        if not (seq.isascii() and seq.isdigit() and len(seq) <= _DIGITS_MAX):
            return None
        return await run_in_threadpool(self._find, log, int(seq))

    # --- in threads --------------------------------------------------------------------------------------------------

    def _find(self, log: str, seq: int) -> RoundPlace | None:
        self._reader.await_current()
        return self._index.find(log, seq)

    def _found(self, query: dict[str, str], visitor: Visitor) -> tuple[FoundPage, RoundTotals]:
        self._reader.await_current()
        page = found_page(self._index, query, visitor.language)
        return page, self._index.totals(page.asked)

    def _shown(self, place: RoundPlace) -> tuple[WholeRound, str]:
        return self._reader.whole(place), self._reader.proof(place).fault


def _record(visitor: Visitor, what: str, which: str) -> None:
    person = "" if visitor.session is None else visitor.session.person
    logger.warning("%s %s %s", what, person, which)

"""The page of one round, its proof to download, and the search."""

import asyncio
from collections.abc import Callable
from datetime import date
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct
from psycopg.rows import class_row
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from cardshoe.floor.database import Database, Db
from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.questions import Questions
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.proofs import prove_round
from cardshoe.journal.file.chain import lines_of
from cardshoe.journal.proof.entry_proof import Unproved
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.screens.felt.round_page import page_of
from cardshoe.screens.rounds.parts import RoundStart
from cardshoe.screens.rounds.whole import WholeRound, whole_round
from cardshoe.screens.words import labels

Record = Callable[[str, str, str], None]
ASKING_MAX: Final = 3
ENTRIES_MAX: Final = 10_000
_DIGITS_MAX: Final = 15
_ROUND: Final = """
SELECT r.table_id AS "table", r.log, s.month, r.round, r.seq, r.last_seq, r.entry, r.last_entry, r.start
FROM rounds r JOIN streams s USING (table_id, log) WHERE r.log = %(log)s AND r.seq <= %(seq)s
ORDER BY r.seq DESC LIMIT 1
"""
_LINES: Final = """
SELECT number, lines FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s
    AND (number = 1 OR number BETWEEN %(entry)s AND %(last_entry)s) ORDER BY number LIMIT %(limit)s
"""


class RoundRow(Struct, frozen=True, kw_only=True):
    table: str
    log: str
    month: date
    round: int
    seq: int
    last_seq: int
    entry: int
    last_entry: int
    start: bytes


class StoredRound(Struct, frozen=True, kw_only=True):
    """A round from the database; ``unproved``: why its proof is invalid, empty if verified just now."""

    row: RoundRow
    whole: WholeRound
    unproved: str


class RoundPages:
    def __init__(
        self, templates: Templates, database: Database, board: TablePoller, questions: Questions, record: Record
    ) -> None:
        self._templates: Final = templates
        self._database: Final = database
        self._board: Final = board
        self._questions: Final = questions
        self._record: Final = record
        self._asking: Final = asyncio.Semaphore(ASKING_MAX)

    def routes(self) -> list[BaseRoute]:
        """Routes of rounds."""
        return [
            Route("/rounds/{log}/{seq}", self._round),
            Route("/rounds/{log}/{seq}/proof", self._proof),
        ]

    async def _round(self, request: Request) -> Response:
        here, row = self._questions.here(request), await self._row(request)
        if row is None:
            return self._unknown(request)
        if str(row.seq) != request.path_params["seq"]:
            # Any line of a round names it; the address has that of the first.
            to = here.address().replace(request.url.path, f"/rounds/{row.log}/{row.seq}", 1)
            return RedirectResponse(to, HTTPStatus.SEE_OTHER)
        async with self._asking:
            shown = await run_in_threadpool(self._shown, row)
        if shown is None:
            return self._unknown(request)
        number = row.round
        html = self._templates.page(
            "round",
            here,
            title=f"{here.word(floor_labels.ROUND)} {number} · {row.table}",
            row=row,
            page=page_of(shown.whole, self._templates.currency),
            unproved=shown.unproved,
        )
        return HTMLResponse(html)

    async def _proof(self, request: Request) -> Response:
        row = await self._row(request)
        if row is None:
            return self._unknown(request)
        try:
            async with self._asking:
                proof = await run_in_threadpool(self._proved, row)
        except Unproved as error:
            return self._unknown(request, HTTPStatus.CONFLICT, str(error))
        visit = request.scope[VISIT]
        what = f"{row.table} {row.log}:{row.seq} round {row.round}"
        await run_in_threadpool(self._record, visit.person, "proof_downloaded", what)
        name = f"cardshoe-{row.log[:8]}-{row.seq}.json"
        return Response(
            proof, media_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    def _unknown(self, request: Request, status: HTTPStatus = HTTPStatus.NOT_FOUND, said: str = "") -> Response:
        here = self._questions.here(request)
        text = said or here.word(labels.NO_ROUND)
        return HTMLResponse(
            self._templates.page("unknown", here, title=here.word(floor_labels.ROUND), said=text), status
        )

    async def _row(self, request: Request) -> RoundRow | None:
        log, seq = request.path_params["log"], request.path_params["seq"]
        if not (seq.isascii() and seq.isdigit() and len(seq) <= _DIGITS_MAX) or "\0" in log:
            return None
        async with self._asking:
            return await run_in_threadpool(self._find, log, int(seq))

    # --- in threads --------------------------------------------------------------------------------------------------

    def _find(self, log: str, seq: int) -> RoundRow | None:
        with self._database.transaction() as db:
            cursor = db.cursor(row_factory=class_row(RoundRow))
            found = cursor.execute(_ROUND, {"log": log, "seq": seq}).fetchone()
        if found is not None and seq <= found.last_seq:
            return found
        still_open = self._board.projector.open_round(log)
        if still_open is None:
            return None
        stream, facts = still_open
        if not facts.seq <= seq <= facts.last_seq:
            return None
        return RoundRow(
            table=stream.table,
            log=log,
            month=stream.month,
            round=facts.number,
            seq=facts.seq,
            last_seq=facts.last_seq,
            entry=facts.entries[0].entry,
            last_entry=facts.entries[-1].entry,
            start=msgspec.json.encode(facts.start),
        )

    def _shown(self, row: RoundRow) -> StoredRound | None:
        wanted = {**msgspec.structs.asdict(row), "limit": ENTRIES_MAX}
        with self._database.transaction() as db:
            found = db.execute(_LINES, wanted).fetchall()
            if not found or found[0][0] != 1:
                return None  # retention has dropped the entries meanwhile
            unproved = _why_unproved(db, row)
        start = msgspec.json.decode(row.start, type=RoundStart)
        entries = [(number, lines_of(data)) for number, data in found if row.entry <= number <= row.last_entry]
        return StoredRound(row=row, whole=whole_round(lines_of(found[0][1]), start, entries), unproved=unproved)

    def _proved(self, row: RoundRow) -> bytes:
        with self._database.transaction() as db:
            return _prove(db, row)


def _prove(db: Db, row: RoundRow) -> bytes:
    return prove_round(db, (row.table, row.log, row.month), row.entry, row.last_entry, row.round)


def _why_unproved(db: Db, row: RoundRow) -> str:
    try:
        _prove(db, row)
    except Unproved as error:
        return error.reason
    return ""

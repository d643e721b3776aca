"""The read interface of the floor (`docs/floor.md`).

Request values are query parameters, never SQL text.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from cardshoe.floor.alarms import close_alarm
from cardshoe.floor.database import Database
from cardshoe.process.http.bodies import read
from cardshoe.process.http.browser_sessions import VISIT

ENTRIES_MAX: Final = 1000
ROWS_MAX: Final = 10_000
_NUMBER_DIGITS: Final = 16
_TABLES: Final = """
WITH RECURSIVE newest AS (
    (SELECT table_id, log FROM streams ORDER BY table_id, began_at DESC, log LIMIT 1)
    UNION ALL
    SELECT next.table_id, next.log FROM newest CROSS JOIN LATERAL (
        SELECT s.table_id, s.log FROM streams s WHERE s.table_id > newest.table_id
        ORDER BY s.table_id, s.began_at DESC, s.log LIMIT 1
    ) AS next
)
SELECT s.table_id AS "table", s.log, s.game, s.program, s.mark, s.last,
       greatest(s.last - s.mark, 0) AS lag, s.proved, s.epoch, s.stopped, s.began_at, s.heard_at,
       (SELECT count(*) FROM alarms a WHERE a.table_id = s.table_id AND a.closed_at IS NULL) AS alarms
FROM newest JOIN streams s USING (table_id, log) ORDER BY s.table_id LIMIT %(rows)s
"""
_LOGS: Final = """
SELECT log, game, program, mark, last, proved, epoch, stopped, dropped, began_at, heard_at
FROM streams WHERE table_id = %(table)s ORDER BY began_at DESC, log LIMIT %(rows)s
"""
_LINES: Final = """
SELECT e.number, e.lines FROM entries e JOIN streams s USING (table_id, log, month)
WHERE e.table_id = %(table)s AND e.log = %(log)s AND e.number > %(after)s ORDER BY e.number LIMIT %(limit)s
"""
_NOTES: Final = """
SELECT what, size, convert_from(note, 'UTF8') AS note FROM notes WHERE table_id = %(table)s AND log = %(log)s
UNION ALL SELECT 'mark', mark + 1, convert_from(note, 'UTF8') FROM streams WHERE table_id = %(table)s AND log = %(log)s
ORDER BY 2, 1
"""
_ALARMS: Final = """
SELECT id, table_id AS "table", log, kind, entry, detail, first_at, last_at, times, closed_at, closed_by
FROM alarms WHERE closed_at IS NULL OR %(all)s ORDER BY closed_at IS NOT NULL, last_at DESC LIMIT %(rows)s
"""
_VISITS: Final = """
SELECT at, person, what, detail FROM visits ORDER BY id DESC LIMIT %(limit)s
"""


class Closing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Close an alarm; ``go_on``: accept more of its log, verified again."""

    go_on: bool = False


class ClosedAlarm(Struct, frozen=True, kw_only=True):
    closed: int
    by: str
    goes_on: bool


class ReadApi:
    def __init__(self, database: Database) -> None:
        self._database: Final = database

    def routes(self) -> list[BaseRoute]:
        """All routes; `cardshoe.floor.permissions` has their roles."""
        rows = self._rows
        return [
            Route("/api/v1/tables", rows(_TABLES, lambda _: {})),
            Route("/api/v1/logs", rows(_LOGS, lambda request: {"table": _text(request, "table")})),
            Route("/api/v1/lines", self._lines),
            Route("/api/v1/notes", rows(_NOTES, _log)),
            Route("/api/v1/alarms", rows(_ALARMS, lambda request: {"all": request.query_params.get("all") == "1"})),
            Route("/api/v1/alarms/{number}/close", self._close, methods=["POST"]),
            Route("/api/v1/visits", rows(_VISITS, lambda request: {"limit": _limit(request)})),
        ]

    def _rows(self, query: str, wanted: Callable[[Request], Mapping[str, object]]) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            return _json(await self._asked(query, {"rows": ROWS_MAX, **wanted(request)}))

        return answer

    async def _lines(self, request: Request) -> Response:
        where = {**_log(request), "after": _number(request, "after", -1)}
        found = await self._asked(_LINES, {**where, "limit": _limit(request)})
        last = found[-1]["number"] if found else where["after"]
        body = b"".join(one["lines"] for one in found)
        return Response(body, media_type="application/x-ndjson", headers={"Last-Entry": str(last)})

    async def _close(self, request: Request) -> Response:
        wanted = await read(request, Closing)
        number, visit = alarm_number(request), request.scope[VISIT]
        if not await run_in_threadpool(close_alarm, self._database, number, visit.person, go_on=wanted.go_on):
            raise HTTPException(HTTPStatus.NOT_FOUND, f"No alarm {number} is open.")
        return _json(ClosedAlarm(closed=number, by=visit.person, goes_on=wanted.go_on))

    async def _asked(self, query: str, wanted: Mapping[str, object]) -> list[dict[str, Any]]:
        return await run_in_threadpool(self._database.rows, query, wanted)


def _log(request: Request) -> dict[str, object]:
    return {"table": _text(request, "table"), "log": _text(request, "log")}


def _text(request: Request, name: str) -> str:
    value = request.query_params.get(name, "")
    if not value or "\0" in value:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"Name a {name}: ?{name}=…")
    return value


def _number(request: Request, name: str, default: int) -> int:
    value = request.query_params.get(name)
    return default if value is None else _whole(value, name)


def _whole(value: str, name: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < _NUMBER_DIGITS):
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"{name} must be a whole number.")
    return int(value)


def alarm_number(request: Request) -> int:
    return _whole(request.path_params["number"], "The number of an alarm")


def _limit(request: Request) -> int:
    return min(ENTRIES_MAX, max(1, _number(request, "limit", ENTRIES_MAX)))


def _json(found: object) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")

"""The watch's interface for programs of surveillance."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardshoe.floor.database import Database
from cardshoe.floor.read_api import alarm_number
from cardshoe.floor.watch.store import acknowledge, close, watch_alarms
from cardshoe.process.http.bodies import read
from cardshoe.process.http.browser_sessions import VISIT

Act = Callable[[Database, int, str], bool]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The empty object."""


def watch_routes(database: Database) -> list[Route]:
    async def alarms(request: Request) -> Response:
        closed = request.query_params.get("all") == "1"
        looked_at, found = await run_in_threadpool(watch_alarms, database, closed=closed)
        return _json({"looked_at": looked_at, "alarms": found})

    def acting(act: Act, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            await read(request, Nothing)
            number = await change(database, request, act)
            return _json({name: number, "by": request.scope[VISIT].person})

        return answer

    path = "/api/v1/watch/{number}"
    return [
        Route("/api/v1/watch", alarms),
        Route(f"{path}/acknowledge", acting(acknowledge, "acknowledged"), methods=["POST"]),
        Route(f"{path}/close", acting(close, "closed"), methods=["POST"]),
    ]


async def change(database: Database, request: Request, act: Act) -> int:
    """Let the signed-in person act on an alarm; its number."""
    number = alarm_number(request)
    if not await run_in_threadpool(act, database, number, request.scope[VISIT].person):
        raise HTTPException(HTTPStatus.NOT_FOUND, f"No alarm {number} of the watch is open for this.")
    return number


def _json(found: object) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")

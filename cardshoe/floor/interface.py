"""The application for people and programs.

``GET /healthz``: the process answers; ``/readyz``: the database does.
"""

from collections.abc import Collection, Sequence
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from cardshoe.floor.access_control import Gate
from cardshoe.floor.certificates import Revoked
from cardshoe.floor.database import Database, Unavailable
from cardshoe.floor.persons.sign_in import Visiting
from cardshoe.floor.read_api import ReadApi
from cardshoe.floor.watch.routes import watch_routes
from cardshoe.process.http.guard import Guard
from cardshoe.process.http.problems import RequestRejected, of_http, of_refusing, problem


def make_app(
    database: Database,
    hosts: list[str],
    visiting: Visiting,
    *,
    programs: Collection[str] | None = None,
    revoked: Revoked | None = None,
    pages: Sequence[BaseRoute] = (),
) -> Starlette:
    async def alive(_request: Request) -> Response:
        return JSONResponse({"alive": True})

    async def ready(_request: Request) -> Response:
        await run_in_threadpool(database.rows, "SELECT 1 AS one", {})
        return JSONResponse({"ready": True})

    return Starlette(
        routes=[
            *ReadApi(database).routes(),
            *watch_routes(database),
            *visiting.routes(),
            Route("/healthz", alive),
            Route("/readyz", ready),
            *pages,
        ],
        middleware=[
            Middleware(Guard, hosts=hosts, forms=True),
            Middleware(Gate, visiting=visiting, programs=programs, revoked=revoked),
        ],
        exception_handlers={HTTPException: of_http, RequestRejected: of_refusing, Unavailable: _unavailable},
    )


async def _unavailable(_request: Request, error: Exception) -> Response:
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, f"The floor cannot answer now: {error}.")

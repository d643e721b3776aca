"""The witness over HTTP (c2sp.org/tlog-witness), with limits of size and time."""

import asyncio
import ssl
from http import HTTPStatus
from typing import Final

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardshoe.journal.witness.service import TEXT, WitnessResponse, WitnessService
from cardshoe.process.http.connection_limits import LimitedListener
from cardshoe.process.http.http_server import bounded_server
from cardshoe.process.signals import signals_stop

MAX_BODY_BYTES: Final = 16 * 1024


class WitnessLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits for clients; ``exchange_s``: from one answer to the end of the next."""

    body_s: float = 5.0
    exchange_s: float = 30.0


LIMITS: Final = WitnessLimits()


def make_app(service: WitnessService, limits: WitnessLimits = LIMITS) -> Starlette:
    async def add(request: Request) -> Response:
        body: bytes | HTTPStatus
        try:
            async with asyncio.timeout(limits.body_s):
                body = await _body(request)
        except TimeoutError:
            body = HTTPStatus.REQUEST_TIMEOUT
        if isinstance(body, HTTPStatus):
            return Response(f"{body.phrase}\n", body, {"connection": "close"}, TEXT)
        return _response(await run_in_threadpool(service.submit, body))

    async def notes(request: Request) -> Response:
        return _response(await run_in_threadpool(service.notes, request.path_params["origin"]))

    async def newest(request: Request) -> Response:
        return _response(await run_in_threadpool(service.newest, request.path_params["origin"]))

    async def key(_request: Request) -> Response:
        return _response(WitnessResponse(HTTPStatus.OK, f"{service.key}\n".encode()))

    return Starlette(
        routes=[
            Route("/add-checkpoint", add, methods=["POST"]),
            Route("/add-key", add, methods=["POST"]),
            Route("/logs/{origin:path}/notes", notes),
            Route("/logs/{origin:path}/newest", newest),
            Route("/key", key),
        ]
    )


def make_server(
    service: WitnessService, door: LimitedListener, tls: ssl.SSLContext | None = None, limits: WitnessLimits = LIMITS
) -> uvicorn.Server:
    return bounded_server(make_app(service, limits), door, tls, limits.exchange_s)


def serve(server: uvicorn.Server, door: LimitedListener) -> None:
    # It ends with the signal and raises it anew: here that is a good end.
    with signals_stop(lambda: None):
        server.run(sockets=[door])


async def _body(request: Request) -> bytes | HTTPStatus:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return bytes(body)


def _response(answer: WitnessResponse) -> Response:
    return Response(answer.body, answer.status, media_type=answer.kind)

"""The collector's interface for tables, over mutual TLS (`docs/floor.md`).

The certificate's common name is the table. Body limits bound memory.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardshoe.floor.alarm_kinds import STATUS
from cardshoe.floor.certificates import Revoked, name_of, use_fault
from cardshoe.floor.database import CONNECTIONS
from cardshoe.floor.ingest import Collector
from cardshoe.journal.delivery.wire import BODY_BYTES, Batch, Code, Has, Marks, Refusal, Stands
from cardshoe.process.http.http_server import PEER, USES


class Limits(Struct, frozen=True, kw_only=True):
    """Limits for tables.

    Attributes:
        body_s: seconds for the body of a request.
        exchange_s: seconds from one answer to the end of the next.
    """

    body_s: float = 20.0
    exchange_s: float = 60.0


LIMITS: Final = Limits()


class TablesApp:
    def __init__(self, collector: Collector, revoked: Revoked, limits: Limits = LIMITS) -> None:
        self._collector: Final = collector
        self._revoked: Final = revoked
        self._limits: Final = limits
        self._asking: Final[set[str]] = set()
        # Of its own: those that all applications share may wait for what whoever looks has asked for.
        self._threads: Final = ThreadPoolExecutor(CONNECTIONS, "tables")
        self.app: Final = Starlette(
            routes=[
                Route("/v1/has", self._has, methods=["POST"]),
                Route("/v1/lines", self._lines, methods=["POST"]),
            ]
        )

    async def _has(self, request: Request) -> Response:
        return await self._answer(request, lambda table, body: self._collector.marks(table, Has.decode(body)))

    async def _lines(self, request: Request) -> Response:
        return await self._answer(request, lambda table, body: self._collector.land(table, Batch.decode(body)))

    async def _answer(self, request: Request, take: Callable[[str, bytes], Marks | Stands | Refusal]) -> Response:
        peer = request.scope.get(PEER)
        table = name_of(peer)
        if table is None or peer is None:
            return _refused("not_yours", "The certificate names no table: its common name must be the table's id.")
        if (fault := self._revoked.fault(peer)) is not None:
            return _refused("revoked", self._revoked.refuse(table, fault))
        if (fault := use_fault(peer.get(USES, ()))) is not None:
            refused = await asyncio.get_running_loop().run_in_executor(
                self._threads, self._collector.refuse, table, fault
            )
            return _refused(refused.code, refused.reason)
        if table in self._asking:
            return _refused("busy", "Another request of this table is not answered yet.")
        self._asking.add(table)
        try:
            return await self._taken(request, table, take)
        finally:
            self._asking.discard(table)

    async def _taken(
        self, request: Request, table: str, take: Callable[[str, bytes], Marks | Stands | Refusal]
    ) -> Response:
        try:
            async with asyncio.timeout(self._limits.body_s):
                body = await _body(request)
        except TimeoutError:
            return _refused("too_long", f"The body took more than {self._limits.body_s:.0f} s.")
        if body is None:
            return _refused("too_long", f"A body may have at most {BODY_BYTES} bytes.")
        try:
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, take, table, body)
        except ValueError as error:
            return _refused("malformed", str(error))
        if isinstance(answer, Refusal):
            return _json(answer, STATUS[answer.code])
        return _json(answer, HTTPStatus.OK)


async def _body(request: Request) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            return None
    return bytes(body)


def _refused(code: Code, reason: str) -> Response:
    answer = _json(Refusal(code=code, reason=reason), STATUS[code])
    answer.headers["connection"] = "close"  # what is left of the body is not waited for
    return answer


def _json(answer: Struct, status: HTTPStatus) -> Response:
    return Response(msgspec.json.encode(answer), status, media_type="application/json")

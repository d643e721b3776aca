"""Permission check before each route.

Routes without an entry in the table of permissions are closed.
"""

import asyncio
import logging
import time
from collections.abc import Collection, MutableMapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardshoe.floor.certificates import Revoked, name_of
from cardshoe.floor.forms import fields_of, form_body, is_form
from cardshoe.floor.permissions import PERMISSIONS, Permission
from cardshoe.floor.persons.sign_in import Visiting, address_of
from cardshoe.process.http.browser_sessions import VISIT, BrowserSession
from cardshoe.process.http.http_server import PEER
from cardshoe.process.http.problems import RequestRejected, problem

CSRF: Final = "cardshoe-csrf"
LOOK_S: Final = 1.0

logger: Final = logging.getLogger(__name__)


class Gate:
    """Admits permitted requests.

    Args:
        programs: common names of programs' certificates; ``None``: all of the authority.
        revoked: ``None``: no certificates are used.
    """

    def __init__(
        self, app: ASGIApp, visiting: Visiting, programs: Collection[str] | None, revoked: Revoked | None = None
    ) -> None:
        self._app: Final = app
        self._visiting: Final = visiting
        self._programs: Final = programs
        self._revoked: Final = revoked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or (name := route_of(scope)) is None:
            await self._app(scope, receive, send)  # nothing is there, and the application says so
            return
        permission = PERMISSIONS.get(name)
        if permission is None:
            logger.error("%s has no permission in cardshoe/floor/permissions.py: every request is refused", name)
            await problem(HTTPStatus.FORBIDDEN, "No role may request this.", refused="unlisted")(scope, receive, send)
            return
        if (fault := self._fault(scope)) is not None:
            await problem(HTTPStatus.FORBIDDEN, f"The certificate is not good: {fault}.", refused="revoked")(
                scope, receive, send
            )
            return
        request = Request(scope, receive)
        visit = self._visiting.of(request, heard=_is_an_act(request))
        scope[VISIT] = visit
        if (refusal := self._refusal(request, permission, visit)) is not None:
            await refusal(scope, receive, send)
        elif visit is None or permission.anybody:
            await self._app(scope, receive, send)
        elif request.method in {"GET", "HEAD"}:
            await self._lasting(request, receive, send)
        else:
            await self._changing(request, visit, receive, send)

    def _refusal(self, request: Request, permission: Permission, visit: BrowserSession | None) -> Response | None:
        if permission.anybody:
            return None
        if visit is not None:
            if visit.role in permission.roles:
                return None
            if _is_of_a_person(request):
                return self._visiting.not_permitted(request)
            detail = f"The role {visit.role} may not do this."
            return problem(HTTPStatus.FORBIDDEN, detail, refused="not_permitted")
        if permission.programs and self._is_program(request.scope) and not self._visiting.is_browser(request):
            return None
        if _is_of_a_person(request):
            language = request.query_params.get("lang", "")
            said = f"&lang={quote(language, safe='')}" if language else ""
            return RedirectResponse(f"/sign-in?next={quote(address_of(request), safe='')}{said}", HTTPStatus.SEE_OTHER)
        detail = "There is no valid session: sign in with POST /api/v1/session."
        return problem(HTTPStatus.UNAUTHORIZED, detail)

    def _fault(self, scope: Scope) -> str | None:
        peer = scope.get(PEER)
        return None if self._revoked is None or peer is None else self._revoked.fault(peer)

    def _is_program(self, scope: Scope) -> bool:
        if scope["scheme"] != "https":
            return True  # who can connect is on this machine
        name = name_of(scope.get(PEER))
        return name is not None and (self._programs is None or name in self._programs)

    async def _changing(self, request: Request, visit: BrowserSession, receive: Receive, send: Send) -> None:
        csrf = request.headers.get(CSRF, "")
        if is_form(request):
            try:
                body = await form_body(request)
                csrf = csrf or fields_of(body).get("csrf", "")
            except RequestRejected as refusing:
                await refusing.response(request.scope, receive, send)
                return
            receive = _again(body, receive)
        if not visit.is_ours(csrf):
            detail = "Send the session's csrf token in the form field csrf, or in the header Cardshoe-Csrf."
            await problem(HTTPStatus.FORBIDDEN, detail, refused="csrf")(request.scope, receive, send)
            return
        await self._app(request.scope, receive, send)

    async def _lasting(self, request: Request, receive: Receive, send: Send) -> None:
        over = asyncio.Event()
        looked_s = time.monotonic()

        async def send_while_signed_in(message: Message) -> None:
            nonlocal looked_s
            if over.is_set():
                return
            lasts = message["type"] == "http.response.body" and message.get("more_body", False)
            if lasts and time.monotonic() - looked_s >= LOOK_S:
                looked_s = time.monotonic()
                if self._visiting.of(request, heard=False) is None or self._fault(request.scope) is not None:
                    over.set()
                    message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        async def receive_until_over() -> Message:
            heard, ended = asyncio.ensure_future(receive()), asyncio.ensure_future(over.wait())
            try:
                await asyncio.wait((heard, ended), return_when=asyncio.FIRST_COMPLETED)
                return {"type": "http.disconnect"} if over.is_set() else await heard
            finally:
                heard.cancel()
                ended.cancel()

        await self._app(request.scope, receive_until_over, send_while_signed_in)


def route_of(scope: MutableMapping[str, Any]) -> str | None:
    """A request's key in the table of permissions; ``None``: no such route."""
    for route in scope["app"].routes:
        match, _ = route.matches(scope)
        if match is Match.FULL:
            return next(iter(names_of(route, scope["method"])), None)
    return None


def names_of(route: BaseRoute, method: str | None = None) -> list[str]:
    if isinstance(route, Mount):
        return [f"GET {route.path}"]
    if not isinstance(route, Route):
        return [f"? {route!r}"]  # stands nowhere
    methods = set(route.methods or ()) - {"HEAD"} if method is None else {"GET" if method == "HEAD" else method}
    return [f"{one} {route.path}" for one in sorted(methods)]


def _is_of_a_person(request: Request) -> bool:
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


def _is_an_act(request: Request) -> bool:
    return request.method not in {"GET", "HEAD"} or request.headers.get("sec-fetch-mode", "navigate") == "navigate"


def _again(body: bytes, receive: Receive) -> Receive:
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed

"""Host and origin checks, and security headers of answers."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardshoe.process.http.problems import problem

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()",
    "cache-control": "no-store",
}
FORMS_HEADERS: Final = {
    "content-security-policy": POLICY.replace("form-action 'none'", "form-action 'self'"),
    "referrer-policy": "same-origin",
}
LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")


class Guard:
    """Rejects other sites' requests; adds security headers.

    Args:
        forms: pages have forms: browsers send their origin only if the referrer policy allows it.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], *, forms: bool = False) -> None:
        self._app: Final = app
        self._headers: Final = {**HEADERS, **FORMS_HEADERS} if forms else HEADERS
        self._hosts: Final = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
            await send(message)

        if (why := self._fault(scope)) is not None:
            await problem(HTTPStatus.FORBIDDEN, why)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _fault(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if self._hosts and host not in self._hosts:
            return f"The header Host must name this display: {', '.join(sorted(self._hosts))}."
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"{scope['scheme']}://{host}":
            return "Requests from pages of another origin are refused."
        # A browser says whose page asks, and no page can make it say otherwise; programs do not say it.
        changes = scope["method"] not in ("GET", "HEAD")
        if changes and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "Changes from pages of another origin are refused."
        return None


def hosts_of(host: str, port: int) -> list[str]:
    """Host names of a listening address without TLS."""
    name = f"[{host}]" if ":" in host else host
    return [f"{one}:{port}" for one in dict.fromkeys((name, *LOOPBACK_NAMES))]

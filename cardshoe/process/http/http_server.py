"""An HTTP server with limits, which passes on the client's certificate."""

import asyncio
import ssl
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from cryptography import x509
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from cardshoe.process.http.connection_limits import LimitedListener

MAX_HEAD_BYTES: Final = 16 * 1024
STOP_S: Final = 5
PEER: Final = "cardshoe.peer"
"""Scope key of the client's certificate, as `ssl.SSLSocket.getpeercert` returns it, with `USES`."""
USES: Final = "extendedKeyUsage"
"""Object identifiers of the certificate's extended key usage."""
LASTING: Final = "cardshoe.lasting"
"""Scope key of a function that exempts lasting answers from the time limit."""


def bounded_server(
    app: ASGIApp, door: LimitedListener, tls: ssl.SSLContext | None, exchange_s: float
) -> uvicorn.Server:
    """The server; ``tls`` ``None``: unencrypted.

    Args:
        exchange_s: seconds from one answer to the end of the next.
    """

    class Hurried(H11Protocol):
        """Cuts off a connection on which an exchange takes too long."""

        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its base
            super().connection_made(transport)
            # uvicorn hands no certificate on. Each connection has an object of its own, so its application knows.
            self.app = _WithCertificate(self.app, _peer_of(transport), self._lasting)
            door.entered(transport)
            self._hurry()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self.transport.is_closing():
                door.answered(self.transport)
            self._hurry()

        def connection_lost(self, exc: Exception | None) -> None:
            self._unhurry()
            super().connection_lost(exc)

        def _lasting(self) -> None:
            self._unhurry()
            door.lasts(self.transport)

        def _unhurry(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()

        def _hurry(self) -> None:
            self._unhurry()
            self._deadline = self.loop.call_later(exchange_s, self.transport.abort)

    secured: Callable[..., ssl.SSLContext] | None = None if tls is None else lambda *_: tls
    config = uvicorn.Config(
        app,
        http=Hurried,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        log_level="critical",  # the application says itself what matters, and what strangers send is no news
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        timeout_graceful_shutdown=STOP_S,
        ssl_context_factory=secured,
    )
    return uvicorn.Server(config)


def _peer_of(transport: asyncio.Transport) -> dict[str, Any] | None:
    peer = transport.get_extra_info("peercert")
    tls = transport.get_extra_info("ssl_object")
    if not peer or tls is None:
        return None
    try:
        found = x509.load_der_x509_certificate(tls.getpeercert(binary_form=True))
        uses = [one.dotted_string for one in found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value]
    except (ValueError, TypeError, x509.ExtensionNotFound):
        uses = []
    return {**peer, USES: uses}


class _WithCertificate:
    def __init__(
        self,
        app: Any,  # noqa: ANN401  # whatever uvicorn has loaded
        peer: dict[str, Any] | None,
        lasting: Callable[[], None],
    ) -> None:
        self._app: Final = app
        self._peer: Final = peer
        self._lasting: Final = lasting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[PEER] = self._peer
        scope[LASTING] = self._lasting
        await self._app(scope, receive, send)

"""The source of a request, for limits of wrong PINs and streams."""

import ipaddress
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from msgspec import Struct
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from cardshoe.persons.lockout import Source
from cardshoe.process.http.browser_sessions import BROWSER, TrustedBrowsers
from cardshoe.process.http.connection_limits import peer_of
from cardshoe.process.http.http_server import LASTING
from cardshoe.process.http.problems import RequestRejected, problem

NOWHERE: Final = "0.0.0.0"  # noqa: S104  # nothing is bound to it


def source_of(request: Request, browsers: TrustedBrowsers, cookie: str = BROWSER) -> Source:
    peer = peer_of((NOWHERE if request.client is None else request.client.host,))
    is_here = ipaddress.ip_network(peer).is_loopback
    browser = browsers.name_of(request.cookies.get(cookie))
    if browser is not None:
        return Source(browser, "here_known" if is_here else "remote_known")
    return Source(peer, "here" if is_here else "remote")


class PinsWaiting:
    def __init__(self, most: int, afar: int) -> None:
        self._most: Final = most
        self._afar: Final = afar
        self._waiting: Final[set[Source]] = set()

    def is_full(self, source: Source) -> bool:
        afar = sum(_is_afar(one) for one in self._waiting)
        return source in self._waiting or len(self._waiting) >= self._most or (_is_afar(source) and afar >= self._afar)

    @contextmanager
    def waits(self, source: Source) -> Iterator[None]:
        """Count a PIN while the block runs."""
        self._waiting.add(source)
        try:
            yield
        finally:
            self._waiting.discard(source)


def _is_afar(source: Source) -> bool:
    return source.kind in ("remote", "remote_known")


class StreamLimits(Struct, frozen=True, kw_only=True):
    """Limits of simultaneous streams.

    Attributes:
        strange: browsers without an earlier sign-in; the rest is reserved.
        strange_afar: of these, from other machines.
    """

    all: int = 128
    strange: int = 96
    strange_afar: int = 64
    each: int = 32


class Streams:
    def __init__(self, limits: StreamLimits = StreamLimits()) -> None:  # noqa: B008  # frozen
        self._limits: Final = limits
        self._open: Final[Counter[Source]] = Counter()

    @property
    def count(self) -> int:
        """Number of open streams."""
        return self._open.total()

    def check(self, source: Source) -> None:
        """Check for room for one more.

        Raises:
            RequestRejected: the limit is reached (503).
        """
        limits = self._limits
        strange = [(one.kind, number) for one, number in self._open.items() if one.kind in ("here", "remote")]
        full = (
            self.count >= limits.all
            or self._open[source] >= limits.each
            or (source.kind in ("here", "remote") and sum(number for _, number in strange) >= limits.strange)
            or (
                source.kind == "remote"
                and sum(number for kind, number in strange if kind == "remote") >= limits.strange_afar
            )
        )
        if full:
            detail = f"Too many streams are open, {self._open[source]} of them from here; close one of them."
            raise RequestRejected(problem(HTTPStatus.SERVICE_UNAVAILABLE, detail))

    @contextmanager
    def open(self, source: Source) -> Iterator[None]:
        """Count a stream while the block runs."""
        self._open[source] += 1
        try:
            yield
        finally:
            self._open[source] -= 1
            if not self._open[source]:
                del self._open[source]


class CountedStream(EventSourceResponse):
    """A stream, counted to its end; ``send_s``: seconds to receive an event."""

    def __init__(self, streams: Streams, source: Source, events: AsyncIterator[bytes], send_s: float) -> None:
        streams.check(source)
        # Our own pulses are events, which pages hear; the library's would be remarks.
        super().__init__(events, ping=3600, send_timeout=send_s, headers={"Cache-Control": "no-store"})
        self._streams: Final = streams
        self._source: Final = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lasting: Callable[[], None] = scope.get(LASTING, lambda: None)
        lasting()
        with self._streams.open(self._source):
            await super().__call__(scope, receive, send)

"""The server of a display."""

import gc
import ipaddress
import logging
import os
import socket
import threading
from collections.abc import Callable
from typing import Final

import uvicorn
from sse_starlette.sse import AppStatus

from cardshoe.process.http.connection_limits import ConnectionLimits, LimitedListener
from cardshoe.process.http.guard import hosts_of
from cardshoe.process.http.http_server import bounded_server
from cardshoe.process.signals import signals_stop
from cardshoe.table.display.app import Display
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.listening import BACKLOG
from cardshoe.table.display.settings import DisplaySettings

EXCHANGE_S: Final = 30.0
ROOM: Final = ConnectionLimits(each=64, all=256, here=64)
"""A browser opens at most six, and a source 32 streams."""
STOP_S: Final = 1


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, feed: Feed) -> None:
        super().__init__(config)
        self._feed: Final = feed
        # Else that library cancels its streams half a second after the signal, and each is an error to the server.
        AppStatus.enable_automatic_graceful_drain = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # A full collection took 60 ms, in which no stream is served; of what comes later it takes next to nothing.
        gc.collect()
        gc.freeze()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._feed.end()
        await super().shutdown(sockets)


def serve(settings: DisplaySettings, listening: socket.socket, *, until_closed: int | None = None) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    door = LimitedListener(listening, ROOM)
    server = server_of(settings, door)

    def stop() -> None:
        server.should_exit = True

    if until_closed is not None:
        threading.Thread(target=_wait_for_the_end, args=(until_closed, stop), daemon=True).start()
    with signals_stop(stop):
        server.run(sockets=[door])


def server_of(settings: DisplaySettings, door: LimitedListener) -> uvicorn.Server:
    """The display's server, which its caller runs."""
    tls = settings.section.tls
    host, port = door.getsockname()[:2]
    hosts = hosts_of(host, port) if tls is None and ipaddress.ip_address(host).is_loopback else []
    feed = Feed(settings.place)
    app = Display(settings, feed).app(hosts)
    config = bounded_server(app, door, None if tls is None else tls.server(), EXCHANGE_S).config
    # What the application fails on is news; what strangers send is none.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    config.lifespan, config.timeout_graceful_shutdown = "on", STOP_S
    config.backlog = BACKLOG  # as often asyncio tries at once to accept, and complains where no descriptor is left
    return _Server(config, feed)


def _wait_for_the_end(descriptor: int, stop: Callable[[], None]) -> None:
    while os.read(descriptor, 1):
        continue
    stop()

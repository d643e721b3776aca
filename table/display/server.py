"""A display at work: its listening socket, and the server behind it."""

import errno
import gc
import ipaddress
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import uvicorn
from sse_starlette.sse import AppStatus

from drivers.port_holders import PortHolder, holder_of
from table.display.app import Display
from table.display.feed import Feed
from table.display.guard import hosts_of
from table.display.settings import DisplaySettings
from table.process.exits import Exit, Stop
from table.process.signals import signals_stop
from table.setup.display_section import DisplaySection, host_port

BACKLOG: Final = 64
"""Connections that wait while a display that died is started again: to a browser it is slow for a moment."""
STOP_S: Final = 1
"""Seconds that answers under way have at the end; streams have none."""
_HEX: Final = 16


def listener(section: DisplaySection) -> socket.socket:
    """The listening socket of a display.

    Args:
        section: where it is to listen, and with which certificates.

    Raises:
        Stop: the port is taken, the address is none of this machine's, or the certificates cannot be used.
    """
    if section.tls is not None:
        section.tls.server()  # what is wrong with them is said now
    host, port = host_port(section.listen)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        held = _holders(port) if error.errno == errno.EADDRINUSE else []
        by = ", ".join(f"{one.command} (pid {one.pid})" for one in held)
        reason = str(error) if error.errno is None else os.strerror(error.errno)
        what = f"display.listen {section.listen}: {reason}" + (f", by {by}" if by else "")
        raise Stop(what, "End that program, or choose another port in [display].", Exit.USAGE) from error


class _Server(uvicorn.Server):
    """A server whose streams end before it does.

    Args:
        config: of the server.
        feed: what the streams tell.
    """

    def __init__(self, config: uvicorn.Config, feed: Feed) -> None:
        super().__init__(config)
        self._feed: Final = feed
        # Else that library cancels its streams half a second after the signal, and each is an error to the server.
        AppStatus.enable_automatic_graceful_drain = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins; what is there by now stays, so the collector need not look through it in mid-round."""
        await super().startup(sockets)
        # A full collection took 60 ms, in which no stream is served; of what comes later it takes next to nothing.
        gc.collect()
        gc.freeze()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the streams, then waits a moment for what is under way."""
        self._feed.end()
        await super().shutdown(sockets)


def serve(settings: DisplaySettings, listening: socket.socket, *, until_closed: int | None = None) -> None:
    """Serves until Ctrl-C or SIGTERM.

    Args:
        settings: what is shown.
        listening: where.
        until_closed: a descriptor whose end ends the display: whoever started it has gone.
    """
    server = _server(settings, listening)

    def stop() -> None:
        server.should_exit = True

    if until_closed is not None:
        threading.Thread(target=_wait_for_the_end, args=(until_closed, stop), daemon=True).start()
    with signals_stop(stop):
        server.run(sockets=[listening])


def _server(settings: DisplaySettings, listening: socket.socket) -> uvicorn.Server:
    tls = settings.section.tls
    host, port = listening.getsockname()[:2]
    hosts = hosts_of(host, port) if tls is None and ipaddress.ip_address(host).is_loopback else []
    feed = Feed(settings.place)
    app = Display(settings, feed).app(hosts)
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="on",
        loop="asyncio",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,  # as often asyncio tries at once to accept, and complains where no descriptor is left
        timeout_graceful_shutdown=STOP_S,
        ssl_context_factory=None if tls is None else lambda *_: tls.server(),
    )
    return _Server(config, feed)


def _wait_for_the_end(descriptor: int, stop: Callable[[], None]) -> None:
    while os.read(descriptor, 1):
        continue
    stop()


def _holders(port: int) -> list[PortHolder]:
    """Who listens at a TCP port of this machine, as far as this user may see."""
    inodes = set()
    for name in ("tcp", "tcp6"):
        try:
            lines = Path(f"/proc/net/{name}").read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], _HEX) == port:  # 0A: it listens
                inodes.add(f"socket:[{fields[9]}]")
    return [holder_of(pid) for pid in _pids() if _has_one(pid, inodes)]


def _pids() -> list[int]:
    return sorted(int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())


def _has_one(pid: int, inodes: set[str]) -> bool:
    try:
        return any(str(one.readlink()) in inodes for one in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # another user's, or it has just ended
        return False

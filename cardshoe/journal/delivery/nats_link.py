"""One connection to a NATS server; a broken one is replaced."""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Callable, Sequence
from typing import Final

from nats.aio.client import Client
from nats.errors import Error

from cardshoe.journal.delivery.subjects import ASKS, CERTIFICATE, LINES, MESSAGE_ID, SIGNATURE

logger: Final = logging.getLogger(__name__)

CONNECT_S: Final = 5
PING_S: Final = 10
"""Between two pings; two without an answer end the connection."""
END_S: Final = 1.0
PORT: Final = 4222
_OF_TABLES: Final = (f"{LINES}.".encode(), f"{ASKS}.".encode())
_HEADERS: Final = frozenset(name.encode() for name in (MESSAGE_ID, CERTIFICATE, SIGNATURE))
_VERSION: Final = b"NATS/1.0"
_LINE_END: Final = b"\r\n"
FAULTS: Final = (Error, OSError, TimeoutError, EOFError)


class _Guarded(Client):
    """Ignores status headers of other clients.

    The library stops at one that it cannot decode: one table could stop all deliveries.
    """

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        if headers and subject.startswith(_OF_TABLES):
            headers = own_headers(headers)
        await super()._process_msg(sid, subject, reply, data, headers)


def own_headers(headers: bytes) -> bytes:
    kept = [line for line in headers.split(_LINE_END)[1:] if line.partition(b":")[0] in _HEADERS]
    return _LINE_END.join([_VERSION, *kept, b"", b""]) if kept else b""


class _NoEof(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        return "eof_received" not in str(record.msg)


logging.getLogger("asyncio").addFilter(_NoEof())


async def linked(
    servers: Sequence[str],
    tls: ssl.SSLContext,
    *,
    name: str,
    inbox: str,
    said: Callable[[str], None],
    lost: Callable[[], None],
) -> Client:
    """Connect to one of some servers.

    Raises:
        Error, OSError, TimeoutError: no server can be reached, or none admits this side.
    """
    link = _Guarded()
    reasons: list[str] = []

    async def fault(error: Exception) -> None:
        if link.is_closed:
            return  # what follows the end is no news
        reasons.append(str(error) or type(error).__name__)
        said(reasons[-1])

    async def gone() -> None:
        lost()

    try:
        async with asyncio.timeout(CONNECT_S * (1 + len(servers))):
            await link.connect(
                [f"tls://{server}" for server in servers],
                tls=tls,
                name=name,
                inbox_prefix=inbox,
                allow_reconnect=False,
                connect_timeout=CONNECT_S,
                max_reconnect_attempts=1,  # of each server, before any has answered
                reconnect_time_wait=0,
                ping_interval=PING_S,
                error_cb=fault,
                closed_cb=gone,
            )
    except BaseException as error:
        await unlinked(link)
        if isinstance(error, FAULTS) and reasons:
            raise Error(reasons[0]) from error  # what follows is that the other side has gone
        raise
    return link


async def unlinked(link: Client) -> None:
    """Close a connection, even if the peer does not respond."""
    try:
        with contextlib.suppress(*FAULTS):
            async with asyncio.timeout(END_S):
                await link.close()
    finally:
        # TLS waits half a minute for the other's farewell, and the library has no way to break that off.
        transport = link._transport  # noqa: SLF001  there is no other way
        writer: asyncio.StreamWriter | None = getattr(transport, "_io_writer", None)
        if writer is not None:
            # One that has ended by itself has nothing to break off; in Python 3.11.2 it says so by this error.
            with contextlib.suppress(AttributeError):
                writer.transport.abort()

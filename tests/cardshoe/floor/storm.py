"""All tables reconnect at once among slow clients; one certificate is revoked meanwhile."""

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import httpx
import msgspec

from cardshoe.cli.floor.demo.plan import names
from cardshoe.journal.delivery.wire import Has
from tests.cardshoe.floor.batches import SENDER
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.week import peak_kib

PATIENCE_S: Final = 120.0
SLOW: Final = 40
"""On each door: half of them have sent part of a request, half nothing at all."""
REVOKED_MAX_S: Final = 60.0
"""Within which a stolen certificate must be refused."""
ROUNDS: Final = 3
"""Requests of every table after the revocation, at least."""


class Storm(NamedTuple):
    """The result of a storm.

    Attributes:
        all_s: seconds until all were answered.
        revoked_s: seconds from the list with its number until it was refused.
        read_s: seconds of an answer to whoever looks, meanwhile.
    """

    tables: int
    failed: int
    all_s: float
    slowest_s: float
    asked: int
    revoked_s: float
    refused: int
    read_s: float
    collector_kib: int

    def __str__(self) -> str:
        return (
            f"storm: tables={self.tables} tried_again={self.failed} all_s={self.all_s:.2f} "
            f"slowest_answer_s={self.slowest_s:.2f} asked={self.asked} revoked_s={self.revoked_s:.2f} "
            f"others_refused={self.refused} read_s={self.read_s:.2f} "
            f"collector_mib={self.collector_kib / 1024:.0f}"
        )


def storm(folder: Path, site: Site, database: str, tables: int) -> Storm:
    """Lets them come.

    Args:
        database: an empty one.
    """
    state = folder / "state"
    state.mkdir(mode=0o700)
    contexts = {name: site.tls(name).client() for name in names(tables)}
    stranger = site.tls("slow").client()
    with Collector(site, state, database) as floor, contextlib.ExitStack() as held:
        for one in _slow(floor, stranger):
            held.callback(one.close)
        return asyncio.run(_come(floor, site, contexts))


def _slow(floor: Collector, stranger: ssl.SSLContext) -> Iterator[socket.socket]:
    host, port = floor.read.removeprefix("http://").split(":")
    for number in range(SLOW):
        plain = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        if number % 2:
            plain.sendall(b"GET /api/v1/tables HTTP/1.1\r\nHost: 127")
        yield plain
        tables = socket.create_connection(("127.0.0.1", floor.port), timeout=PATIENCE_S)
        if number % 2:
            secured = stranger.wrap_socket(tables, server_hostname="127.0.0.1")
            secured.sendall(b"POST /v1/lines HTTP/1.1\r\nHost: floor\r\nContent-Length: 1000000\r\n\r\n{")
            yield secured
        else:
            yield tables


class _Table:
    """One client; it keeps its connection."""

    def __init__(self, floor: Collector, name: str, context: ssl.SSLContext) -> None:
        self.name: Final = name
        self._http: Final = httpx.AsyncClient(
            base_url=f"https://{floor.address}", verify=context, timeout=PATIENCE_S, trust_env=False
        )
        self._body: Final = msgspec.json.encode(Has(table=name, sender=SENDER, logs=[]))
        self.failed = 0
        self.asked = 0
        self.slowest_s = 0.0

    async def ask(self) -> int:
        began_s = time.monotonic()
        answer = await self._http.post("/v1/has", content=self._body)
        self.asked += 1
        self.slowest_s = max(self.slowest_s, time.monotonic() - began_s)
        return answer.status_code

    async def come(self) -> None:
        while True:
            try:
                assert await self.ask() == httpx.codes.OK
            except httpx.TransportError:
                self.failed += 1
            else:
                return

    async def close(self) -> None:
        await self._http.aclose()


async def _come(floor: Collector, site: Site, contexts: dict[str, ssl.SSLContext]) -> Storm:
    tables = [_Table(floor, name, context) for name, context in contexts.items()]
    began_s = time.monotonic()
    await asyncio.gather(*(table.come() for table in tables))
    all_s = time.monotonic() - began_s
    for table in tables:
        table.slowest_s = 0.0
    before, (stolen, *others) = sum(table.asked for table in tables), tables
    over = asyncio.Event()
    refused = [asyncio.create_task(_ask_on(table, over)) for table in others]
    await asyncio.sleep(0)
    await asyncio.to_thread(site.revoke, stolen.name)
    read_s = await _looked(floor)
    revoked_s = await _until_refused(stolen, others)
    over.set()
    counts = await asyncio.gather(*refused)
    found = Storm(
        tables=len(tables),
        failed=sum(table.failed for table in tables),
        all_s=all_s,
        slowest_s=max(table.slowest_s for table in tables),
        asked=sum(table.asked for table in tables) - before,
        revoked_s=revoked_s,
        refused=sum(counts),
        read_s=read_s,
        collector_kib=peak_kib(floor.pid),
    )
    await asyncio.gather(*(table.close() for table in tables))
    return found


async def _until_refused(stolen: _Table, others: Sequence[_Table]) -> float:
    began_s, refused_s = time.monotonic(), 0.0
    wanted = sum(table.asked for table in others) + ROUNDS * len(others)
    while not refused_s or sum(table.asked for table in others) < wanted:
        status = await stolen.ask()
        if status == httpx.codes.FORBIDDEN:
            refused_s = refused_s or time.monotonic() - began_s
        assert not refused_s or status == httpx.codes.FORBIDDEN, "it was let in again"
        assert time.monotonic() - began_s < PATIENCE_S, "it was not refused"
    return refused_s


async def _looked(floor: Collector) -> float:
    began_s = time.monotonic()
    async with httpx.AsyncClient(base_url=floor.read, timeout=PATIENCE_S, trust_env=False) as http:
        (await http.get("/api/v1/tables")).raise_for_status()
    return time.monotonic() - began_s


async def _ask_on(table: _Table, over: asyncio.Event) -> int:
    refused = 0
    while not over.is_set():
        refused += await table.ask() != httpx.codes.OK
    return refused

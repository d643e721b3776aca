"""Viewers of the page of all tables, each with a socket of its own, while all tables play."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import httpx

from tests.cardshoe.floor.house import PINS
from tests.cardshoe.floor.many import FloorStage, floor_stage
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.waiting import PATIENCE_S, wait_until

LOOKING: Final = ("sara", "vera", "rosa", "theo")
"""Who looks: one of each role that may; a person has 32 streams at most."""
PATH: Final = "/tables/events?lang=en"
TICKS: Final = 100
"""Of the CPU time of a process, in a second."""
BYTES_PER_S_MAX: Final = 20_000
CPU_MAX: Final = 0.20
"""Of a core, for `MANY` viewers."""
MANY: Final = 128


class Viewed(NamedTuple):
    """The cost of some viewers.

    Attributes:
        whole: bytes of the whole page, which each viewer receives first.
        bytes_per_s: for a viewer, after the whole page.
    """

    viewers: int
    entries_per_s: float
    whole: int
    changes_per_s: float
    bytes_per_s: float
    cpu: float

    def __str__(self) -> str:
        figures = {
            "entries_per_s": f"{self.entries_per_s:.0f}",
            "whole_bytes": self.whole,
            "changes_per_s": f"{self.changes_per_s:.2f}",
            "bytes_per_s": f"{self.bytes_per_s:.0f}",
            "cpu": f"{self.cpu:.3f}",
        }
        return " ".join(f"{name}_of_{self.viewers}={figure}" for name, figure in figures.items())


class Viewing(NamedTuple):
    """The cost of viewers, by how many there were."""

    tables: int
    alone: float
    each: Sequence[Viewed]

    @property
    def is_bad(self) -> bool:
        """True if a viewer receives too much, or viewers take too much CPU."""
        most = max(self.each, key=lambda one: one.viewers)
        return most.bytes_per_s > BYTES_PER_S_MAX or most.cpu - self.alone > CPU_MAX * most.viewers / MANY

    def __str__(self) -> str:
        return f"viewers: tables={self.tables} cpu_alone={self.alone:.3f} " + " ".join(map(str, self.each))


class Viewer:
    """One viewer: a connection to the stream that counts what comes.

    Attributes:
        begun: set once the whole page is there.
        whole: bytes of the first event.
        bytes: of all.
    """

    def __init__(self) -> None:
        self.begun: Final = asyncio.Event()
        self.whole = 0
        self.bytes = 0
        self.events: Final[Counter[bytes]] = Counter()

    async def look(self, address: str, cookie: str) -> None:
        """Reads the stream until it is cancelled."""
        host, port = address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(f"GET {PATH} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n\r\n".encode())
            assert b" 200 " in await reader.readline()
            await reader.readuntil(b"\r\n\r\n")
            while (size := int(await reader.readline(), 16)) > 0:
                data = await reader.readexactly(size)
                await reader.readline()
                self.whole = self.whole or size
                self.begun.set()
                self.bytes += size
                for line in data.splitlines():
                    if line.startswith(b"event: "):
                        self.events[line[len(b"event: ") :]] += 1
        finally:
            writer.close()


def viewing(folder: Path, site: Site, database: str, *, tables: int, viewers: Sequence[int], seconds: float) -> Viewing:
    """Have so many viewers look, one number after the other.

    Args:
        database: an empty one.
        seconds: that each number is measured.
    """
    with floor_stage(folder, site, database, tables) as stage:
        cookies = [_signed_in(stage.home, person) for person in LOOKING]
        wait_until(lambda: _is_current(stage.home, cookies[0]), seconds=300)
        return asyncio.run(_measured(stage, cookies, tables, viewers, seconds))


async def _measured(
    stage: FloorStage, cookies: Sequence[str], tables: int, viewers: Sequence[int], seconds: float
) -> Viewing:
    alone = await _cpu(stage.floor, seconds)
    found = []
    for count in viewers:
        looking = [Viewer() for _ in range(count)]
        address = urlsplit(stage.home).netloc
        tasks = [
            asyncio.create_task(one.look(address, cookies[number % len(cookies)])) for number, one in enumerate(looking)
        ]
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(one.begun.wait() for one in looking))
        before, changes = sum(one.bytes for one in looking), sum(_news(one) for one in looking)
        delivered, began_s = stage.tables.delivered, time.monotonic()
        cpu = await _cpu(stage.floor, seconds)
        took_s = time.monotonic() - began_s
        found.append(
            Viewed(
                viewers=count,
                entries_per_s=(stage.tables.delivered - delivered) / took_s,
                whole=max(one.whole for one in looking),
                changes_per_s=(sum(_news(one) for one in looking) - changes) / took_s / count,
                bytes_per_s=(sum(one.bytes for one in looking) - before) / took_s / count,
                cpu=cpu,
            )
        )
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return Viewing(tables, alone, found)


async def _cpu(floor: Collector, seconds: float) -> float:
    before, began_s = _ticks(floor.pid), time.monotonic()
    await asyncio.sleep(seconds)
    return (_ticks(floor.pid) - before) / TICKS / (time.monotonic() - began_s)


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _news(viewer: Viewer) -> int:
    return viewer.events[b"shown"] + viewer.events[b"changed"]


def _signed_in(home: str, person: str) -> str:
    answer = httpx.post(f"{home}/api/v1/session", json={"id": person, "pin": PINS[person]}, trust_env=False)
    assert answer.status_code == 201, answer.text
    return answer.headers["set-cookie"].partition(";")[0]


def _is_current(home: str, cookie: str) -> bool:
    html = httpx.get(f"{home}/tables?lang=en", headers={"Cookie": cookie}, trust_env=False, timeout=60).text
    return "class='tile" in html and "Older lines" not in html

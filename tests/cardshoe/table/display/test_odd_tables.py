"""What a display makes of a table that does not answer, or says what no display expects; over a real socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cardshoe.table.display.feed import Feed
from cardshoe.table.display.input_client import InputClient, NotAnswered
from cardshoe.table.live import messages as says
from cardshoe.table.live.place import Door, TablePlace
from tests.kit.command import PATIENCE_S

ASKED = says.SignIn(id="-", person="cara", pin="835917")


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_a_table_that_does_not_answer_costs_no_descriptor(tmp_path: Path) -> None:
    place = TablePlace.of(tmp_path, "T-1")
    before = open_files()

    async def run() -> int:
        carrier = InputClient(place, lambda: None)
        with contextlib.closing(Door(place)):
            asking = [asyncio.create_task(carrier.ask(ASKED)) for _ in range(2)]
            with pytest.raises(NotAnswered, match="does not answer"):
                await asking[0]
            await asyncio.sleep(0)  # the other one has its turn
            asking[1].cancel()  # as a browser that has gone
            await asyncio.wait(asking)
        await carrier.close()
        await asyncio.sleep(0)
        return open_files()

    # The loop has three of its own.
    assert asyncio.run(run()) <= before + 3


def test_what_no_display_expects_is_no_table_and_it_is_looked_for_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = TablePlace.of(tmp_path, "T-1")
    later = b'{"type":"of_a_later_program","more":' + b"[" * 5000 + b"]" * 5000 + b"}\n"

    async def run() -> None:
        feed = Feed(place)
        loop = asyncio.get_running_loop()
        with contextlib.closing(Door(place)) as door:
            async with _running(feed):
                for _ in range(2):
                    found, _ = await asyncio.wait_for(loop.sock_accept(door.listening), PATIENCE_S)
                    with found:
                        await loop.sock_sendall(found, later)
                        assert not await loop.sock_recv(found, 1)  # it hangs up
        assert feed.why_not == "a defect of the display"

    asyncio.run(run())
    assert "the table cannot be followed" in caplog.text


@asynccontextmanager
async def _running(feed: Feed) -> AsyncIterator[None]:
    task = asyncio.create_task(feed.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])

"""What must not hold a floor up: bodies without an end, whoever looks, and what has failed once."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import psycopg
import pytest
from anyio import to_thread

from cardshoe.floor.app import Limits, TablesApp
from cardshoe.floor.certificates import CLIENT, Revoked
from cardshoe.floor.database import Database
from cardshoe.floor.ingest import Collector
from cardshoe.floor.server import each, end
from cardshoe.floor.witness import FloorWitness
from cardshoe.journal.delivery.wire import Has
from cardshoe.journal.proof.note import SigningKey
from cardshoe.journal.witness.store import private_key
from cardshoe.process.http.http_server import PEER, USES
from tests.cardshoe.floor.browsers import HOST, Interface
from tests.cardshoe.floor.postgres import needs_postgres

TABLE: Final = "T-001"
LOOKERS: Final = 60
"""More than the threads that all applications share."""
Receive = Callable[[], Awaitable[dict[str, Any]]]


def asked(app: TablesApp, *bodies: Receive) -> list[tuple[int, str]]:
    """The status and code of each request, which all come at the same time, in the order in which they are answered."""
    found: list[tuple[int, str]] = []

    async def ask(receive: Receive) -> None:
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/v1/lines",
            "headers": [],
            "query_string": b"",
            PEER: {"subject": ((("commonName", TABLE),),), USES: [CLIENT]},
        }
        statuses: list[int] = []

        async def send(message: Any) -> None:  # noqa: ANN401  # as ASGI has it
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            else:
                found.append((statuses[0], json.loads(message["body"])["code"]))

        await app.app(scope, receive, send)

    async def all_of_them() -> None:
        await asyncio.gather(*(ask(one) for one in bodies))

    asyncio.run(all_of_them())
    return found


async def never() -> dict[str, Any]:
    await asyncio.Event().wait()
    raise AssertionError


async def without_end() -> dict[str, Any]:
    return {"type": "http.request", "body": b"x" * 100_000, "more_body": True}


async def nothing() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


def test_a_slow_body_is_given_up_and_its_table_may_ask_again(tmp_path: Path) -> None:
    witness = FloorWitness(tmp_path / "witness")
    key = SigningKey("cardshoe/floor/test", private_key(tmp_path / "mark-key"))
    collector = Collector(Database("host=/nowhere"), key, witness)
    app = TablesApp(collector, Revoked(None, ""), Limits(body_s=0.05))
    try:
        # The second one comes while the first is under way: of a table one is heard at a time.
        assert asked(app, never, nothing) == [(429, "busy"), (413, "too_long")]
        assert asked(app, without_end) == [(413, "too_long")]
        assert asked(app, nothing) == [(400, "malformed")]
    finally:
        witness.close()


@needs_postgres
def test_whoever_looks_keeps_no_table_waiting(tmp_path: Path, database: str) -> None:
    witness = FloorWitness(tmp_path / "witness")
    key = SigningKey("cardshoe/floor/test", private_key(tmp_path / "mark-key"))
    has = msgspec.json.encode(Has(table=TABLE, sender="0" * 32, logs=[]))
    peer = {"subject": ((("commonName", TABLE),),), USES: [CLIENT]}

    async def run(interface: Interface, app: TablesApp, lock: psycopg.Connection[Any]) -> int:
        def client(asgi: Any) -> httpx.AsyncClient:  # noqa: ANN401  # as ASGI has it
            return httpx.AsyncClient(transport=httpx.ASGITransport(asgi), base_url=f"http://{HOST}")

        async def as_table(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  # as ASGI has it
            await app.app({**scope, PEER: peer}, receive, send)

        async with client(interface.app) as lookers, client(as_table) as table:
            looking = [asyncio.create_task(lookers.get("/api/v1/alarms")) for _ in range(LOOKERS)]
            threads = to_thread.current_default_thread_limiter()
            while threads.available_tokens:  # noqa: ASYNC110  the library tells nobody
                await asyncio.sleep(0)
            answer = await table.post("/v1/has", content=has)
            assert not any(one.done() for one in looking)
            lock.rollback()
            await asyncio.gather(*looking)
            return answer.status_code

    with (
        Interface(tmp_path, database) as interface,
        Database(database) as landing,
        psycopg.connect(database) as lock,
    ):
        lock.execute("LOCK TABLE alarms")  # as somebody's own query may for as long as it takes
        app = TablesApp(Collector(landing, key, witness), Revoked(None, ""))
        assert asyncio.run(run(interface, app, lock)) == 200
    witness.close()


def test_what_the_floor_does_by_itself_is_done_again_after_it_has_failed(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        done = asyncio.Event()
        loop, failures = asyncio.get_running_loop(), [ValueError("no right"), OSError("no room")]

        def act() -> None:
            if failures:
                raise failures.pop()
            loop.call_soon_threadsafe(done.set)

        task = asyncio.create_task(each(0.0, act))
        await asyncio.wait_for(done.wait(), 60)
        task.cancel()

    asyncio.run(run())
    assert caplog.text.count("it is tried again") == 2


def test_a_part_that_swallows_a_cancellation_keeps_no_floor_from_ending() -> None:
    """A floor whose NATS server refused each request did not obey SIGTERM once; a library can swallow it."""
    cancelled: list[bool] = []

    async def stubborn() -> None:
        while len(cancelled) < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(True)

    async def run() -> None:
        await end(asyncio.create_task(stubborn()), 0.01)

    asyncio.run(asyncio.wait_for(run(), 20))
    assert len(cancelled) == 3

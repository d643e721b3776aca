"""A body that comes slowly, and one that never ends: asked of the application itself, with a patience of our own."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from floor.app import Limits, TablesApp
from floor.certificates import Revoked
from floor.database import Database
from floor.landing import Collector
from floor.witness import FloorWitness
from table.journal.proof.note import SigningKey
from table.witnessing.bounded import PEER
from table.witnessing.store import private_key

TABLE: Final = "T-001"
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
            PEER: {"subject": ((("commonName", TABLE),),)},
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

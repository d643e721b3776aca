"""Each end that a connection to a NATS server can take, at the table's side and at the floor's: none is waited out."""

import asyncio
import gc
import socket
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nats.aio.msg import Msg

from cardshoe.floor.certificates import Revoked
from cardshoe.floor.database import Database
from cardshoe.floor.ingest import Collector
from cardshoe.floor.jetstream.consumer import Taking
from cardshoe.floor.jetstream.stream import CONSUMER, place, the_stream, wanted
from cardshoe.floor.witness import FloorWitness
from cardshoe.journal.delivery.subjects import ANSWERS, ASKS, BEGUN, STREAM
from cardshoe.journal.proof.note import SigningKey
from cardshoe.process.exits import Stop
from cardshoe.table.uplink.nats_carrier import NatsCarrier
from cardshoe.table.uplink.transport import FloorUnavailable
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.nats_server import Nats, connected, needs_nats
from tests.cardshoe.floor.site import FLOOR, Site
from tests.cardshoe.floor.tables import journal
from tests.cardshoe.floor.waiting import PATIENCE_S
from tests.kit.certificates import needs_openssl

pytestmark = [needs_openssl, needs_nats]
TABLE: Final = "T-001"
MARKS: Final = SigningKey("cardshoe/floor/0123456789abcdef", Ed25519PrivateKey.generate())
FOR_EVER_S: Final = 1.5 * PATIENCE_S
"""What an exchange may take here: what ends before has not waited for that."""


@pytest.fixture
def nats(tmp_path: Path, site: Site) -> Iterator[Nats]:
    with Nats(site, tmp_path / "nats", [TABLE]) as server:
        yield server


@pytest.fixture
def book(tmp_path: Path, inputs: list[AnyInput]) -> Journal:
    return Journal(journal(tmp_path / "journals", TABLE, inputs))


@pytest.fixture
def carrier(nats: Nats, tmp_path: Path) -> Iterator[NatsCarrier]:
    before = threading.enumerate()
    made = NatsCarrier(nats.uplink(tmp_path, TABLE, str(MARKS.public)).section, FOR_EVER_S)
    yield made
    made.close()
    assert begun_since(before) == []


def begun_since(before: Collection[threading.Thread]) -> list[str]:
    """The carriers' threads that run and were not there before; a test that has failed may have left some."""
    return [thread.name for thread in threading.enumerate() if thread.name == "nats" and thread not in before]


# --- at the table -----------------------------------------------------------------------------------------------------


def has(carrier: NatsCarrier, book: Journal) -> object:
    """Asks."""
    return carrier.has(book.has())


def send(carrier: NatsCarrier, book: Journal) -> object:
    """Sends lines."""
    return carrier.send(book.batch(0, 20))


Saying = Callable[[NatsCarrier, Journal], object]


def unanswered(
    nats: Nats, site: Site, say: Callable[[], object], then: Callable[[], object], begun: bool
) -> FloorUnavailable:
    """The end of an exchange that a floor has heard and does not answer, once something happens."""

    async def run(pool: ThreadPoolExecutor) -> Future[object]:
        heard = asyncio.Event()

        async def hear(_: Msg) -> None:
            heard.set()

        async with connected(nats, site, "floor", "_INBOX") as (link, _):
            streams = link.jetstream()
            await the_stream(streams, wanted(nats.section))
            await place(streams, await streams.stream_info(STREAM))
            await link.subscribe(f"{ASKS}.*.*", cb=hear)
            lines = await streams.pull_subscribe_bind(CONSUMER, STREAM)
            await link.flush()
            saying = pool.submit(say)
            fetching = asyncio.ensure_future(lines.fetch(1, PATIENCE_S))
            hearing = asyncio.ensure_future(heard.wait())
            await asyncio.wait([fetching, hearing], timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
            fetching.cancel()
            hearing.cancel()
            if begun:
                await link.publish(BEGUN)
                await link.flush()
            then()
            await asyncio.wait([asyncio.wrap_future(saying)], timeout=PATIENCE_S)
            return saying

    with ThreadPoolExecutor(1) as pool:
        error = asyncio.run(run(pool)).exception(0)
    assert isinstance(error, FloorUnavailable), error
    return error


@pytest.mark.parametrize("say", [has, send])
def test_a_server_that_is_killed_ends_what_waits_for_an_answer(
    nats: Nats, site: Site, carrier: NatsCarrier, book: Journal, say: Saying
) -> None:
    assert "cannot be reached" in str(unanswered(nats, site, lambda: say(carrier, book), nats.kill, begun=False))


@pytest.mark.parametrize("say", [has, send])
def test_a_floor_that_begins_anew_is_asked_again_at_once(
    nats: Nats, site: Site, carrier: NatsCarrier, book: Journal, say: Saying
) -> None:
    assert "restarted" in str(unanswered(nats, site, lambda: say(carrier, book), lambda: None, begun=True))


@pytest.mark.parametrize("say", [has, send])
def test_an_uplink_that_ends_lets_go_of_what_waits(
    nats: Nats, site: Site, carrier: NatsCarrier, book: Journal, say: Saying
) -> None:
    unanswered(nats, site, lambda: say(carrier, book), carrier.close, begun=False)
    with pytest.raises(FloorUnavailable):  # and begins nothing more
        say(carrier, book)


def test_a_table_that_is_left_out_meanwhile_is_told(
    nats: Nats, site: Site, carrier: NatsCarrier, book: Journal
) -> None:
    def leave_out() -> None:
        (nats.folder / "nats-server.conf").write_text(
            (nats.folder / "nats-server.conf").read_text().replace(f"CN={TABLE}", "CN=T-009")
        )
        nats.reload()

    assert "cannot be reached" in str(unanswered(nats, site, lambda: has(carrier, book), leave_out, begun=False))


def test_without_a_floor_nobody_waits(nats: Nats, carrier: NatsCarrier, book: Journal) -> None:
    with pytest.raises(FloorUnavailable, match="no floor is connected there"):
        has(carrier, book)
    with pytest.raises(FloorUnavailable, match="no response from stream"):
        send(carrier, book)
    nats.kill()
    for say in (has, send):
        with pytest.raises(FloorUnavailable, match="cannot be reached"):
            say(carrier, book)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"INFO {\r\n"])
def test_what_is_no_server_ends_a_connection(nats: Nats, tmp_path: Path, book: Journal, said: bytes) -> None:
    with socket.create_server((FLOOR, 0)) as other:
        nats.address = f"{FLOOR}:{other.getsockname()[1]}"  # type: ignore[misc]  # another one's
        carrier = NatsCarrier(nats.uplink(tmp_path, TABLE, str(MARKS.public)).section, FOR_EVER_S)

        def answer() -> None:
            for _ in range(2):  # the library tries twice
                try:
                    plain, _ = other.accept()
                except OSError:
                    return
                with plain:
                    plain.sendall(said)

        answering = threading.Thread(target=answer)
        answering.start()
        try:
            with pytest.raises(FloorUnavailable, match="cannot be reached"):
                has(carrier, book)
        finally:
            carrier.close()
            other.shutdown(socket.SHUT_RDWR)
            answering.join(PATIENCE_S)


def test_a_server_that_falls_silent_holds_nobody_up_and_nothing_is_left_of_its_connection(
    nats: Nats, tmp_path: Path, book: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    before = threading.enumerate()
    carrier = NatsCarrier(nats.uplink(tmp_path, TABLE, str(MARKS.public)).section, FOR_EVER_S)
    with pytest.raises(FloorUnavailable, match="no floor is connected there"):
        has(carrier, book)
    with nats.silent():
        carrier.close()
        assert begun_since(before) == []
        # What was not ended says so when it is thrown away: a task in the log, a connection as a warning.
        del carrier
        gc.collect()
    assert [record for record in caplog.records if record.name == "asyncio"] == []


# --- at the floor -----------------------------------------------------------------------------------------------------


@pytest.fixture
def taking(nats: Nats, site: Site, state: Path) -> Iterator[Taking]:
    """The floor's side; nothing is sent to it, so no database is asked."""
    witness = FloorWitness(state / "witness")
    tables = str(site.folder / "tables.pem")
    collector = Collector(Database(""), MARKS, witness)
    yield Taking(nats.section, collector, tables, Revoked(str(site.folder / "revoked.pem"), tables))
    witness.close()


@asynccontextmanager
async def begun(nats: Nats, site: Site) -> AsyncIterator[asyncio.Event]:
    """Set once the floor says that it has begun."""
    found = asyncio.Event()

    async def hear(_: Msg) -> None:
        found.set()

    async with connected(nats, site, TABLE, f"{ANSWERS}.{TABLE}") as (link, _):
        await link.subscribe(BEGUN, cb=hear)
        await link.flush()
        yield found


async def ended(floor: asyncio.Task[None]) -> BaseException | None:
    """With what it has ended."""
    await asyncio.wait([floor], timeout=PATIENCE_S)
    assert floor.done(), "it goes on"
    return None if floor.cancelled() else floor.exception()


def test_the_floor_goes_on_after_each_end_of_its_connection(nats: Nats, site: Site, taking: Taking) -> None:
    async def run() -> None:
        async with begun(nats, site) as said:
            floor = asyncio.create_task(taking.run())
            await asyncio.wait_for(said.wait(), PATIENCE_S)
        for end in (nats.kill, nats.forget):  # a killed server, then one that has lost its disk
            nats.kill()
            if end is nats.forget:
                end()
            await asyncio.to_thread(nats.start)
            async with begun(nats, site) as said:
                await asyncio.wait_for(said.wait(), PATIENCE_S)
        async with begun(nats, site) as said, connected(nats, site, "floor", "_INBOX") as (link, _):
            await link.jetstream().delete_stream(STREAM)
            await asyncio.wait_for(said.wait(), PATIENCE_S)
        assert not floor.done()
        floor.cancel()
        assert await ended(floor) is None

    asyncio.run(run())


def test_a_floor_that_is_told_to_end_while_its_server_goes_ends(nats: Nats, site: Site, taking: Taking) -> None:
    async def run() -> None:
        async with begun(nats, site) as said:
            floor = asyncio.create_task(taking.run())
            await asyncio.wait_for(said.wait(), PATIENCE_S)
        nats.kill()
        floor.cancel()
        assert await ended(floor) is None

    asyncio.run(run())


def test_a_floor_that_is_told_to_end_while_its_server_is_silent_ends(
    nats: Nats, site: Site, taking: Taking, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with begun(nats, site) as said:
            floor = asyncio.create_task(taking.run())
            await asyncio.wait_for(said.wait(), PATIENCE_S)
        with nats.silent():
            floor.cancel()
            # TLS by itself would wait for half a minute.
            await asyncio.wait([floor], timeout=PATIENCE_S / 3)
            assert floor.done()

    asyncio.run(run())
    gc.collect()
    assert [record for record in caplog.records if record.name == "asyncio"] == []


def test_a_floor_waits_for_a_server_that_is_not_there_and_ends_before_one_that_may_lose(
    nats: Nats, site: Site, taking: Taking, tmp_path: Path
) -> None:
    async def run() -> None:
        nats.kill()
        floor = asyncio.create_task(taking.run())
        with Nats(site, tmp_path / "wrong", [TABLE], ("sync_interval: always", "sync_interval: 2m")) as wrong:
            wrong.kill()
            wrong.address = nats.address  # type: ignore[misc]  # in its place
            await asyncio.to_thread(wrong.start)
            assert isinstance(await ended(floor), Stop)

    asyncio.run(run())

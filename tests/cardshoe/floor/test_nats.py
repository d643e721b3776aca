"""The floor behind NATS: what goes by the stream lands as what goes by HTTPS, and the stream is nothing to rest on."""

import asyncio
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error
from nats.errors import TimeoutError as NothingCame
from nats.js.api import StorageType

from cardshoe.floor.alarm_kinds import NotTaken
from cardshoe.floor.certificates import Revoked
from cardshoe.floor.jetstream.server_conf import ServerPlace, server_conf
from cardshoe.floor.jetstream.stream import CONSUMER, UNDER_WAY, Lost, check_servers, look, place, the_stream, wanted
from cardshoe.floor.jetstream.vouchers import Sender, Vouchers
from cardshoe.journal.delivery.message_signing import Voucher
from cardshoe.journal.delivery.nats_link import own_headers
from cardshoe.journal.delivery.subjects import ANSWER, ANSWERS, ASKS, LINES, REFUSED, STREAM, token
from cardshoe.journal.delivery.wire import Refusal
from cardshoe.process.exits import Stop
from cardshoe.table.uplink.nats_carrier import NatsCarrier
from cardshoe.table.uplink.transport import FloorUnavailable
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.nats_campaign import campaign
from tests.cardshoe.floor.nats_server import Nats, connected, needs_nats, server_program
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import journal
from tests.cardshoe.floor.waiting import alarms, delivering, stored, wait_until
from tests.kit.certificates import needs_openssl, openssl

pytestmark = [needs_openssl, needs_nats]
TABLE: Final = "T-001"
ODD: Final = 'Mesa "7", a+b*>; é=<\\/#1'
READER: Final = "analysis"
_AS_IT_IS: Final[Mapping[str, str]] = {}


@needs_postgres
def test_every_line_comes_once_while_server_stream_collector_and_database_go(
    tmp_path: Path, site: Site, postgres: Postgres, database: str
) -> None:
    found = campaign(tmp_path, site, postgres, database, tables=12, rounds=6)
    assert (found.ahead, found.wrong) == (0, 0), found
    assert found.entries > 12 * 40


# --- who may say what -------------------------------------------------------------------------------------------------


class At(NamedTuple):
    """A floor behind NATS, with a table of an odd name."""

    nats: Nats
    floor: Collector
    site: Site
    database: str


@pytest.fixture(scope="module")
def at(postgres: Postgres, site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    folder = tmp_path_factory.mktemp("nats")
    state = folder / "state"
    state.mkdir(mode=0o700)
    database = postgres.database("nats")
    site.certify("odd", "tables", ODD)
    with (
        Nats(site, folder / "nats", [TABLE, ODD], readers=[READER]) as nats,
        Collector(site, state, database, nats.floor_toml) as floor,
    ):
        yield At(nats, floor, site, database)
        assert "Traceback" not in floor.stop()  # it ends when it is told to


def asked(nats: Nats, site: Site, table: str, body: bytes, vouched_by: str) -> Refusal:
    """The refusal of a table that sends what another has signed."""

    async def ask() -> Msg:
        async with connected(nats, site, table, f"{ANSWERS}.{table}") as (link, _):
            subject = f"{ASKS}.{table}.has"
            headers = Voucher(site.tls(vouched_by)).headers(subject, body)
            return await link.request(subject, body, timeout=20, headers=headers)

    answer = asyncio.run(ask())
    assert answer.headers is not None
    assert answer.headers[ANSWER] == REFUSED
    return msgspec.json.decode(answer.data, type=Refusal)


@needs_postgres
def test_a_table_of_any_name_delivers(at: At, tmp_path: Path, inputs: list[AnyInput]) -> None:
    book = Journal(journal(tmp_path / "journals", ODD, inputs))
    with delivering(at.nats.uplink(tmp_path / "journals", ODD, at.floor.key, "odd")):
        wait_until(lambda: len(stored(at.database, ODD, book.log)) == len(book.entries))
    assert stored(at.database, ODD, book.log) == book.entries


@needs_postgres
def test_the_server_lets_no_table_write_as_another(at: At, tmp_path: Path, inputs: list[AnyInput]) -> None:
    book = Journal(journal(tmp_path / "journals", ODD, inputs))
    carrier = NatsCarrier(at.nats.uplink(tmp_path, ODD, at.floor.key, TABLE).section)
    try:
        for say in (lambda: carrier.has(book.has()), lambda: carrier.send(book.batch(0, 20))):
            with pytest.raises(FloorUnavailable, match="permissions violation"):
                say()
    finally:
        carrier.close()
    assert stored(at.database, ODD, book.log) == []


@needs_postgres
def test_the_floor_takes_nothing_that_the_table_s_key_has_not_signed(
    at: At, tmp_path: Path, inputs: list[AnyInput]
) -> None:
    """This holds whatever a broker lets through."""
    own = Journal(journal(tmp_path / "own", TABLE, inputs))
    odd = Journal(journal(tmp_path / "odd", ODD, inputs))
    body = msgspec.json.encode(own.has())
    assert asked(at.nats, at.site, TABLE, body, "T-009").code == "not_yours"
    assert asked(at.nats, at.site, TABLE, b"{", TABLE).code == "malformed"
    assert asked(at.nats, at.site, TABLE, msgspec.json.encode(odd.has()), TABLE).code == "not_yours"
    assert (TABLE, "", "not_yours") in alarms(at.database)


@needs_postgres
def test_a_reader_reads_the_stream_and_touches_nothing(at: At, tmp_path: Path, inputs: list[AnyInput]) -> None:
    book = Journal(journal(tmp_path / "journals", TABLE, inputs))
    with delivering(at.nats.uplink(tmp_path / "journals", TABLE, at.floor.key)):
        wait_until(lambda: len(stored(at.database, TABLE, book.log)) == len(book.entries))

    async def read() -> list[bytes]:
        async with connected(at.nats, at.site, READER, f"_INBOX_{READER}") as (link, said):
            streams = link.jetstream(timeout=5)
            reading = await streams.pull_subscribe(f"{LINES}.*", durable=READER, stream=STREAM)
            found = [message.data for message in await reading.fetch(100, 5)]
            for forbidden in (
                lambda: link.jetstream(timeout=0.2).delete_consumer(STREAM, CONSUMER),
                lambda: link.jetstream(timeout=0.2).delete_stream(STREAM),
                lambda: link.jetstream(timeout=0.2).publish(f"{LINES}.{TABLE}", b""),
            ):
                said.clear()
                with pytest.raises(Error):
                    await forbidden()
                assert "permissions violation" in said[0]
            return found

    assert any(book.entries[5] in data for data in asyncio.run(read()))


@needs_postgres
@pytest.mark.parametrize(("status", "count"), [("404", UNDER_WAY + 16), ("503", 1)])
def test_a_header_that_reads_as_the_server_s_own_word_stops_no_other_table(
    at: At, tmp_path: Path, inputs: list[AnyInput], status: str, count: int
) -> None:
    """The library dropped such messages unacknowledged, or ended the floor's session at each: nothing came any more."""

    async def poison() -> None:
        async with connected(at.nats, at.site, TABLE, f"{ANSWERS}.{TABLE}") as (link, _):
            for _ in range(count):
                await link.publish(f"{LINES}.{TABLE}", b"x", headers={"Status": status})
            await link.flush()

    asyncio.run(poison())
    book = Journal(journal(tmp_path / "journals", ODD, inputs))
    with delivering(at.nats.uplink(tmp_path / "journals", ODD, at.floor.key, "odd")):
        wait_until(lambda: len(stored(at.database, ODD, book.log)) == len(book.entries))


@pytest.mark.parametrize(
    "hostile",
    [
        b"NATS/1.0 \xff\xfe\xfd\r\n\r\n",
        b"NATS/1.0 503\r\n\r\n",
        b"NATS/1.0\r\nStatus: 404\r\nNats-Msg-Id : 1\r\n\r\n",
        b"\xff",
    ],
)
def test_of_headers_that_a_table_writes_those_of_the_traffic_are_read(hostile: bytes) -> None:
    assert own_headers(hostile) == b""
    assert own_headers(hostile + b"\r\nNats-Msg-Id: 7\r\n\r\n") == b"NATS/1.0\r\nNats-Msg-Id: 7\r\n\r\n"


def test_whoever_is_left_out_of_the_configuration_is_cut_off_at_a_reload(tmp_path: Path, site: Site) -> None:
    async def until_cut(nats: Nats) -> None:
        lost = asyncio.Event()
        async with connected(nats, site, TABLE, f"{ANSWERS}.{TABLE}", lost.set):
            nats.configure(["T-002"])
            nats.reload()
            await asyncio.wait_for(lost.wait(), 30)
        with pytest.raises(Error, match="Authorization Violation"):
            async with connected(nats, site, TABLE, f"{ANSWERS}.{TABLE}"):
                pass

    with Nats(site, tmp_path / "nats", [TABLE]) as nats:
        asyncio.run(until_cut(nats))


# --- whose a message is -----------------------------------------------------------------------------------------------


def test_a_message_is_its_table_s_as_long_as_the_certificate_is_good(tmp_path: Path) -> None:
    site = Site(tmp_path / "own")
    site.certify("stranger_s", "stranger", TABLE)
    openssl(site.folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "rsa.key", "-out", "rsa.pem",
            "-subj", "/CN=rsa", "-CA", "tables.pem", "-CAkey", "tables.key", "-days", "2",
            "-addext", "extendedKeyUsage=clientAuth")  # fmt: skip
    openssl(site.folder, "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", "server.key", "-out", "server.pem",
            "-subj", f"/CN={TABLE}", "-CA", "tables.pem", "-CAkey", "tables.key", "-days", "2",
            "-addext", "extendedKeyUsage=serverAuth")  # fmt: skip
    revoked = Revoked(str(site.folder / "revoked.pem"), str(site.folder / "tables.pem"))
    vouchers = Vouchers(str(site.folder / "tables.pem"), revoked)

    def table(stem: str, subject: str = "a", body: bytes = b"b", changed: Mapping[str, str] = _AS_IT_IS) -> Sender:
        return vouchers.sender({**Voucher(site.tls(stem)).headers("a", b"b"), **changed}, subject, body)

    def refused(stem: str, subject: str = "a", body: bytes = b"b", changed: Mapping[str, str] = _AS_IT_IS) -> str:
        with pytest.raises(NotTaken) as caught:
            table(stem, subject, body, changed)
        return f"{caught.value.refusal.code}: {caught.value.refusal.reason}"

    assert (table(TABLE), table("rsa"), table(TABLE)) == ((TABLE, None), ("rsa", None), (TABLE, None))
    assert refused(TABLE, "other").startswith("not_yours: the key")
    assert refused(TABLE, "a", b"other").startswith("not_yours: the key")
    assert refused("rsa", "a", b"other").startswith("not_yours: the key")
    assert refused(TABLE, changed={"Cardshoe-Signature": "?"}).startswith("not_yours: the key")
    assert "has no certificate" in refused(TABLE, changed={"Cardshoe-Certificate": ""})
    assert "has no certificate" in refused(TABLE, changed={"Cardshoe-Certificate": "aGVsbG8="})
    assert "has not signed it" in refused("stranger_s")
    assert "must be clientAuth" in str(table("server").fault)
    site.revoke(TABLE)
    assert refused(TABLE) == "revoked: The certificate was refused: it was revoked."


# --- servers and streams ----------------------------------------------------------------------------------------------


ResultT = TypeVar("ResultT")


def as_floor(nats: Nats, site: Site, act: Callable[[Client], Awaitable[ResultT]]) -> ResultT:
    """Run an act with the floor's certificate."""

    async def run() -> ResultT:
        async with connected(nats, site, "floor", "_INBOX") as (link, _):
            return await act(link)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("sync_interval: always", "sync_interval: 2m"), "before they are on its disk"),
        (("max_payload: 4194304", "max_payload: 1048576"), "max_payload is 1048576"),
    ],
)
def test_a_server_that_may_lose_what_it_has_acknowledged_is_refused(
    tmp_path: Path, site: Site, change: tuple[str, str], named: str
) -> None:
    with Nats(site, tmp_path / "nats", [TABLE], change) as nats, pytest.raises(Stop, match=named):
        as_floor(nats, site, lambda link: check_servers(link, 1))


def test_most_servers_must_say_how_they_are_set(tmp_path: Path, site: Site) -> None:
    with Nats(site, tmp_path / "nats", [TABLE]) as nats:
        as_floor(nats, site, lambda link: check_servers(link, 1))
        with pytest.raises(Lost, match="1 of 3 servers"):
            as_floor(nats, site, lambda link: check_servers(link, 3))


@needs_postgres
def test_a_floor_does_not_start_with_such_a_server(tmp_path: Path, site: Site, database: str, state: Path) -> None:
    with (
        Nats(site, tmp_path / "nats", [TABLE], ("sync_interval: always", "sync_interval: 2m")) as nats,
        Collector(site, state, database, nats.floor_toml) as floor,
    ):
        said = floor.ended()
    assert "acknowledges messages before they are on its disk" in said


def test_stream_and_place_are_made_as_they_must_be(tmp_path: Path, site: Site) -> None:
    with Nats(site, tmp_path / "nats", [TABLE]) as nats:
        config = wanted(nats.section)

        async def act(link: Client) -> None:
            streams = link.jetstream()
            assert (await the_stream(streams, config))[1] == ["the stream was missing and is created"]
            assert (await the_stream(streams, config))[1] == []
            await streams.update_stream(config.evolve(max_age=60.0, max_msgs_per_subject=3))
            info, done = await the_stream(streams, config)
            assert done == [
                "the stream had max_age = 60.0: set right",
                "the stream had max_msgs_per_subject = 3: set right",
            ]
            with pytest.raises(Lost, match="gone"):
                await look(streams, config)
            await place(streams, info)
            await look(streams, config)
            await streams.delete_stream(STREAM)
            await streams.add_stream(config.evolve(storage=StorageType.MEMORY, max_bytes=1 << 20))
            with pytest.raises(Stop, match="storage = memory"):
                await the_stream(streams, config)

        as_floor(nats, site, act)


def test_the_place_is_where_it_was_and_never_behind_a_stream_that_is_shorter(tmp_path: Path, site: Site) -> None:
    with Nats(site, tmp_path / "nats", [TABLE]) as nats:
        config = wanted(nats.section)

        def publish(*bodies: bytes) -> None:
            async def act() -> None:
                async with connected(nats, site, TABLE, f"{ANSWERS}.{TABLE}") as (link, _):
                    for body in bodies:
                        await link.jetstream().publish(f"{LINES}.{TABLE}", body)

            asyncio.run(act())

        async def taken(link: Client, most: int = 9, *, ack: bool = True) -> list[bytes]:
            streams = link.jetstream()
            info, _ = await the_stream(streams, config)
            await place(streams, info)
            reading = await streams.pull_subscribe_bind(CONSUMER, STREAM)
            try:
                found = await reading.fetch(most, 1)
            except NothingCame:
                return []
            for message in found:
                if ack:
                    await message.ack_sync()
            return [message.data for message in found]

        as_floor(nats, site, lambda link: the_stream(link.jetstream(), config))
        publish(b"1", b"2")
        # Nobody's place is known: what a table may still wait for comes.
        assert as_floor(nats, site, lambda link: taken(link, 1)) == [b"1"]
        assert as_floor(nats, site, lambda link: taken(link, ack=False)) == [b"2"]
        assert as_floor(nats, site, taken) == [b"2"]  # at once, though it was handed out
        nats.kill()
        messages = next(nats.store.glob(f"jetstream/*/streams/{STREAM}/msgs"))
        shutil.copytree(messages, tmp_path / "older")
        nats.start()
        publish(b"3", b"4", b"5")
        # With the power the server may forget what was acknowledged, and nothing else.
        assert as_floor(nats, site, taken)[-3:] == [b"3", b"4", b"5"]
        nats.kill()
        shutil.rmtree(messages)
        shutil.copytree(tmp_path / "older", messages)
        nats.start()
        publish(b"new")
        assert b"new" in as_floor(nats, site, taken)


# --- its configuration ------------------------------------------------------------------------------------------------


def test_a_cluster_is_configured_as_the_server_reads_it(tmp_path: Path, site: Site) -> None:
    with_readers = Nats(site, tmp_path / "nats", [TABLE, ODD], readers=[READER]).section
    tls = site.tls("floor")
    at = ServerPlace(
        name="n1", listen="127.0.0.1:4222", store=str(tmp_path), certificate=tls.certificate, key=tls.key,
        authority=tls.authority, cluster="127.0.0.1:6222", routes=["127.0.0.1:6223", "127.0.0.1:6224"],
    )  # fmt: skip
    file = tmp_path / "nats-server.conf"
    file.write_text(server_conf(with_readers, [TABLE, ODD], at))
    looked = subprocess.run([server_program(), "-c", file, "-t"], capture_output=True, text=True, check=False)
    assert looked.returncode == 0, looked.stderr


def test_a_table_s_id_is_one_token_of_a_subject() -> None:
    assert token("B-101_x") == "B-101_x"
    assert token("a.b *>é=") == "a=2Eb=20=2A=3E=C3=A9=3D"
    assert token("a=2E") != token("a.")

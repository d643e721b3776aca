"""Reports to a SIEM: by the grammar of the RFCs, each once or with the same id, and nothing lost on the way."""

import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psycopg
import pytest

from cardshoe.floor.alarm_kinds import Alarm
from cardshoe.floor.alarms import close_alarm, raise_alarm
from cardshoe.floor.config import load
from cardshoe.floor.database import Database
from cardshoe.floor.ingest import Collector as Landing
from cardshoe.floor.server import _mark_key
from cardshoe.floor.siem import transports
from cardshoe.floor.siem.events import LONGEST, StoredLine, Told, json_line, of_line, syslog
from cardshoe.floor.siem.forwarder import Telling
from cardshoe.floor.siem.section import SiemSection
from cardshoe.floor.siem.transports import FileOutlet, LocalOutlet, Outlet, Shut, StreamOutlet, outlet_of
from cardshoe.floor.witness import FloorWitness
from cardshoe.journal.delivery.wire import Stands
from cardshoe.journal.file.chain import lines_of
from cardshoe.process.exits import Stop
from regulations.events.inputs import (
    AnyInput,
    DeviceBack,
    DeviceLost,
    Dispute,
    Fault,
    FaultCleared,
    Proposed,
    Resolve,
    Void,
)
from regulations.events.notices import TableOpened
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.receivers import LocalSocket, Message, Receiver
from tests.cardshoe.floor.site import GOOD, Collector, Site, Teller
from tests.cardshoe.floor.tables import AT, journal
from tests.cardshoe.floor.waiting import wait_until
from tests.kit.certificates import needs_openssl

NAME: Final = "watch"
TCP: Final = SiemSection(to="tcp://127.0.0.1:1", history=True)
ODD: Final = Told(
    'B "7"]\\:log:3', "override", 5, datetime(2026, 11, 23, 10, tzinfo=UTC), 'B "7"]\\', "ab" * 16, 3, "resolve",
    {"line": {"by": ["Zé", 7]}},
)  # fmt: skip


def troubled(inputs: list[AnyInput]) -> list[AnyInput]:
    """These inputs, then what goes wrong at a table."""
    return [
        *inputs,
        DeviceLost(at=AT, origin="device", device="shoe"),
        DeviceBack(at=AT, origin="device", device="shoe"),
        Fault(at=AT, origin="device", device="shoe", code="jam", raw="00ff"),
        FaultCleared(at=AT, origin="device", device="shoe", code="jam"),
        Dispute(at=AT, detail="seat 3"),
        Resolve(at=AT, irregularity=1, action="continue", by=[1]),
        Proposed(at=AT, origin="table", person="cara", act="void"),
        Void(at=AT, reason="all wrong", by=[1, 2], ground="malfunction"),
        TableOpened(at=AT, origin="table", by=["sara", "tom"], closed="ab" * 16, root="cd" * 32, entries=7),
    ]


# --- how it is written ------------------------------------------------------------------------------------------------


def test_a_message_is_one_of_rfc_5424() -> None:
    read = Message.read(syslog(ODD, "back office 1", 32473))
    assert (read.facility, read.severity) == (13, 5)
    assert (read.at, read.host, read.app, read.kind) == (
        "2026-11-23T10:00:00.000000Z",
        "backoffice1",
        "cardshoe",
        "override",
    )
    assert read.element == "cardshoe@32473"
    assert read.values == {"id": ODD.id, "table": ODD.table, "log": ODD.log, "seq": "3"}
    assert read.said["line"] == {"by": ["Zé", 7]}
    assert read.said["id"] == ODD.id
    assert read.said["severity"] == "notice"


def test_no_message_is_longer_than_a_receiver_must_take() -> None:
    long = ODD._replace(more={"line": {"reason": "x" * 9000}})
    assert Message.read(syslog(long, "h", 1)).said["cut"] is True
    assert len(json_line(long)) < LONGEST
    # A receiver that splits what is too long would take the rest of a reason for a message of its own.
    for size in range(7000, LONGEST + 10, 7):
        near = ODD._replace(more={"line": {"reason": "x" * size}})
        assert len(syslog(near, "h" * 255, 1)) <= LONGEST


def test_a_receiver_that_talks_without_an_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "STEP_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def talk() -> None:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError):
                while True:
                    connection.sendall(b"x" * 4096)

        talking = threading.Thread(target=talk)
        talking.start()
        outlet = StreamOutlet(SiemSection(to=f"tcp://127.0.0.1:{listener.getsockname()[1]}"))
        with pytest.raises(Shut, match="does not end the connection"):
            outlet.send([b"first"])
        talking.join()


def test_frames_and_ciphertexts_are_not_told() -> None:
    line = b'{"event":"fault","device":"s","raw":"00","sealed":"x","key":"k","seq":3}'
    told = of_line(StoredLine("T", "ab", 3, "fault", None, line))
    assert told.more == {"line": {"event": "fault", "device": "s", "seq": 3}}
    assert b'"at":null' in json_line(told)


# --- by which way it leaves -------------------------------------------------------------------------------------------


def test_a_batch_has_left_when_the_other_side_has_come_to_its_end() -> None:
    with Receiver(deaf=1) as receiver:
        outlet = StreamOutlet(SiemSection(to=f"tcp://{receiver.address}"))
        with pytest.raises(Shut):
            outlet.send([b"first" * 10_000])
        outlet.send([b"first", b"second"])
        outlet.send([b"third"])
        assert receiver.came == [b"5 first6 second", b"5 third"]


@needs_openssl
def test_over_tls_the_receiver_must_be_who_it_is(site: Site) -> None:
    with Receiver(site.tls("floor")) as receiver:
        section = SiemSection(to=f"tls://{receiver.address}", format="json", tls=site.tls("T-001"))
        outlet_of(section).send([b"{}", b"{}"])
        wait_until(lambda: receiver.came == [b"{}\n{}\n"])


@needs_openssl
def test_over_tls_nobody_else_is_told(site: Site) -> None:
    with Receiver(site.tls("T-001")) as receiver:
        section = SiemSection(to=f"tls://{receiver.address}", tls=site.tls("T-002"))
        with pytest.raises(Shut, match="certificate verify failed"):
            outlet_of(section).send([b"{}"])


def test_a_file_has_whole_lines_whatever_failed_before(tmp_path: Path) -> None:
    path = tmp_path / "siem.jsonl"
    outlet = FileOutlet(path)
    outlet.send([b"1"])
    with path.open("ab") as file:
        file.write(b'{"half')
    outlet.send([b"2", b"3"])
    assert path.read_bytes() == b"1\n2\n3\n"
    path.rename(tmp_path / "siem.jsonl.1")
    outlet.send([b"4"])
    assert path.read_bytes() == b"4\n"
    with pytest.raises(Shut, match="Is a directory"):
        FileOutlet(tmp_path).send([b"1"])


def test_a_local_socket_gets_a_datagram_for_each(tmp_path: Path) -> None:
    outlet = LocalOutlet(tmp_path / "log")
    with pytest.raises(Shut, match="No such file"):
        outlet.send([b"1"])
    with LocalSocket(tmp_path / "log") as local:
        outlet.send([b"1", b"2"])
        assert (local.next(), local.next()) == (b"1", b"2")


# --- what is told, and that nothing is lost ---------------------------------------------------------------------------


class Kept(Outlet):
    """Keeps what it is sent; `fails` times it fails, after it has all."""

    def __init__(self, fails: int = 0) -> None:
        self.fails, self.ids = fails, list[str]()
        self.kinds: list[str] = []

    def send(self, messages: Sequence[bytes]) -> None:
        for one in messages:
            read = Message.read(one)
            self.ids.append(read.values["id"])
            self.kinds.append(read.kind)
        if self.fails:
            self.fails -= 1
            raise Shut("gone")


@pytest.fixture
def landing(database: str, state: Path) -> Iterator[tuple[Database, Landing]]:
    witness = FloorWitness(state / "witness")
    with Database(database) as prepared:
        prepared.prepare()
        yield prepared, Landing(prepared, _mark_key(state), witness)
    witness.close()


def landed(landing: Landing, book: Journal, first: int, end: int) -> None:
    assert isinstance(landing.land(book.table, book.batch(first, end)), Stands)


def wanted_ids(book: Journal, first: int = 1) -> list[str]:
    """By hand, from the lines: what surveillance wants of a troubled journal."""
    told = re.compile(
        rb'{"event":"(irregularity|resolve|void|voided|fault|fault_cleared|device_lost|device_back|proposed|table_opened)"'
    )
    lines = [line for data in book.entries[max(1, first) :] for line in lines_of(data) if told.match(line)]
    return [f"{book.table}:{book.log}:{json.loads(line)['seq']}" for line in lines]


@needs_postgres
def test_everything_is_told_once_or_with_the_same_id(
    landing: tuple[Database, Landing], tmp_path: Path, inputs: list[AnyInput]
) -> None:
    database, collector = landing
    book = Journal(journal(tmp_path / "journals", "T-001", troubled(inputs)))
    outlet = Kept(fails=1)
    telling = Telling(NAME, TCP, database, outlet)
    wanted = wanted_ids(book)
    seq = wanted[3].rpartition(":")[2].encode()
    half = 1 + next(number for number, data in enumerate(book.entries) if b'"seq":%b,' % seq in data)
    told = len(wanted) - len(wanted_ids(book, half))
    landed(collector, book, 0, half)
    with pytest.raises(Shut):
        telling.step()
    first = list(outlet.ids)
    assert first == wanted[:told]
    landed(collector, book, half, len(book.entries))
    # Another one goes on, as after a restart: what did not surely arrive comes again, and what did does not.
    again = Telling(NAME, TCP, database, outlet)
    while again.step():
        continue
    assert outlet.ids == [*first, *wanted]
    assert {"irregularity", "override", "device"} <= set(outlet.kinds)
    assert not again.step()


@needs_postgres
def test_what_keeps_a_receiver_from_being_told_is_over_when_its_cause_is(
    landing: tuple[Database, Landing], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database, _ = landing
    path, over = tmp_path / "siem.jsonl", threading.Event()
    thread = threading.Thread(target=Telling(NAME, TCP, database, FileOutlet(path)).run, args=(over,))
    with database.transaction() as db:
        raise_alarm(db, "T-001", "", Alarm("two_senders", "x"))
        db.execute("ALTER TABLE outward_alarms RENAME TO moved")
    thread.start()
    wait_until(lambda: "it is tried again" in caplog.text)
    with database.transaction() as db:
        db.execute("ALTER TABLE moved RENAME TO outward_alarms")
    wait_until(lambda: path.exists() and b"two_senders" in path.read_bytes())
    over.set()
    thread.join()


@needs_postgres
def test_a_new_receiver_begins_with_what_comes_and_the_alarms_that_are_open(
    landing: tuple[Database, Landing], tmp_path: Path, inputs: list[AnyInput]
) -> None:
    database, collector = landing
    book = Journal(journal(tmp_path / "journals", "T-001", troubled(inputs)))
    half = len(book.entries) - 6
    landed(collector, book, 0, half)
    for kind in ("fork", "no_journal"):
        with database.transaction() as db:
            raise_alarm(db, "T-002", "", Alarm(kind, "as it is", None))
    assert close_alarm(database, 1, "manager", go_on=False)
    outlet = Kept()
    telling = Telling(NAME, SiemSection(to=TCP.to, kinds=["alarm", "void"]), database, outlet)
    telling.step()
    assert outlet.kinds == ["alarm"]
    assert re.fullmatch(r"alarm:2@\d{8}T\d{6}\.\d{6}Z:raised", outlet.ids[0])
    landed(collector, book, half, len(book.entries))
    assert close_alarm(database, 2, "manager", go_on=False)
    telling.step()
    assert outlet.ids[1] == outlet.ids[0].replace("raised", "closed")
    assert outlet.kinds[1:] == ["alarm", *["void"] * len(outlet.kinds[2:])]
    with psycopg.connect(str(database._pool.conninfo)) as db:  # noqa: SLF001  # as another program sees it
        assert db.execute("SELECT entry FROM outward_logs").fetchall() == [(len(book.entries) - 1,)]


@needs_postgres
@needs_openssl
def test_a_floor_tells_its_receivers_by_itself(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    book = Journal(journal(tmp_path / "journals", "T-001", troubled(inputs)))
    tls = site.tls("floor")
    with Receiver(tls) as receiver:
        more = f"""
[siem.archive]
to = "file:siem.jsonl"
format = "json"
[siem.{NAME}]
to = "tls://{receiver.address}"
tls = {{ certificate = "{tls.certificate}", key = "{tls.key}", authority = "{tls.authority}" }}
"""
        with Collector(site, state, database, more) as floor, Teller(site, floor.address, "T-001") as told:
            told.tell(book.batch(0, len(book.entries)))
            told.tell(book.has(last=10))
            file = floor.file.with_name("siem.jsonl")
            count = len(wanted_ids(book)) + 1
            wait_until(lambda: len(receiver.messages) == count)
            wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") == count)
            assert "siem" not in floor.stop()
    read = [Message.read(one) for one in receiver.messages]
    assert {one.values["id"] for one in read} >= set(wanted_ids(book))
    (alarm,) = [one for one in read if one.kind == "alarm"]
    assert (alarm.severity, alarm.said["alarm"], alarm.said["event"]) == (1, "rolled_back", "raised")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("to = 'http://a:1'", "siem.x.to"),
        ("to = 'file:'", "siem.x.to"),
        ("to = 'tcp://10.0.0.9:514'", "unencrypted"),
        ("to = 'tcp://nowhere'", "HOST:PORT"),
        ("to = 'tls://siem:6514'", "siem.x.tls"),
        ("to = 'file:a'\nkinds = ['weather']", "kinds"),
    ],
)
def test_what_cannot_be_meant_is_named(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "floor.toml").write_text(f"{GOOD}\n[siem.x]\n{text}\n")
    with pytest.raises(Stop, match=named):
        load(tmp_path / "floor.toml")

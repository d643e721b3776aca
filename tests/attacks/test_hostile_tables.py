"""Attack: whoever has a certificate of the tables' authority sends lines; PINs are guessed at one table after another.

What stops it now: the collector has a list of tables, and a certificate must be a client's and no server's; all else is
refused with an alarm.
"""

import json
import ssl
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import httpx
import msgspec
import psycopg
import pytest

from cardshoe.floor.alarm_kinds import Alarm, NotTaken
from cardshoe.floor.alarms import LOGS_MAX, close_alarm, open_alarms, raise_alarm
from cardshoe.floor.certificates import Revoked
from cardshoe.floor.database import Database
from cardshoe.floor.enrolled import Enrolled
from cardshoe.floor.facts.guessing import OF_ALL, OF_PERSON
from cardshoe.floor.jetstream.vouchers import Vouchers
from cardshoe.journal.delivery.message_signing import Voucher
from cardshoe.journal.delivery.wire import LOGS_MAX as BEGUN_MAX
from cardshoe.journal.delivery.wire import Has, Marks, OneLog, Refusal
from cardshoe.process.exits import Stop
from cardshoe.table.uplink.nats_carrier import NatsCarrier
from cardshoe.table.uplink.transport import FloorUnavailable, UplinkRejected
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.batches import SENDER, Journal
from tests.cardshoe.floor.browsers import Browser, Interface
from tests.cardshoe.floor.facts.support import BEGUN, events
from tests.cardshoe.floor.filling import Played, filling
from tests.cardshoe.floor.nats_server import Nats, needs_nats
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.site import Collector, Site, Teller
from tests.cardshoe.floor.tables import journal, played
from tests.cardshoe.persons.support import WRONG
from tests.kit.certificates import needs_openssl

pytestmark = [needs_postgres, needs_openssl]
TABLE: Final = "T-001"
ODD: Final = ('" # 中', "a\\b", "x" * 64)

_STREAM: Final = """
INSERT INTO streams (table_id, log, month, origin, first_key, game, program, mark, edge, seq, note, last)
VALUES (%(table)s, %(log)s, '2026-11-01', %(log)s, %(log)s, 'baccarat', 'x', 0, '', 0, '', 0)
"""
_AT_7 = r"UPDATE streams SET mark = 7, edge = decode(repeat('00', 32), 'hex')"
"""Of each log the floor has eight entries."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    made = Site(tmp_path_factory.mktemp("site"))
    made.certify(TABLE)
    for stem, uses in (("no-use", ""), ("display", "serverAuth"), ("both", "serverAuth,clientAuth")):
        made.certify(stem, name=TABLE, uses=uses)
    return made


@pytest.fixture
def address(cluster: Postgres) -> str:
    return cluster.database("floor")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    return Journal(journal(tmp_path_factory.mktemp("journals"), TABLE, played(rounds=1)))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    return folder


def alarms(address: str) -> list[tuple[str, str]]:
    with psycopg.connect(address) as db:
        rows = db.execute("SELECT table_id, kind FROM alarms WHERE closed_at IS NULL ORDER BY id")
        return [(str(table), str(kind)) for table, kind in rows]


def commits(address: str) -> int:
    with psycopg.connect(address) as db:
        (count,) = db.execute("SELECT txid_current()").fetchone() or (0,)
        return int(count)


def stored(address: str) -> int:
    with psycopg.connect(address) as db:
        return len(db.execute("SELECT 1 FROM entries").fetchall())


def over_nats(say: Callable[[], object]) -> str:
    """The code with which the floor refuses what is said by NATS, once it takes messages from there."""
    while True:
        try:
            say()
        except FloorUnavailable:
            continue
        except UplinkRejected as refused:
            return str(refused.refusal.code)
        return ""


def said(site: Site, floor: Collector, stem: str, book: Journal) -> tuple[str, str]:
    """What the collector answers to both of its requests: codes, empty if it takes them."""
    with Teller(site, floor.address, stem) as told:
        has, lines = told.tell(book.has()), told.tell(book.batch(0, 10))
    return has.code if isinstance(has, Refusal) else "", lines.code if isinstance(lines, Refusal) else ""


def test_a_table_that_is_not_on_the_list_is_refused_with_an_alarm(
    site: Site, address: str, state: Path, book: Journal
) -> None:
    known = site.enrolled.read_text()
    site.enrolled.write_text("# none yet\nT-002\n")
    with Collector(site, state, address) as floor:
        assert said(site, floor, TABLE, book) == ("not_enrolled", "not_enrolled")
        assert alarms(address) == [(TABLE, "not_enrolled")]
        assert stored(address) == 0
        # The list is read again when it changes: no table waits for a restart.
        site.enrolled.write_text(known)
        assert said(site, floor, TABLE, book) == ("", "")
        site.enrolled.write_bytes(b"\xff")
        assert said(site, floor, TABLE, book) == ("not_enrolled", "not_enrolled")
        site.enrolled.unlink()
        assert said(site, floor, TABLE, book) == ("not_enrolled", "not_enrolled")
        site.enrolled.write_text(known)
        assert said(site, floor, TABLE, book) == ("", "")


def test_a_certificate_of_a_display_is_no_table_s_whatever_its_name_is(
    site: Site, address: str, state: Path, book: Journal
) -> None:
    with Collector(site, state, address) as floor:
        for stem in ("no-use", "both"):
            assert said(site, floor, stem, book) == ("not_enrolled", "not_enrolled")
        with pytest.raises((httpx.TransportError, ssl.SSLError)):
            said(site, floor, "display", book)
        assert alarms(address) == [(TABLE, "not_enrolled")]
        assert stored(address) == 0
        with Teller(site, floor.address, TABLE) as told:
            assert isinstance(told.tell(book.has()), Marks)


@pytest.mark.parametrize("stem", ["no-use", "display", "both"])
def test_a_message_by_a_broker_shows_the_certificate_s_use_once_its_signature_is_verified(
    site: Site, stem: str
) -> None:
    vouchers = Vouchers(str(site.folder / "tables.pem"), Revoked(None, ""))
    good, bad = (Voucher(site.tls(one)).headers("subject", b"body") for one in (TABLE, stem))
    assert vouchers.sender(good, "subject", b"body") == (TABLE, None)
    table, fault = vouchers.sender(bad, "subject", b"body")
    assert table == TABLE
    assert "extended key usage" in str(fault)
    with pytest.raises(NotTaken, match="has not signed this message"):
        vouchers.sender(bad, "subject", b"another body")


@needs_nats
@pytest.mark.parametrize("stem", ["no-use", "both"])
def test_a_certificate_of_another_use_raises_the_alarm_over_nats_too(
    site: Site, address: str, state: Path, book: Journal, tmp_path: Path, stem: str
) -> None:
    with Nats(site, tmp_path / "nats", [TABLE]) as nats, Collector(site, state, address, nats.floor_toml) as floor:
        with closing(NatsCarrier(nats.uplink(tmp_path, TABLE, floor.key, stem).section)) as carrier:
            assert over_nats(lambda: carrier.has(book.has())) == "not_enrolled"
            assert over_nats(lambda: carrier.send(book.batch(0, 10))) == "not_enrolled"
        assert alarms(address) == [(TABLE, "not_enrolled")]
        assert stored(address) == 0


def test_no_table_hides_the_alarms_of_others_behind_its_own(
    site: Site, address: str, state: Path, book: Journal
) -> None:
    logs = [OneLog(log=f"{number:032x}", last=6) for number in range(2 * LOGS_MAX)]
    with Collector(site, state, address) as floor, Database(address) as database:
        database.prepare()
        with database.transaction() as db:
            for one in logs:
                db.execute(_STREAM, {"table": TABLE, "log": one.log})
            db.execute(_AT_7)
        with Teller(site, floor.address, TABLE) as told:
            for _ in range(2):
                assert isinstance(told.tell(msgspec.structs.replace(book.has(), logs=logs)), Marks)
        with Teller(site, floor.address, "both") as other:
            other.tell(book.has())
        found = alarms(address)
        assert (TABLE, "not_enrolled") in found
        assert found.count((TABLE, "rolled_back")) == LOGS_MAX + 1
        with psycopg.connect(address) as db:
            (times,) = db.execute("SELECT sum(times) FROM alarms WHERE kind = 'rolled_back'").fetchone() or (0,)
        assert times == len(logs)


def test_a_log_whose_alarm_counts_with_others_goes_on_once_that_is_closed(cluster: Postgres) -> None:
    address = cluster.database("floor")
    with Database(address) as database:
        database.prepare()
        logs = [f"{number:032x}" for number in range(LOGS_MAX + 2)]
        for log in logs:
            with database.transaction() as db:
                db.execute(_STREAM, {"table": TABLE, "log": log})
            with database.transaction() as db:
                raise_alarm(db, TABLE, log, Alarm("fork", "x"))
        further = [one for one in open_alarms(database) if not one["log"]]
        assert [(one["kind"], one["times"]) for one in further] == [("fork", 2)]
        assert close_alarm(database, further[0]["id"], "sara", go_on=True)
        stopped = database.rows("SELECT log FROM streams WHERE stopped <> '' ORDER BY log", {})
        assert [one["log"] for one in stopped] == logs[:LOGS_MAX]


def test_a_table_that_begins_logs_without_an_end_is_stopped_with_an_alarm(
    site: Site, address: str, state: Path, book: Journal
) -> None:
    """A stolen certificate filled the disk with rows and with keys that the floor's witness trusts."""
    with Collector(site, state, address) as floor, Database(address) as database:
        database.prepare()
        with database.transaction() as db:
            for number in range(BEGUN_MAX):
                db.execute(_STREAM, {"table": TABLE, "log": f"{number:032x}"})
        assert said(site, floor, TABLE, book) == ("", "stopped")
        assert alarms(address) == [(TABLE, "many_logs")]
        assert stored(address) == 0
        # A person who has looked at it lets the table begin as many again.
        (found,) = open_alarms(database)
        assert close_alarm(database, found["id"], "sara", go_on=False)
        assert said(site, floor, TABLE, book) == ("", "")
        assert alarms(address) == []


def test_what_a_table_has_is_answered_in_one_transaction(site: Site, address: str, state: Path) -> None:
    """A list of 1,000 logs, each of which is an alarm, took two transactions each, which other tables waited for."""
    with Collector(site, state, address) as floor, Database(address) as database:
        database.prepare()
        logs = [f"{number:032x}" for number in range(1000)]
        with database.transaction() as db:
            for log in logs[::2]:
                db.execute(_STREAM, {"table": TABLE, "log": log})
            db.execute(_AT_7)
        before = commits(address)
        with Teller(site, floor.address, TABLE) as told:
            answer = told.tell(Has(table=TABLE, sender=SENDER, logs=[OneLog(log=one, last=6) for one in logs]))
        assert isinstance(answer, Marks)
        assert [one.stopped for one in answer.logs] == ["rolled_back", ""] * 500
        assert commits(address) - before < 50
        (stopped,) = database.rows("SELECT count(*) FROM streams WHERE stopped = 'rolled_back'", {})
        assert stopped["count"] == 500


def test_an_alarm_and_a_revoked_certificate_are_logged_once(
    address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A table that came again and again filled the disk of the floor with one line for each time."""
    with Database(address) as database:
        database.prepare()
        for _ in range(50):
            with database.transaction() as db:
                raise_alarm(db, TABLE, "", Alarm("not_yours", "x"))
    assert caplog.text.count("ALARM not_yours: x") == 1
    revoked = Revoked(str(tmp_path / "none"), "authority.pem")
    for _ in range(50):
        revoked.refuse(TABLE, "it was revoked")
    assert caplog.text.count("refused: it was revoked") == 1


def test_the_list_of_tables_has_each_id_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "tables.txt"
    file.write_text("# comment\n\n  T-1  \n" + "".join(f"{json.dumps(one)}\n" for one in ODD))
    enrolled = Enrolled(str(file))
    assert all(map(enrolled.has, ("T-1", *ODD)))
    assert not any(map(enrolled.has, ("", "t-1", "T-1 ", "# comment", "T-2")))
    for wrong in ("x" * 65, '"\\u001b"', '"T-1', "\x1b", "1\t2"):
        file.write_text(f"T-1\n{wrong}\n")
        with pytest.raises(Stop, match="not a list of tables"):
            Enrolled(str(file))
    with pytest.raises(Stop, match="No such file"):
        Enrolled(str(tmp_path / "missing"))


def refusals(count: int, person: str | None) -> list[AnyInput]:
    ids = {} if person is None else {"ids": [{"person": person, "count": count}]}
    return events({"event": "sign_ins_refused", "count": count, "since": "2026-11-23T10:00:00.000000Z", **ids})


@pytest.mark.parametrize(("person", "most"), [("sara", OF_PERSON), (None, OF_ALL)])
def test_pins_that_are_guessed_at_one_table_after_another_are_an_alarm(
    address: str, tmp_path: Path, person: str | None, most: int
) -> None:
    with filling(address, tmp_path / "filler") as (_, filler):

        def guess(number: int, count: int) -> None:
            name = f"T-{number}"
            book = Played(tmp_path / name, name, "baccarat", BEGUN).play(refusals(count, person))
            filler.deliver(book)
            filler.deliver(book)  # what comes again counts once

        tables = most // 5
        for number in range(1, tables):
            guess(number, 5)
        assert alarms(address) == []
        guess(tables, 5)
        assert alarms(address) == [(f"T-{tables}", "guessing")]
        with psycopg.connect(address) as db:
            (detail,) = db.execute("SELECT detail FROM alarms").fetchone() or ("",)
        assert f"{most} sign-ins" in detail
        assert f"at {tables} places" in detail
        assert ("'sara'" in detail) is (person is not None)


def test_those_at_the_floor_itself_are_counted_as_well(address: str, tmp_path: Path) -> None:
    with Interface(tmp_path / "state", address) as interface:
        tries = 0
        while tries < OF_PERSON:
            browser = Browser(interface)
            while browser.sign_in("sara", WRONG).json()["refused"] == "sign_in_refused":
                tries += 1
            interface.clock.s += 1000
            tries += 1
            assert alarms(address) in ([], [("floor", "guessing")])
        interface.entrance.tick()
        assert alarms(address) == [("floor", "guessing")]
        assert interface.visits()


def test_a_hostile_line_counts_as_nothing_and_stops_nothing(address: str, tmp_path: Path) -> None:
    with filling(address, tmp_path / "filler") as (_, filler):
        told = [one for person in ("a\x00\x1b", "x" * 64, "\u202e") for one in refusals(2**31 - 1, person)]
        filler.deliver(Played(tmp_path / "T-1", "T-1", "baccarat", BEGUN).play(told))
        assert {kind for _, kind in alarms(address)} == {"guessing"}


def test_honest_mistakes_of_a_day_are_none(address: str, tmp_path: Path) -> None:
    with filling(address, tmp_path / "filler") as (_, filler):
        for number in range(8):
            name = f"T-{number}"
            told = [one for _ in range(6) for one in refusals(4, f"p{number}")]
            filler.deliver(Played(tmp_path / name, name, "baccarat", BEGUN, apart_s=3600).play(told))
        assert alarms(address) == []

"""Accidents of a floor: kills, an older backup, a revoked certificate, clients who take their time."""

import contextlib
import json
import os
import signal
import socket
import ssl
import time
from pathlib import Path

import httpx
import psycopg
import pytest

from cardshoe.floor.alarm_kinds import Alarm
from cardshoe.floor.database import Database, migrations, month_of, months_back
from cardshoe.floor.senders import LEASE_S, claim
from cardshoe.journal.delivery.wire import Refusal, Stands
from cardshoe.process.exits import Stop
from regulations.events.inputs import AnyInput, Misdeal, ShoeEnded, Void
from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.site import Collector, Site, Teller, copy_of
from tests.cardshoe.floor.tables import journal
from tests.cardshoe.floor.waiting import alarms, delivering, lapse, stored, wait_until
from tests.kit.certificates import needs_openssl

pytestmark = [needs_postgres, needs_openssl]


def test_a_collector_of_an_older_backup_gets_what_it_lacks(
    tmp_path: Path, site: Site, postgres: Postgres, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    journals = tmp_path / "journals"
    first = Journal(journal(journals, "T-001", inputs))
    backup = tmp_path / "backup"
    with Collector(site, state, database) as floor:
        with delivering(site.uplink(floor.address, journals, "T-001")):
            wait_until(lambda: len(stored(database, "T-001", first.log)) == len(first.entries))
        postgres.dump(database, backup)
        second = Journal(journal(journals, "T-001", inputs, at="2026-11-24T10:00:00.000000Z"))
        lapse(database, "T-001")
        with delivering(site.uplink(floor.address, journals, "T-001")):
            wait_until(lambda: len(stored(database, "T-001", second.log)) == len(second.entries))
    # The witness keeps what it knew: it lies in files, and not in the database.
    older = postgres.restore("older", backup)
    assert stored(older, "T-001", second.log) == []
    lapse(older, "T-001")
    with Collector(site, state, older) as floor, delivering(site.uplink(floor.address, journals, "T-001")):
        wait_until(lambda: len(stored(older, "T-001", second.log)) == len(second.entries))
    assert stored(older, "T-001", first.log) == first.entries
    assert stored(older, "T-001", second.log) == second.entries
    assert alarms(older) == []


def test_a_restored_disk_that_went_on_stops_its_own_log_alone(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    half = len(inputs) // 2
    journals = tmp_path / "journals"
    journal(journals, "T-001", inputs[:half], closed=False)
    image = copy_of(journals, tmp_path / "image")
    real = Journal(journal(journals, "T-001", inputs[half:]))
    forked = Journal(journal(image, "T-001", inputs[half : half + 8], at="2026-11-23T12:00:00.000000Z"))
    assert forked.log == real.log
    other = Journal(journal(tmp_path / "other", "T-002", inputs))
    with Collector(site, state, database) as floor:
        with delivering(site.uplink(floor.address, journals, "T-001")):
            wait_until(lambda: len(stored(database, "T-001", real.log)) == len(real.entries))
        lapse(database, "T-001")
        with Teller(site, floor.address, "T-001") as told:
            sent = forked.batch(len(forked.entries) - 3, len(forked.entries), notes=[], sender="f" * 32)
            wait_until(lambda: getattr(told.tell(sent), "code", "") != "other_sender")
            assert isinstance(answer := told.tell(sent), Refusal)
            assert answer.code == "stopped"
        with delivering(site.uplink(floor.address, tmp_path / "other", "T-002")):
            wait_until(lambda: len(stored(database, "T-002", other.log)) == len(other.entries))
    assert alarms(database) == [("T-001", real.log, "fork")]
    assert stored(database, "T-001", real.log) == real.entries


def test_a_revoked_certificate_is_refused_on_a_connection_that_stands(
    tmp_path: Path, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    site = Site(tmp_path / "own")
    book = Journal(journal(tmp_path / "journals", "T-001", inputs))
    with Collector(site, state, database) as floor, Teller(site, floor.address, "T-001") as told:
        assert isinstance(told.tell(book.batch(0, 9)), Stands)
        site.revoke("T-001")
        answer = told.tell(book.batch(9, 19))
        assert isinstance(answer, Refusal)
        assert answer.code == "revoked"
        with Teller(site, floor.address, "T-002") as other:
            answer = other.tell(book.batch(0, 9))
            assert isinstance(answer, Refusal)
            assert answer.code == "not_yours"
            (site.folder / "revoked.pem").unlink()
            answer = other.tell(book.batch(0, 9))
            assert isinstance(answer, Refusal)
            assert answer.code == "revoked"  # nobody knows who is
    assert len(stored(database, "T-001", book.log)) == 9


def test_a_table_delivers_with_a_renewed_certificate_once_the_one_before_is_revoked(
    tmp_path: Path, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    site = Site(tmp_path / "own")
    book = Journal(journal(tmp_path / "journals", "T-001", inputs))
    with Collector(site, state, database) as floor:
        with Teller(site, floor.address, "T-001") as told:
            assert isinstance(told.tell(book.batch(0, 20)), Stands)
        site.revoke("T-001")
        site.certify("T-001")  # in place of the old files
        with Teller(site, floor.address, "T-001") as told:
            assert isinstance(told.tell(book.batch(20, len(book.entries))), Stands)
    assert stored(database, "T-001", book.log) == book.entries


def test_a_revoked_program_is_refused_on_a_connection_that_stands(tmp_path: Path, database: str, state: Path) -> None:
    site = Site(tmp_path / "own")
    site.certify("siem", "readers")
    site.revoke(authority="readers")
    floor = Collector(site, state, database)
    with floor.file.open("a") as file:
        names = {"certificate": "floor.pem", "key": "floor.key", "authority": "readers.pem"}
        names["revoked"] = "readers-revoked.pem"
        file.write("[read.tls]\n" + "".join(f'{key} = "{site.folder / name}"\n' for key, name in names.items()))
    context = ssl.create_default_context(cafile=site.folder / "tables.pem")
    context.load_cert_chain(site.folder / "siem.pem", site.folder / "siem.key")
    with floor, httpx.Client(verify=context, trust_env=False, timeout=60) as program:
        asked = f"{floor.read.replace('http:', 'https:')}/api/v1/tables"
        assert program.get(asked).status_code == 200
        site.revoke("siem", authority="readers")
        answer = program.get(asked)
        assert (answer.status_code, answer.json()["refused"]) == (403, "revoked")
        (site.folder / "readers-revoked.pem").unlink()
        assert program.get(asked).status_code == 403  # nobody knows who is


def test_nobody_without_a_certificate_of_the_tables_is_heard(site: Site, database: str, state: Path) -> None:
    site.certify("intruder", "stranger", "T-001")
    trusting = ssl.create_default_context(cafile=str(site.folder / "tables.pem"))
    intruding = ssl.create_default_context(cafile=str(site.folder / "tables.pem"))
    intruding.load_cert_chain(site.folder / "intruder.pem", site.folder / "intruder.key")
    with Collector(site, state, database) as floor:
        for context in (trusting, intruding):
            with httpx.Client(verify=context) as client, pytest.raises(httpx.TransportError):
                client.post(f"https://{floor.address}/v1/has", content=b"{}")


def test_clients_who_take_their_time_hold_nobody_up(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    book = Journal(journal(tmp_path / "journals", "T-001", inputs))
    site.tls("T-002")
    with Collector(site, state, database) as floor, Teller(site, floor.address, "T-001") as told:
        slow = []
        for _ in range(40):
            plain = socket.create_connection(("127.0.0.1", floor.port), timeout=10)
            one = site.tls("T-002").client().wrap_socket(plain, server_hostname="127.0.0.1")
            one.sendall(b"POST /v1/lines HTTP/1.1\r\nHost: floor\r\nContent-Length: 1000000\r\n\r\n{")
            slow.append(one)
        assert isinstance(told.tell(book.batch(0, 20)), Stands)
        # Of one table one request is heard at a time: the others were answered at once.
        slow[-1].settimeout(10)
        assert b" 429 " in slow[-1].recv(1000)
        for one in slow:
            one.close()


def test_a_database_that_may_lose_a_commit_is_refused(postgres: Postgres) -> None:
    address = postgres.database("careless")
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"ALTER DATABASE {db.info.dbname} SET synchronous_commit = off")
    with Database(address) as database, pytest.raises(Stop, match="synchronous_commit = off"):
        database.prepare()


def test_a_schema_of_a_newer_program_is_refused(database: str) -> None:
    with Database(database) as prepared:
        assert prepared.prepare() == prepared.prepare() == max(migrations())
        with psycopg.connect(database) as db:
            db.execute("INSERT INTO migrations (number, name) VALUES (999, 'later')")
        with pytest.raises(Stop, match="schema 999"):
            prepared.prepare()


def test_a_second_sender_waits_and_is_an_alarm_if_both_go_on(database: str) -> None:
    def claimed(sender: str) -> str:
        with prepared.transaction() as db:
            return claim(db, "T-001", sender, LEASE_S)

    def aged() -> None:
        with psycopg.connect(database) as db:
            db.execute("UPDATE senders SET at = at - interval '1 hour', rival_since = rival_since - interval '1 hour'")

    with Database(database) as prepared:
        prepared.prepare()
        assert claimed("a") == ""
        assert claimed("b").startswith("another uplink")
        aged()
        assert claimed("a") == ""
        with pytest.raises(Alarm, match="copied") as caught:
            claimed("b")
        assert caught.value.kind == "two_senders"
        aged()
        assert claimed("b") == ""
        assert claimed("a").startswith("another uplink")


def test_an_alarm_is_listed_and_closed(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    book = Journal(journal(tmp_path / "journals", "T-001", inputs))
    with Collector(site, state, database) as floor, Teller(site, floor.address, "T-001") as told:
        told.tell(book.batch(0, 20))
        told.tell(book.has(last=10))
        told.tell(book.batch(20, 30))
        listed = json.loads(cli("floor", "alarms", floor.file, "--json"))
        assert [(one["table"], one["kind"]) for one in listed] == [("T-001", "rolled_back")]
        number = str(listed[0]["id"])
        cli("floor", "close", floor.file, number, "--by", "shift manager 12", "--go-on")
        assert "no alarm is open" in cli("floor", "alarms", floor.file)
        assert isinstance(told.tell(book.batch(20, 30)), Stands)


def cli(*arguments: str | Path) -> str:
    done = answered(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_what_is_old_and_silent_is_dropped_and_cannot_begin_anew(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    book = Journal(journal(tmp_path / "journals", "T-001", inputs))
    with Collector(site, state, database) as floor, Teller(site, floor.address, "T-001") as told:
        told.tell(book.batch(0, 20))
        with Database(database) as prepared:
            with psycopg.connect(database) as db:
                row = db.execute("SELECT month FROM streams").fetchone()
            assert row is not None
            after = months_back(row[0], -2)
            assert prepared.drop_before(month_of(row[0])) == []
            assert prepared.drop_before(after) == [f"entries_{row[0]:%Y_%m}"]
        assert stored(database, "T-001", book.log) == []
        answer = told.tell(book.batch(0, 20))
        assert isinstance(answer, Stands)
        answer = told.tell(book.batch(20, 30))
        assert isinstance(answer, Refusal)
        assert answer.code == "stopped"
        assert stored(database, "T-001", book.log) == []


def test_names_and_texts_are_values_and_nothing_else(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    odd = ["'; DROP TABLE events; --", "<script>alert(1)</script>", "{{7*7}} ${x} %s %(x)s"]
    with Collector(site, state, database) as floor:
        for number, name in enumerate(odd):
            site.certify(f"odd-{number}", name=name)
            # In what persons say as well: a log holds it, be it refused or not.
            said: list[AnyInput] = [Misdeal(detail=name), ShoeEnded(reason="other", detail=name)]
            said.append(Void(ground=name, reason=name, by=[name, name]))
            book = Journal(journal(tmp_path / str(number), name, [*said, *inputs[:20]]))
            with Teller(site, floor.address, f"odd-{number}") as told:
                assert isinstance(told.tell(book.batch(0, 20)), Stands)
                assert isinstance(told.tell(book.batch(20, 25, table=f"{name} too")), Refusal)
            assert [one["log"] for one in floor.get("/api/v1/logs", table=name)] == [book.log]
            answer = httpx.get(f"{floor.read}/api/v1/lines", params={"table": name, "log": book.log})
            assert answer.content == b"".join(book.entries[:20])
            assert stored(database, name, book.log) == book.entries[:20]
        assert {one["table"] for one in floor.get("/api/v1/tables")} == set(odd)
        told_of = {one["table"]: one["detail"] for one in floor.get("/api/v1/alarms")}
        assert all(repr(f"{name} too") in told_of[name] for name in odd)
        assert floor.get("/api/v1/logs", table="' OR 1=1 --") == []
        assert httpx.get(f"{floor.read}/api/v1/lines", params={"table": "\0", "log": "x"}).status_code == 400
        assert httpx.get(f"{floor.read}/api/v1/alarms", headers={"Host": "evil.example"}).status_code == 403


END_S = 15.0
"""Seconds in which a floor ends, whatever its database does (docs/back-office.md)."""
_BACKENDS = """
SELECT pid FROM pg_stat_activity WHERE application_name = 'cardshoe floor' AND datname = current_database()
"""


def test_a_locked_database_keeps_no_floor_from_ending(site: Site, database: str, state: Path) -> None:
    # It was two statements, each of which waited 30 s for the lock: a minute after the signal.
    with Collector(site, state, database) as floor, psycopg.connect(database) as other:
        with psycopg.connect(database, autocommit=True) as third:
            wait_until(lambda: third.execute("SELECT to_regclass('streams') IS NOT NULL").fetchone() == (True,))
            other.execute("LOCK TABLE streams IN ACCESS EXCLUSIVE MODE")
            wait_until(lambda: third.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone() != (0,))
        began_s = time.monotonic()
        floor.stop()
        assert time.monotonic() - began_s < END_S


def test_a_database_that_answers_no_more_keeps_no_floor_from_ending(site: Site, database: str, state: Path) -> None:
    with Collector(site, state, database) as floor, psycopg.connect(database, autocommit=True) as other:
        wait_until(lambda: other.execute(_BACKENDS).fetchone() is not None)
        backends = [pid for (pid,) in other.execute(_BACKENDS)]
        try:
            for pid in backends:
                os.kill(pid, signal.SIGSTOP)
            began_s = time.monotonic()
            floor.stop()
            assert time.monotonic() - began_s < END_S
        finally:
            for pid in backends:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

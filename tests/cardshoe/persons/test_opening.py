"""A closed table: it answers, takes nothing, and two people open it again at its screen."""

import json
import queue
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from cardshoe.cli.running.opening import opening_of
from cardshoe.journal import Journal, read_only
from cardshoe.journal.file.header import Previous
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import read_statement
from cardshoe.persons.pin_checker import REPORT_S
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.registry import StaffRegistry
from cardshoe.process.clock import wall_time
from cardshoe.process.http.tls import TlsFiles
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.controller import HELD
from cardshoe.table.inbox import Answer
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient
from cardshoe.table.live.session import LiveError
from cardshoe.table.log.house_day import HouseDay
from cardshoe.table.log.sealing_keys import FILE_NAME
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.staff_service import Persons
from regulations.events.inputs import AnyInput, Fault
from regulations.events.notices import DeviceNoted, SignInsRefused
from tests.cardshoe.persons.support import (
    CHEAP,
    PINS,
    WRONG,
    Clock,
    code_of,
    events,
    registry_in,
    say,
    signed_in,
    table_with_persons,
)
from tests.cardshoe.table.live.support import AFTER_SIX, BEFORE_SIX, ENDED, READY, TABLE, ServedTable
from tests.kit.command import PATIENCE_S
from tests.kit.sealed import verified
from tests.kit.waiting import eventually

CLOSE: Final = msgspec.Raw(b'{"event":"closed"}')


def opens(client: LiveClient, token: str, person: str, pin: str | None = None) -> Any:  # noqa: ANN401  any answer
    return client.ask(says.OpenTable(id="4", session=token, person=person, pin=pin or PINS[person]))


def phase_of(table: ServedTable) -> str:
    return table.view.phase


def journals(table: ServedTable) -> list[Path]:
    newest = table.place.newest_journal
    assert newest is not None
    return sorted(newest.parent.glob("*.journal"))


def test_two_people_open_a_closed_table_whose_new_log_begins_with_them(tmp_path: Path) -> None:
    clock, ahead_s = Clock(), [0.0]

    def now() -> str:
        return (datetime.fromisoformat(wall_time()) + timedelta(seconds=ahead_s[-1])).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    with table_with_persons(tmp_path, clock, opening=lambda: None, now=now) as table, table.client() as client:
        supervisor = signed_in(client, "sara")
        assert code_of(opens(client, supervisor, "cara")) == "not_permitted"
        assert isinstance(say(client, supervisor, CLOSE), says.InputResult)
        (closed,) = journals(table)
        assert phase_of(table) == "closed"

        # It takes nothing; what devices report, and which PINs are wrong, waits for the next log.
        assert say(client, supervisor).reason == "the table is closed"
        table.report("shoe", Fault(device="shoe", code="not_admitted"))
        ahead_s.append(3600.0)
        assert code_of(opens(client, supervisor, "sara")) == "same_person"
        assert code_of(opens(client, supervisor, "cara", WRONG)) == "sign_in_refused"
        assert code_of(opens(client, supervisor, "vera")) == "not_permitted"
        clock.s += REPORT_S
        croupier = signed_in(client, "cara")
        assert code_of(opens(client, croupier, "carl")) == "not_permitted"

        done = opens(client, croupier, "sara")
        assert isinstance(done, says.InputResult)
        told = json.loads(bytes(done.lines[0]))
        assert (told["event"], told["by"], told["seq"]) == ("table_opened", ["cara", "sara"], 3)
        before, begun = journals(table)
        assert before == closed
        assert phase_of(table) == "irregular"
        assert code_of(opens(client, croupier, "sara")) == "not_permitted"
        while not isinstance(table.heard().event, SignInsRefused):
            pass
    with read_only(begun) as evidence:
        previous = evidence.header.previous
    assert isinstance(previous, Previous)
    assert (told["closed"], told["root"], told["entries"]) == (previous.log, previous.root, previous.size)
    assert [one["ids"] for one in events(table, "sign_ins_refused")] == [[{"person": "cara", "count": 1}]]
    assert [one["code"] for one in events(table, "fault")] == ["not_admitted"]
    assert [round(one["seconds"]) for one in events(table, "clock_stepped")] == [3600]
    assert [one["person"] for one in events(table, "signed_in")] == ["cara"]
    for path in (closed, begun):
        verified(path)


@pytest.mark.parametrize("why", ["table.toml has changed", ""])
def test_only_the_terminal_opens_another_configuration_or_without_room(tmp_path: Path, why: str) -> None:
    with table_with_persons(tmp_path, opening=lambda: why or None) as table, table.client() as client:
        supervisor = signed_in(client, "sara")
        say(client, supervisor, CLOSE)
        if not why:
            (tmp_path / FILE_NAME).chmod(0o644)
        refused = opens(client, supervisor, "cara")
        assert code_of(refused) == "at_terminal"
        assert why in refused.reason
        assert "technician" in refused.remedy
        assert len(journals(table)) == 1


def test_the_table_goes_on_in_the_new_log_where_something_of_the_change_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = table_with_persons(tmp_path, opening=lambda: None)

    def without_its_files(_: Journal) -> None:
        TlsFiles(certificate="gone", key="gone", authority="gone").client()

    table.controller.succeed(without_its_files)
    with table, table.client() as client, table.client() as notes:
        supervisor = signed_in(client, "sara")
        before = client.hello.log
        notes.subscribe(notes.hello.seq, before, notes=True)
        say(client, supervisor, CLOSE)
        assert isinstance(opens(client, supervisor, "cara"), says.InputResult)
        with table.client() as later:
            assert later.hello.log == table.log.journal.header.fingerprint != before
        assert isinstance(say(client, supervisor), says.InputResult)
        # Each signature is of the log that the client knows.
        origins, over = set[str](), ""
        try:
            while (news := notes.news(5.0)) is not None:
                if isinstance(news, says.NoteMessage):
                    origins.add(read_statement(Note(news.note.encode())).origin)
        except LiveError as error:
            over = error.code
        assert over == "other_log"
        with read_only(journals(table)[0]) as evidence:
            assert origins <= {evidence.header.origin}
    assert "gone" in caplog.text


def test_where_no_log_can_begin_at_the_days_change_two_people_open_the_table_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    registry, at = registry_in(tmp_path), [BEFORE_SIX]

    def persons(note: Callable[[AnyInput], None]) -> Persons:
        return Persons(registry, note, CHEAP, Clock())

    def boot_s() -> float:
        return datetime.fromisoformat(at[-1]).timestamp()

    table = ServedTable(
        tmp_path, persons=persons, opening=lambda: None, day=HouseDay(6), now=lambda: at[-1], boot_s=boot_s
    )
    with table, table.client() as client:
        supervisor = signed_in(client, "sara")
        table.tell(*READY, *ENDED)
        (tmp_path / FILE_NAME).chmod(0o644)  # too open a file of keys
        at.append(AFTER_SIX)
        table.wake()
        eventually(lambda: phase_of(table) == "closed", "the log has ended")
        eventually(lambda: "no log begins" in caplog.text, "the reason is said")
        (tmp_path / FILE_NAME).chmod(0o600)
        assert isinstance(opens(client, supervisor, "cara"), says.InputResult)
        assert phase_of(table) == "preparing"
        assert len(journals(table)) == 2


def test_a_registry_that_goes_bad_while_it_is_looked_at_is_an_answer(tmp_path: Path) -> None:
    table = table_with_persons(tmp_path)
    bad = tmp_path / "bad.toml"
    bad.write_text("half a li")
    bad.chmod(0o600)

    def looked() -> AccessRefusal:
        return AccessRefusal(code="busy", reason=f"{len(StaffRegistry(bad).persons())} persons")

    answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
    with table:
        table.controller.ask_and_wait(looked, answers.put)
        answer = answers.get(timeout=PATIENCE_S)
        assert isinstance(answer, AccessRefusal)
        assert answer.code == "no_persons"
        assert table.runs


def test_a_table_without_pages_ends_when_it_is_closed(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, table.client() as client:
        supervisor = signed_in(client, "sara")
        say(client, supervisor, CLOSE)
        eventually(lambda: not table.runs, "the table ends")


def test_a_closed_table_ends_when_too_much_waits(tmp_path: Path) -> None:
    with table_with_persons(tmp_path, opening=lambda: None) as table, table.client() as client:
        supervisor = signed_in(client, "sara")
        say(client, supervisor, CLOSE)
        assert table.runs
        for number in range(HELD):
            table.controller.note(DeviceNoted(device="shoe", note="n", value=number, origin="table"))
        eventually(lambda: not table.runs, "the table ends")


def test_the_configuration_that_runs_is_the_one_that_opens(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("x")
    plain = TableConfig(path=file, table=TABLE, journal_dir=tmp_path, devices=())
    assert opening_of(plain) is None
    pages = msgspec.structs.replace(plain, display=DisplaySection())
    assert opening_of(pages) is None
    opening = opening_of(msgspec.structs.replace(pages, persons=tmp_path / "persons.toml"))
    assert opening is not None
    assert opening() is None
    file.write_text("y")
    assert opening() == f"{file} has changed since the table was started"
    file.unlink()
    assert opening() is not None

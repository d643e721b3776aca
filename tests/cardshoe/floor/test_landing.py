"""The collector's answers to hand-made requests over its own TLS, on a real PostgreSQL."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import structs

from cardshoe.floor.facts.projector import Projector
from cardshoe.journal import Keyring, read_only
from cardshoe.journal.delivery.wire import BATCH_ENTRIES, BODY_BYTES, Batch, Mark, Marks, Refusal, Stands
from cardshoe.journal.file.header import Previous
from cardshoe.journal.proof.note import VerifyKey
from cardshoe.journal.writing.signer import JournalSigner
from cardshoe.table.log.passing import pass_over_last
from cardshoe.table.log.sealing_keys import FILE_NAME
from cardshoe.table.log.table_journal import Beginning, Ended
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.batches import OTHER, SENDER, Journal
from tests.cardshoe.floor.filling import filling
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.site import Collector, Site, Teller
from tests.cardshoe.floor.tables import AT, journal, table_of
from tests.cardshoe.floor.waiting import alarms, stored
from tests.cardshoe.journal.samples import HEADER
from tests.cardshoe.journal.sealed import sealed_journal
from tests.kit.certificates import needs_openssl
from tests.kit.desk import LATER, Desk, stuck
from tests.kit.sealed import keys_beside

pytestmark = [needs_postgres, needs_openssl]
TABLE: Final = "T-001"
HALF: Final = 30


class At(NamedTuple):
    """A collector with one table's journal, and who speaks with that table's certificate."""

    floor: Collector
    told: Teller
    book: Journal
    database: str

    def mark(self, answer: object) -> Mark:
        assert isinstance(answer, Stands), answer
        return Mark.read(answer.mark.encode(), VerifyKey.parse(self.floor.key))

    def refused(self, said: Batch) -> Refusal:
        answer = self.told.tell(said)
        assert isinstance(answer, Refusal), answer
        return answer


@pytest.fixture(scope="module")
def running(
    postgres: Postgres, site: Site, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Collector, str, Teller]]:
    state = tmp_path_factory.mktemp("landing") / "state"
    state.mkdir(mode=0o700)
    database = postgres.database("landing")
    with Collector(site, state, database) as floor, Teller(site, floor.address, TABLE) as told:
        yield floor, database, told


@pytest.fixture
def at(running: tuple[Collector, str, Teller], tmp_path: Path, inputs: list[AnyInput]) -> At:
    """The one collector, with a log of its own for each test."""
    floor, database, told = running
    return At(floor, told, Journal(journal(tmp_path / "journals", TABLE, inputs)), database)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory, inputs: list[AnyInput]) -> Journal:
    return Journal(journal(tmp_path_factory.mktemp("journals"), "T-002", inputs))


def test_the_mark_is_what_is_stored_and_its_root_is_the_journal_s(at: At) -> None:
    mark = at.mark(at.told.tell(at.book.batch(0, HALF)))
    assert (mark.table, mark.log, mark.entry) == (at.book.table, at.book.log, HALF - 1)
    assert mark.root.hex() == at.book.root(HALF)
    assert stored(at.database, at.book.table, at.book.log) == at.book.entries[:HALF]


def test_what_comes_again_is_there_once(at: At) -> None:
    first = at.book.batch(0, HALF)
    assert at.mark(at.told.tell(first)) == at.mark(at.told.tell(first))
    assert at.mark(at.told.tell(at.book.batch(HALF - 20, HALF + 15))).entry == HALF + 14
    assert at.mark(at.told.tell(first)).entry == HALF + 14
    assert stored(at.database, at.book.table, at.book.log) == at.book.entries[: HALF + 15]


def test_a_gap_is_answered_with_the_mark(at: At) -> None:
    assert at.refused(at.book.batch(10, 20)).code == "behind"
    at.told.tell(at.book.batch(0, HALF))
    refused = at.refused(at.book.batch(HALF + 1, HALF + 9))
    assert refused.code == "behind"
    assert at.mark(refused.stands).entry == HALF - 1


def test_all_of_it_is_proved_and_cosigned(at: At) -> None:
    end = len(at.book.entries)
    answer = at.told.tell(at.book.batch(0, end, notes=_newest(at.book)))
    assert isinstance(answer, Stands)
    assert answer.cosigned.startswith("\N{EM DASH} cardshoe/witness/")
    log = _log(at)
    assert (log["mark"], log["proved"], log["stopped"]) == (end - 1, end - 1, "")
    assert {note["what"] for note in at.floor.get("/api/v1/notes", table=at.book.table, log=at.book.log)} >= {
        "key 0", "checkpoint", "mark",
    }  # fmt: skip


def test_the_epoch_is_a_column_that_statements_set(at: At) -> None:
    end = len(at.book.entries)
    at.told.tell(at.book.batch(0, end, notes=[]))
    at.told.tell(at.book.batch(end, end, notes=_newest(at.book)))
    sizes = [int(note.split("\n")[2]) for note in _newest(at.book) if "\nkey " in note]
    with psycopg.connect(at.database) as db:
        rows = db.execute("SELECT number, epoch FROM entries WHERE log = %s", (at.book.log,)).fetchall()
    assert all(epoch == sum(size <= seq for size in sizes) - 1 for seq, epoch in rows if seq >= sizes[0])


def test_another_line_at_a_number_is_a_fork_and_stops_this_log_alone(
    at: At, tmp_path: Path, inputs: list[AnyInput]
) -> None:
    at.told.tell(at.book.batch(0, HALF))
    lines = list(at.book.entries[HALF - 5 : HALF + 5])
    lines[2] = lines[2].replace(b"10:00:00", b"10:00:01")
    assert at.refused(at.book.batch(HALF - 5, HALF + 5, entries=lines)).stands.stopped == "fork"
    assert at.refused(at.book.batch(HALF, HALF + 5)).code == "stopped"
    assert (at.book.table, at.book.log, "fork") in alarms(at.database)
    assert stored(at.database, at.book.table, at.book.log) == at.book.entries[:HALF]
    other = Journal(journal(tmp_path / "anew", TABLE, inputs))
    assert isinstance(at.told.tell(other.batch(0, HALF)), Stands)


def test_another_past_is_a_fork_before_a_line_is_taken(at: At) -> None:
    at.told.tell(at.book.batch(0, HALF))
    batch = at.book.batch(HALF, HALF + 5)
    forged = Batch(structs.replace(batch.head, before="0" * 64), batch.entries)
    assert at.refused(forged).stands.stopped == "fork"
    assert len(stored(at.database, at.book.table, at.book.log)) == HALF


def test_lines_that_the_key_has_not_signed_are_not_kept(at: At) -> None:
    end = len(at.book.entries)
    lines = list(at.book.entries)
    lines[HALF] = lines[HALF].replace(b"10:00:00", b"10:00:01")
    assert at.refused(at.book.batch(0, end, entries=lines, notes=_newest(at.book))).stands.stopped == "not_signed"
    assert stored(at.database, at.book.table, at.book.log) == []


def test_a_note_that_somebody_else_signed_stops_the_log(at: At, book: Journal) -> None:
    end = len(at.book.entries)
    notes = _newest(at.book)
    last = notes[-1]
    notes[-1] = last[: last.rindex("\n\n")] + book.notes[-1][1][book.notes[-1][1].rindex("\n\n") :]
    assert at.refused(at.book.batch(0, end, notes=notes)).stands.stopped == "not_signed"


def test_a_missing_statement_of_a_key_is_asked_for(at: At) -> None:
    end = len(at.book.entries)
    refused = at.refused(at.book.batch(0, end, notes=_newest(at.book)[-1:]))
    assert (refused.code, refused.stands.epoch) == ("keys", -1)


def test_a_checkpoint_that_comes_after_the_statement_of_the_next_key_is_no_fork(at: At, tmp_path: Path) -> None:
    path = tmp_path / "shoes.journal"
    sealed_journal(path, shoes=2, header=structs.replace(HEADER, table_id=TABLE))
    own = at._replace(book=Journal(path))
    end = len(own.book.entries)
    keys = _newest(own.book)[:-1]
    of_the_key_before = [note for _, note in own.book.notes if " key 1 at " in note][-1]
    assert isinstance(own.told.tell(own.book.batch(0, end, notes=[*keys, of_the_key_before])), Stands)
    assert isinstance(own.told.tell(own.book.batch(end, end, notes=_newest(own.book))), Stands)
    log = _log(own)
    assert (log["stopped"], log["proved"]) == ("", end - 1)


def test_an_old_image_of_the_disk_is_an_alarm(at: At) -> None:
    at.told.tell(at.book.batch(0, HALF))
    answer = at.told.tell(at.book.has(last=HALF - 10))
    assert isinstance(answer, Marks)
    assert answer.logs[0].stopped == "rolled_back"
    assert at.refused(at.book.batch(HALF, HALF + 5)).code == "stopped"


def test_one_sender_a_table(at: At) -> None:
    at.told.tell(at.book.batch(0, HALF))
    assert at.refused(at.book.batch(HALF, HALF + 5, sender=OTHER)).code == "other_sender"
    assert isinstance(at.told.tell(at.book.batch(HALF, HALF + 5)), Stands)
    # Heard of while the database's clock was ahead, then not for an hour.
    for end, by, sender in ((HALF + 9, "8 hours", OTHER), (HALF + 12, "-1 hour", SENDER)):
        with psycopg.connect(at.database) as db:
            db.execute("UPDATE senders SET at = at + %s::interval", (by,))
        assert isinstance(at.told.tell(at.book.batch(HALF + 5, end, sender=sender)), Stands)


def test_one_table_cannot_write_as_another(at: At, book: Journal, site: Site) -> None:
    assert at.refused(book.batch(0, 5)).code == "not_yours"
    as_own = book.batch(0, 5, table=at.book.table)
    assert at.refused(as_own).code == "not_yours"
    assert (at.book.table, "", "not_yours") in alarms(at.database)
    assert stored(at.database, at.book.table, at.book.log) == []
    with Teller(site, at.floor.address, book.table) as other:
        assert isinstance(other.tell(book.batch(0, 5)), Stands)
    assert at.refused(book.batch(5, 9)).code == "not_yours"
    assert len(stored(at.database, book.table, book.log)) == 5


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"{}", b'{"batch":2}', b"\xff\xfe", b"{" * 100_000, b'{"batch":1,"table":1}',
        b"\n" * (BATCH_ENTRIES + 10),
    ],
)  # fmt: skip
def test_what_is_no_batch_is_malformed(at: At, body: bytes) -> None:
    answer = at.told.post("/v1/lines", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert at.told.post("/v1/has", content=body).json()["code"] == "malformed"


@pytest.mark.parametrize(
    "change",
    [
        {"log": "' OR 1=1 --"}, {"log": "0" * 31 + "\n"}, {"sender": "x"}, {"first": -1}, {"first": 1 << 60},
        {"before": "zz"}, {"notes": [""] * 65}, {"notes": ["no note"]}, {"last": 3},
    ],
)  # fmt: skip
def test_no_field_of_a_head_is_believed(at: At, change: dict[str, object]) -> None:
    head = {**json.loads(at.book.batch(0, HALF).encoded().split(b"\n")[0]), **change}
    body = b"\n".join([json.dumps(head).encode() + b"\n", *at.book.entries[:HALF]])
    assert at.told.post("/v1/lines", content=body).json()["code"] == "malformed"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b'{"event":"card","seq":7}',
        b'{"event":"x\' OR 1=1","seq":%d}',
        b'{"event":"\\u0000","seq":%d}',
        b"\0",
    ],
)
def test_no_line_that_no_journal_has_is_stored(at: At, line: bytes) -> None:
    at.told.tell(at.book.batch(0, HALF))
    data = (line % at.book.next_seq(HALF) if b"%d" in line else line) + b"\n"
    assert at.refused(at.book.batch(HALF, HALF + 1, entries=[data], notes=[])).stands.stopped == "no_journal"
    assert len(stored(at.database, at.book.table, at.book.log)) == HALF


def test_a_log_whose_previous_one_is_not_here_is_an_alarm(at: At, tmp_path: Path, inputs: list[AnyInput]) -> None:
    folder = tmp_path / "two"
    first = Journal(journal(folder, TABLE, inputs))
    second = Journal(journal(folder, TABLE, inputs))
    assert isinstance(at.told.tell(second.batch(0, 5)), Stands)
    assert (TABLE, second.log, "missing_log") in alarms(at.database)
    at.told.tell(first.batch(0, len(first.entries)))
    third = Journal(journal(folder, TABLE, inputs))
    at.told.tell(second.batch(5, len(second.entries)))
    assert isinstance(at.told.tell(third.batch(0, 5)), Stands)
    assert (TABLE, third.log, "missing_log") not in alarms(at.database)


def test_a_first_key_that_the_log_before_did_not_sign_is_an_alarm(
    at: At, tmp_path: Path, inputs: list[AnyInput]
) -> None:
    folder = tmp_path / "two"
    first = Journal(journal(folder, TABLE, inputs))
    second = Journal(journal(folder, TABLE, inputs))
    at.told.tell(first.batch(0, len(first.entries)))
    text, lines = second.notes[0][1].split("\n\n")
    alone = f"{text}\n\n{lines.partition(chr(10))[2]}"
    assert at.refused(second.batch(0, 5, notes=[alone])).stands.stopped == "not_signed"


def test_a_log_that_another_key_continues_is_a_fork(at: At, tmp_path: Path, inputs: list[AnyInput]) -> None:
    path = journal(tmp_path, TABLE, inputs)
    first = Journal(path)
    at.told.tell(first.batch(0, len(first.entries)))
    with read_only(path) as evidence:
        stranger = JournalSigner(Keyring(path), evidence.header.origin, 0, Ed25519PrivateKey.generate())
    previous = Previous(
        log=first.log, size=len(first.entries), root=first.root(len(first.entries)), key=str(stranger.public)
    )
    begun = Beginning(tmp_path, table_of(TABLE), (), tmp_path / FILE_NAME).begin(AT, Ended(previous, 1, stranger))
    begun.journal.close()
    second = Journal(begun.journal.path)
    assert at.refused(second.batch(0, len(second.entries))).stands.stopped == "fork"


def test_a_body_has_an_end(at: At) -> None:
    answer = at.told.post("/v1/lines", content=b"x" * (BODY_BYTES + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_long")


def _newest(book: Journal) -> list[str]:
    keys = [note for _, note in book.notes if "\nkey " in note.split("\n\n")[0]]
    return [*keys, book.notes[-1][1]]


def _log(at: At) -> dict[str, object]:
    found: dict[str, object] = next(
        one for one in at.floor.get("/api/v1/logs", table=at.book.table) if one["log"] == at.book.log
    )
    return found


def test_an_entry_that_two_people_passed_over_lands_as_the_journal_has_it(postgres: Postgres, tmp_path: Path) -> None:
    path = stuck(Desk(tmp_path))
    said = pass_over_last(path, keys_beside(path), ("7", "8"), LATER)
    book, address = Journal(path), postgres.database("passing")
    with filling(address, tmp_path / "state") as (database, filler):
        filler.deliver(book, 0, said.entry + 1)
        filler.deliver(book, said.entry - 2)
        projector = Projector(database)
        projector.look()
        assert [known.fault for known in projector.tables()] == [""]
    assert stored(address, book.table, book.log) == book.entries
    with psycopg.connect(address) as db:
        rows = db.execute("SELECT number FROM entries WHERE events = '{passed_over}'").fetchall()
        acts = db.execute('SELECT seq, kind, code, reason, "by" FROM acts ORDER BY seq').fetchall()
    assert rows == [(said.entry + 1,)]
    assert (said.seq, "override", "passed_over", f"entry {said.entry}", ["7", "8"]) in acts

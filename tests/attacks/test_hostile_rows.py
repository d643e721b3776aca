"""Attack: one table sends lines that are signed and stored, and that no page can show."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from psycopg import sql

from cardshoe.floor.database import Database
from cardshoe.floor.siem.events import StoredLine, json_line, of_line
from cardshoe.floor.siem.forwarder import Telling
from cardshoe.floor.siem.section import SiemSection
from cardshoe.journal.file.chain import data_of, lines_of
from tests.attacks.shown import Kept, everything
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.facts.support import DEALT, cards, written
from tests.cardshoe.floor.pages.support import Looked, looked_at, rows_of, trouble
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.kit.length import at_length

pytestmark = needs_postgres
TABLES: Final = at_length(25, 2_000)
TIMES: Final = ("9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "infinity", "x", "")
TEXTS: Final = ("<b>'\"&{{7*7}}%s\\", "\u202e\u2066\u001b[2J\r\n\u2028\u0000\u009b31m", "=1+1", "9" * 5000, "\ud800")
NUMBERS: Final = (-1, 0, 1, 1 << 31, 1 << 53, (1 << 63) - 1, 1 << 64, -(1 << 63), 1e308, "1e999", "1" * 5000)
OTHERS: Final[tuple[Any, ...]] = (None, True, [], {}, [[]], [None], {"a": {"a": 1}})
EXACT: Final = ("1e999", "1" * 5000)
"""Values that stand in the line as they are: numbers that a decoder may refuse."""


@pytest.fixture
def address(cluster: Postgres) -> str:
    return cluster.database("floor")


def unsettled(folder: Path, name: str) -> Journal:
    """A table with a device lost, a fault, a witness behind, a supervisor called and a dispute, all of them open."""
    return written(
        folder,
        *cards(*DEALT[:3]),
        {"event": "fault", "device": "shoe", "code": 3},
        {"event": "device_lost", "device": "shoe"},
        {"event": "witness_behind", "witness": "stick", "notes": 3, "seconds": 90},
        {"event": "supervisor_called", "reason": "payment"},
        {"event": "dispute", "detail": "payment_disputed"},
        name=name,
    )


def hostile_values(rng: random.Random) -> Iterator[Any]:
    known = [*TIMES, *TEXTS, *NUMBERS, *OTHERS]
    while True:
        rng.shuffle(known)
        yield from known


def changed(line: bytes, rng: random.Random, value: object) -> bytes:
    """A line with another value somewhere, or with one more field."""
    said = json.loads(line)
    at: Any = said
    while True:
        name = rng.choice([*at] if isinstance(at, dict) else range(len(at)))
        if not (isinstance(at[name], dict | list) and at[name]) or rng.random() < 0.2:
            break
        at = at[name]
    if at is said and name == "event":
        name = "more"
    at[name] = copy.deepcopy(value)
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    for exact in EXACT:
        text = text.replace(f'"{exact}"', exact)
    return text.encode("utf-8", "surrogatepass")


def store(address: str, book: Journal, entries: dict[int, bytes]) -> None:
    """Puts entries in place of those that the collector has stored: a table may sign whatever it likes."""
    with psycopg.connect(address) as connection:
        for number, data in entries.items():
            query = "UPDATE entries SET lines = %s WHERE table_id = %s AND number = %s"
            connection.execute(query, (data, book.table, number))


def check_honest(found: dict[str, str]) -> None:
    """The honest table is shown as if it were alone."""
    assert "T-1" in found["/tables"]
    rows = rows_of(found["/report"])
    assert any(" T-1 2 7001, 9001 Declare the round void" in row for row in rows)
    assert [line.split(",")[0].strip('"') for line in found["/report.csv"].splitlines() if "T-1" in line] == [
        "correction", "manual_card", "void", "override", "dispute",
    ]  # fmt: skip
    assert sum(" T-1 " in row for row in rows_of(found["of T-1"])) == 4
    assert "Cannot be read" not in found["T-1"]


@pytest.mark.parametrize("at", TIMES)
def test_a_time_that_no_page_can_show_affects_its_own_table(address: str, tmp_path: Path, at: str) -> None:
    with looked_at(address, tmp_path) as looked:
        looked.filler.deliver(trouble(tmp_path / "T-1", "T-1"))
        bad = unsettled(tmp_path / "T-2", "T-2")
        looked.filler.deliver(bad)
        for number, data in enumerate(bad.entries[1:], start=1):
            lines = [json.loads(line) | {"at": at} for line in lines_of(data)]
            store(address, bad, {number: data_of(json.dumps(one, separators=(",", ":")).encode() for one in lines)})
        found = everything(looked, ["T-1", "T-2"])
        check_honest(found)
        assert "Cannot be read" in found["T-2"]
        assert "T-2" not in found["/report.csv"]
        assert "T-2 Cannot be read by this program" in " ".join(rows_of(f"<tr>{looked.get('/report')}</tr>"))


def test_no_stored_field_keeps_another_table_from_being_shown(address: str, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    values = hostile_values(rng)
    tables = [f"H-{number}" for number in range(TABLES)]
    with looked_at(address, tmp_path) as looked:
        looked.filler.deliver(trouble(tmp_path / "T-1", "T-1"))
        for table in tables:
            book = rng.choice((trouble, unsettled))(tmp_path / table, table)
            looked.filler.deliver(book)
            number = rng.randrange(1, len(book.entries))
            lines = lines_of(book.entries[number])
            at = rng.randrange(len(lines))
            lines[at] = changed(lines[at], rng, next(values))
            store(address, book, {number: data_of(lines)})
        check_honest(everything(looked, ["T-1", *tables]))
        # A new floor on the same database, which begins with what the old one has kept.
        looked.board.projector.keep()
        with Database(address) as database:
            check_honest(everything(Looked(database, looked.filler, looked.settings, looked.entrance), ["T-1"]))
            kept = Kept()
            telling = Telling("watch", SiemSection(to="tcp://127.0.0.1:1", history=True), database, kept)
            while telling.step():
                continue
        told = [json.loads(one.partition(b" {")[2].join([b"{", b""])) for one in kept.messages]
        assert {one["table"] for one in told} == {"T-1", *tables}


@pytest.mark.parametrize("value", [*EXACT, "[" * 5000, '"\\ud800"'])
def test_a_line_that_cannot_be_decoded_keeps_no_receiver_waiting(value: str) -> None:
    line = StoredLine("T-2", "ab" * 16, 7, "fault", None, f'{{"event":"fault","x":{value}}}'.encode())
    told = json.loads(json_line(of_line(line)))
    assert (told["id"], told["table"], told["kind"]) == (f"T-2:{'ab' * 16}:7", "T-2", "device")
    assert told["unreadable"]


def test_the_database_takes_no_time_that_a_page_cannot_show(address: str, tmp_path: Path) -> None:
    with looked_at(address, tmp_path) as looked:
        looked.filler.deliver(trouble(tmp_path))
        looked.look()
    for table, column in (
        *(("rounds", "at"), ("irregularities", "at"), ("irregularities", "settled_at"), ("acts", "at")),
        *(("device_faults", "at"), ("device_faults", "over_at"), ("entries", "at")),
    ):
        for at in ("9999-12-31T23:59:59Z", "infinity", "0001-01-01T00:00:00Z"):
            with psycopg.connect(address) as connection, pytest.raises(psycopg.errors.CheckViolation):
                connection.execute(
                    sql.SQL("UPDATE {} SET {} = %s").format(sql.Identifier(table), sql.Identifier(column)), (at,)
                )

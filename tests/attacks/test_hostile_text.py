"""Attack: a person, a device or a file brings text along that moves a cursor, forges a line, or runs as a formula."""

import csv
import io
import json
import logging
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import pytest

from cardshoe.floor.siem.forwarder import Telling
from cardshoe.floor.siem.section import SiemSection
from cardshoe.journal.file.chain import lines_of
from cardshoe.process.free_text import csv_cell, page_text, siem_text, terminal_text
from cardshoe.process.plain_log import PlainFormatter
from cardshoe.screens.view import LineFold, TableView
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.pages import Pages
from cardshoe.table.display.settings import DisplaySettings
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.terminal.printing import JsonPrinter, TextPrinter
from cardshoe.table.terminal.status import status_text
from regulations.events.inputs import AnyInput
from tests.attacks.shown import Kept
from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.facts.support import BEGUN, DEALT, cards, events
from tests.cardshoe.floor.filling import Played
from tests.cardshoe.floor.pages.support import Looked, looked_at
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.table.live.support import READY

HOSTILE: Final = (
    "\x1b[2J\x1b[1;1Hx\r\nFORGED\nFORGED\rFORGED\u2028FORGED\u2029\u202e\u2066\x00\x07\x7f\x9b8m\ufeff\U000e0041"
)
SIGNS: Final = "=+-@\uff1d\uff0b\uff0d\uff20"
"""With what a formula begins, and the same in full width."""
FORMULAS: Final = (
    *("=cmd", "a;=cmd", "a\t=cmd", 'a","=cmd', "a|+cmd", "a -cmd", "a\r\n@cmd"),
    *("\uff41\uff1b\uff1dcmd", '";=cmd;"', "a'=cmd"),
)
SEPARATORS: Final = (",", ";", "\t", "|", " ", ":")


def check(text: str, *, lines: bool = True) -> None:
    """Check that a text that was printed moves no cursor and forges no line."""
    harmful = {one for one in text if not (one.isprintable() or unicodedata.category(one) == "Zs")}
    assert harmful <= ({"\n"} if lines else set()), sorted(map(ascii, harmful))
    assert not re.search(r"^\W*FORGED", text, re.MULTILINE), text


def hostile_inputs() -> list[AnyInput]:
    """A table whose every free text is hostile; all of it is accepted."""
    named: dict[str, Any] = {"device": f"shoe{HOSTILE}"}
    who = {name: f"{name}{HOSTILE}" for name in ("maker", "model", "serial", "firmware", "digest")}
    by = [HOSTILE[:60], "sara"]
    return events(
        {"event": "device_identified", **named, **who, "security_counter": 1},
        {"event": "device_judged", **named, "verdict": "refused", "checks": [
            {"check": HOSTILE, "ok": False, "code": HOSTILE, "detail": HOSTILE}
        ], **who},
        {"event": "device_noted", **named, "note": HOSTILE},
        {"event": "signed_in", "person": HOSTILE, "role": "croupier", "place": "terminal"},
        {"event": "signed_in", "person": HOSTILE, "role": "supervisor", "place": "own_screen"},
        {"event": "sign_ins_refused", "count": 1, "since": HOSTILE, "ids": [{"person": HOSTILE[:60], "count": 1}]},
        {"event": "persons_listed", "version": 1, "issued": HOSTILE, "until": HOSTILE, "persons": 1},
        {"event": "persons_listed", "version": 1, "issued": HOSTILE, "until": HOSTILE, "persons": 1, "lapsed": True},
        {"event": "witness_behind", "witness": HOSTILE, "notes": 1, "seconds": 61},
        {"event": "supervisor_called", "reason": HOSTILE},
        *READY,
        {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 100}]},
        *cards(*DEALT[:3]),
        {"event": "dispute", "detail": HOSTILE},
        {"event": "resolve", "irregularity": 1, "action": "settle", "by": by},
        {"event": "misdeal", "detail": HOSTILE},
        {"event": "void", "ground": "misdeal", "reason": HOSTILE, "by": by},
        {"event": "bets_corrected", "seats": [], "wagers": [], "reason": HOSTILE, "by": by},
        {"event": "device_readmitted", **named, "by": by},
        {"event": "fault", **named, "code": HOSTILE},
        {"event": "dispute", "detail": HOSTILE},
        {"event": "device_lost", **named},
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def book(folder: Path) -> Journal:
    return Played(folder, "T-1", "baccarat", BEGUN).play(hostile_inputs())


@pytest.fixture
def journal(folder: Path, book: Journal) -> Path:
    assert book.entries
    return next(folder.glob("*.journal"))


def taken_of(book: Journal) -> Iterator[LoggedInput]:
    fold = LineFold(TableView())
    for data in book.entries:
        taken = fold.take(lines_of(data))
        if taken is not None:
            event, answer = taken
            yield LoggedInput(event, answer, lines_of(data), event)


def view_of(book: Journal) -> TableView:
    view = TableView()
    for taken in taken_of(book):
        view.take(taken.event, taken.outputs)
    return view


class Terminal(io.TextIOWrapper):
    """Standard output that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


# --- the functions ---------------------------------------------------------------------------------------------------


def test_no_character_gets_through_that_is_not_visible() -> None:
    for number in range(0x110000):
        one = chr(number)
        for made in (terminal_text(one), page_text(one)):
            assert made == one or (made.isprintable() and not one.isprintable()), hex(number)


@pytest.mark.parametrize("make", [terminal_text, lambda text: siem_text(text.encode()).decode()])
def test_json_says_the_same_after_it(make: Callable[[str], str]) -> None:
    said = {"reason": HOSTILE, HOSTILE: ["\u202e", "中文\u3000\U0001f600"]}
    made = make(msgspec.json.encode(said).decode())
    check(made, lines=False)
    assert json.loads(made) == said


@pytest.mark.parametrize("text", [*FORMULAS, HOSTILE, *(f"{sign}1" for sign in SIGNS)])
@pytest.mark.parametrize("separator", SEPARATORS)
def test_no_part_of_a_cell_begins_a_formula_whatever_the_separator(text: str, separator: str) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow(["T-1", csv_cell(text), "x"])
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        for row in csv.reader(io.StringIO(out.getvalue()), delimiter=separator, quoting=quoting):
            for cell in row:
                assert not cell.lstrip(' \t\r\n"').startswith(tuple(SIGNS)), (row, quoting)
    assert csv_cell("2026-11-24T10:00:00+08:00 art. 5.º") == "2026-11-24T10:00:00+08:00 art. 5.º"


# --- the terminal ----------------------------------------------------------------------------------------------------


def test_the_screen_of_a_table(book: Journal) -> None:
    printed: list[bytes] = []
    printer = TextPrinter(write=printed.append)
    for taken in taken_of(book):
        printer(taken)
    printer.say(f"not taken: {terminal_text(HOSTILE)}")
    text = b"".join(printed).decode()
    assert text.count("\\u001b[2J") >= 20
    check(text)


def test_the_status_of_a_table(book: Journal) -> None:
    view = view_of(book)
    text = status_text(view, columns=4000)
    assert text.count("\\u001b[2J") >= 2
    check(text)


@pytest.mark.parametrize("arguments", [["--words"], ["--words", "--macau"], ["--words", "--event", "dispute"]])
def test_a_log_in_words(journal: Path, arguments: list[str]) -> None:
    done = answered("log", journal, *arguments)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert "\\u001b[2J" in text
    check(text)


@pytest.mark.parametrize("command", [["verify"], ["verify", "--json"], ["status"], ["status", "--json"]])
def test_what_commands_print(journal: Path, command: list[str]) -> None:
    done = answered(command[0], journal.parent if command[0] == "status" else journal, *command[1:])
    check(done.stdout.decode())
    check(done.stderr.decode())


def test_what_is_not_taken_at_the_keyboard(tmp_path: Path) -> None:
    done = answered("replay", "-", stdin=json.dumps({"event": HOSTILE}).encode())
    assert done.returncode != 0
    check(done.stderr.decode())
    name = tmp_path / f"a{HOSTILE.replace(chr(0), '')}"
    for arguments in (["log", name], ["verify", name], ["config", "check", name], [HOSTILE.replace(chr(0), "")]):
        done = answered(*arguments)
        assert done.returncode != 0
        check(done.stderr.decode())


def test_lines_of_the_log_on_a_terminal_and_in_a_file(
    book: Journal, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A program gets each byte as the journal has it.
    assert answered("log", journal).stdout == b"".join(book.entries[1:])
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(out, encoding="utf-8"))
    printer = JsonPrinter()
    for taken in taken_of(book):
        printer(taken)
    sys.stdout.flush()
    text = out.getvalue().decode()
    check(text)
    assert list(map(json.loads, text.splitlines())) == [
        json.loads(line) for data in book.entries[1:] for line in lines_of(data)
    ]


def test_standard_error() -> None:
    form = PlainFormatter("cardshoe: %(message)s")
    for raised in ((ValueError, ValueError(HOSTILE), None), None):
        record = logging.LogRecord("x", logging.ERROR, "", 1, "%s: failed", (HOSTILE,), raised)
        first, *traceback = form.format(record).split("\n")
        check(first)
        assert first.endswith(": failed")
        assert all(line.startswith("  ") and line.isprintable() for line in traceback)


# --- pages, CSV, SIEM ------------------------------------------------------------------------------------------------


def test_the_pages_of_a_table(book: Journal) -> None:
    settings = DisplaySettings(folder=".", table_id="T-1", section=DisplaySection(), currency="MOP")
    pages = Pages(settings, Feed(settings.place))
    for name in pages.names:
        check(pages.render(name, view_of(book)))


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory, book: Journal) -> Iterator[Looked]:
    with Postgres() as cluster, looked_at(cluster.database("floor"), tmp_path_factory.mktemp("floor")) as made:
        made.filler.deliver(book)
        yield made


@needs_postgres
@pytest.mark.parametrize("path", ["/tables", "/table", "/irregularities", "/plots", "/report", "/api/v1/tables"])
def test_the_pages_of_the_floor(looked: Looked, path: str) -> None:
    query = {"day": "2026-11-23", "from": "2026-11-23", "to": "2026-11-23", "id": "T-1"}
    text = looked.get(path, query)
    assert "T-1" in text
    check(text)


@needs_postgres
def test_the_csv_of_the_floor(looked: Looked) -> None:
    text = looked.get("/report.csv", day="2026-11-23")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert {row["kind"] for row in rows} >= {"void", "dispute"}
    for row in rows:
        for cell in row.values():
            check(cell, lines=False)
    assert all(line.startswith('"') and line.endswith('"') for line in text.removeprefix("\ufeff").splitlines())


@needs_postgres
@pytest.mark.parametrize("form", ["json", "syslog"])
def test_the_messages_to_a_siem(looked: Looked, form: Literal["json", "syslog"]) -> None:
    kept = Kept()
    section = SiemSection(to="tcp://127.0.0.1:1", history=True, format=form)
    telling = Telling(form, section, looked.database, kept)
    while telling.step():
        continue
    assert len(kept.messages) >= 5
    for message in kept.messages:
        check(message.decode(), lines=False)
        said = message.decode().partition(" {")[2]
        assert json.loads(f"{{{said}" if form == "syslog" else message)["table"] == "T-1"

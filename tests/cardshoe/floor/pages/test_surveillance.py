"""The timeline of a table: times to the millisecond and of the camera, what must be checked, pause and step."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardshoe.floor.pages.settings import Camera, PagesSettings
from regulations.events import inputs, notices
from tests.cardshoe.floor.facts.support import BEGUN, DEALT, cards, events, opened, written
from tests.cardshoe.floor.filling import Played
from tests.cardshoe.floor.pages.support import Client, Looked, line_of, log_of, looked_at, rows_of, trouble
from tests.cardshoe.floor.postgres import needs_postgres

pytestmark = needs_postgres
SETTINGS = PagesSettings(language="en", camera=Camera(), cameras={"T-1": Camera(offset_ms=-1500, frames_per_s=50)})


@pytest.fixture
def watched(database: str, tmp_path: Path) -> Iterator[Looked]:
    with looked_at(database, tmp_path, SETTINGS) as made:
        yield made


def page(watched: Looked, status: int = 200, **query: str) -> str:
    """The timeline as surveillance sees it."""
    watched.look()
    client = Client(watched.app(watched.board), "vera")
    answer = client.get("/surveillance", params={"lang": "en", **query})
    assert answer.status_code == status, answer.text
    return answer.text


def seconds(text: str) -> int:
    """Seconds since midnight."""
    hours, minutes, rest = map(int, text.split(":"))
    return hours * 3600 + minutes * 60 + rest


def test_each_entry_that_must_be_checked_says_why(watched: Looked, tmp_path: Path) -> None:
    watched.filler.deliver(trouble(tmp_path))
    rows = rows_of(page(watched, table="T-1", only="1"))[1:]
    known = "Entered by hand|Correction.*|Round void|Override|Device disagrees|Sign-in|Irregularity"
    assert [re.sub(rf".* ({known})$", r"\1", row) for row in rows] == [
        "Irregularity", "Override", "Device disagrees", "Round void", "Irregularity", "Entered by hand",
        "Correction , Changed after the result", "Irregularity", "Sign-in",
    ]  # fmt: skip


def test_times_have_milliseconds_and_the_camera_its_own(watched: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN, apart_s=4.123)
    watched.filler.deliver(table.play([*opened(), *events(*cards(*DEALT[:1]))]))
    row = rows_of(page(watched, table="T-1"))[1]
    found = re.match(r"2026-11-23 (\d\d:\d\d:\d\d)\.(\d{3}) (\d\d:\d\d:\d\d):(\d\d) ", row)
    assert found is not None, row
    at, camera = seconds(found[1]), seconds(found[3])
    behind_ms = at * 1000 + int(found[2]) - camera * 1000 - int(found[4]) * 20
    assert 1500 <= behind_ms < 1520


def test_the_state_of_the_clock_is_told(watched: Looked, tmp_path: Path) -> None:
    watched.filler.deliver(written(tmp_path / "a"))
    assert "The table&#39;s clock was not set" in page(watched, table="T-1")
    table = Played(tmp_path / "b", "T-2", "baccarat", BEGUN)
    watched.filler.deliver(table.play([*opened(), notices.ClockStepped(seconds=-2.5)]))
    html = page(watched, table="T-2")
    assert "The table&#39;s clock was set by -2.500 s at 2026-11-23 18:0" in html
    assert rows_of(html)[1].endswith("Clock set")


def test_a_proposal_and_an_opening_are_marked(watched: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN)
    told: list[inputs.AnyInput] = [
        inputs.Proposed(person="cara", act="shoe_ended"),
        notices.TableOpened(by=["sara", "tom"], closed="ab" * 16, root="cd" * 32, entries=7),
    ]
    watched.filler.deliver(table.play([*opened(), *told]))
    opening, proposal = rows_of(page(watched, table="T-1", only="1"))[1:3]
    assert re.search(r" table_opened .*sara, tom Table opened$", opening)
    assert re.search(r" proposed shoe_ended cara .*Proposal$", proposal)


def test_a_paused_timeline_steps_from_entry_to_entry(watched: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    watched.filler.deliver(book)
    html = page(watched, table="T-1")
    assert 'data-page="/surveillance/events?table=T-1&amp;lang=en"' in html
    client = Client(watched.app(watched.board), "vera")
    last = len(book.entries) - 1
    steps = {"Pause": (last,), "One entry back": (last - 1, last - 2), "One entry on": (last - 1,)}
    for name, entry in ((name, entry) for name, entries in steps.items() for entry in entries):
        link = re.search(rf'href="([^"]*)"[^>]*>[^<]*{name}</a>', html)
        assert link is not None, name
        html = client.get(link[1].replace("&amp;", "&")).text
        assert re.search(rf" {entry} · \d+ ", rows_of(html)[1]), (name, rows_of(html)[1])
        assert 'data-page=""' in html
    seq = line_of(book, "card", 2)
    assert f" · {seq} " in rows_of(page(watched, table="T-1", log=log_of(book), seq=str(seq)))[1]
    assert " 18:01:0" in rows_of(page(watched, table="T-1", at="2026-11-23T18:01:06"))[1]


def test_a_card_face_down_is_not_on_the_timeline(watched: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN, options={"deal": "face_down"})
    watched.filler.deliver(table.play([*opened(), *events(*cards(*DEALT[:3]))]))
    html = page(watched, table="T-1")
    assert html.count("<em>face down</em>") >= 3
    assert not re.search(r"(?<![\w-])(9H|3D|KS)(?![\w-])", html)


def test_what_cannot_be_shown_is_said(watched: Looked, tmp_path: Path) -> None:
    watched.filler.deliver(written(tmp_path))
    assert "The floor knows no such table." in page(watched, 404, table="T-9")
    assert "The floor knows no such table." in page(watched, 404, table="T-1", log="0" * 32)
    assert "Write a time as" in page(watched, 400, table="T-1", at="noon")
    assert "There is no table" in page(watched, 400, table="x" * 201)
    assert watched.client.get("/surveillance?table=T-1").status_code == 403  # a supervisor

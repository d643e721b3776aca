"""Rounds at the table: the index is made over the live socket, and the pages say what the floor's say."""

import csv
import io
import re
import sqlite3
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from cardshoe.journal.reading.proving import check_proof
from cardshoe.table.display import round_reader
from cardshoe.table.staff_service import Persons
from regulations.events.inputs import Closed, Table
from tests.cardshoe.persons.support import CHEAP, ROLES, Clock, registry_in, table_with_persons
from tests.cardshoe.table.display.support import Inside, inside
from tests.cardshoe.table.live.support import AFTER_SIX, ENDED, READY, TABLE, DayTable, ServedTable
from tests.kit.command import Line
from tests.kit.waiting import eventually

DEALT = ("9H", "3D", "KS", "4C")
"""The player has nine, the banker seven: the player's round, without a third card."""
CLOSED: Line = {"event": "round_closed"}
BY = ["cara", "sara"]
LOOKS = {"supervisor", "surveillance", "regulator"}


def cards(*names: str) -> list[Line]:
    return [{"event": "card", "card": name, "device": "shoe"} for name in names]


TROUBLE: list[Line] = [
    *READY,
    *cards(*DEALT),
    {"event": "misdeal", "detail": "card_entered_wrongly"},
    {
        "event": "resolve",
        "by": BY,
        "irregularity": 1,
        "action": "identify",
        "ground": "misread",
        "cards": [{"index": 4, "card": "2C"}],
    },
    CLOSED,
    {"event": "card", "card": "2D"},
    {"event": "fault", "device": "shoe", "code": 3},
    {"event": "resolve", "by": BY, "irregularity": 2, "action": "void"},
    CLOSED,
]
"""A corrected round, and a void one with a card by hand."""


def page(client: Inside, path: str, status: int = 200, query: dict[str, str] | None = None) -> str:
    answer = client.get(path, query)
    assert answer.status_code == status, answer.text
    return answer.text


def found(client: Inside, query: tuple[str, str]) -> list[int]:
    """The rounds that a filter finds."""
    return numbers(page(client, "/rounds", 200, dict([query])))


def rows_of(html: str) -> list[str]:
    """The rows of all tables of a page, as their texts."""
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in re.findall(r"<tr.*?</tr>", html, re.DOTALL)]


def numbers(html: str) -> list[int]:
    """The rounds of a search."""
    return [int(one) for one in re.findall(r'href="/rounds/[0-9a-f]{32}/\d+\?lang=en">(\d+)</a>', html)]


def sums(html: str) -> list[str]:
    """The totals of a search."""
    (found,) = re.findall(r'<dl class="pairs sums".*?</dl>', html, re.DOTALL)
    return re.findall(r"<dd>(.*?)</dd>", found)


def test_rounds_are_found_by_each_filter_and_summed(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        table.tell(*TROUBLE)
        client.enter()
        assert numbers(page(client, "/rounds")) == [2, 1]
        for query, rounds in {
            ("card", "2♣"): [1],
            ("card", "4C"): [],
            ("card", "10h"): [],
            ("result", "player"): [1],
            ("mark", "void"): [2],
            ("act", "manual_card"): [2],
            ("irregularity", "misdeal"): [1],
            ("person", "sara"): [2, 1],
            ("person", "carl"): [],
            ("table", "T-1"): [2, 1],
            ("table", "T-2"): [],
            ("round", "2"): [2],
            ("since", "2100-01-01T00:00"): [],
            ("until", "2100-01-01T00:00"): [2, 1],
        }.items():
            assert found(client, query) == rounds, query
        assert sums(page(client, "/rounds"))[:2] == ["1", "1"]
        assert sums(page(client, "/rounds", 200, {"mark": "void"}))[:2] == ["0", "1"]
        assert "Write the number of a round" in page(client, "/rounds", 400, {"round": "x"})
        assert page(client, "/rounds.csv", 400, {"round": "x"})


def test_a_round_is_shown_verified_and_its_proof_recorded(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        table.tell(*TROUBLE)
        client.enter()
        (address,) = re.findall(r'href="(/rounds/[^"?]*)\?lang=en">1</a>', page(client, "/rounds"))
        html = page(client, address)
        assert "Signature and inclusion verified" in html
        assert "<h2>Correction · Name the card</h2>" in html
        assert any(
            re.match(r"4 2 2C Banker · card 2 shoe corrected \d+ corrected from 4 4C", one) for one in rows_of(html)
        )
        log, _, seq = address.removeprefix("/rounds/").partition("/")
        later = client.get(f"/rounds/{log}/{int(seq) + 2}")
        assert (later.status_code, later.headers["location"]) == (303, f"{address}?lang=en")
        assert check_proof(page(client, f"{address}/proof").encode()).round == 1
        assert f"proof_downloaded sara {log}:{seq} round 1" in caplog.text
        [row] = csv.DictReader(
            io.StringIO(page(client, "/rounds.csv", 200, {"act": "correction"}).removeprefix("\ufeff"))
        )
        assert (row["table"], row["result"], row["cards"], row["seq"]) == ("T-1", "player", "2C 3D 9H KS", seq)
        assert "rounds_exported sara act=correction" in caplog.text
        for wrong in (
            f"/rounds/{log}/1",
            f"/rounds/{log}/x",
            f"/rounds/{'0' * 32}/{seq}",
            f"/rounds/{log}/99999/proof",
        ):
            assert "No round has this line" in page(client, wrong, 404)


def test_an_open_round_is_shown_unverified(tmp_path: Path) -> None:
    with table_with_persons(tmp_path) as table, inside(table) as client:
        table.tell(*READY, *cards(*DEALT[:2]))
        client.enter()
        assert numbers(page(client, "/rounds")) == []
        log, last = table.log.journal.header.fingerprint, table.log.journal.last_seq
        seq = client.get(f"/rounds/{log}/{last}").headers["location"].partition("?")[0].rpartition("/")[2]
        html = page(client, f"/rounds/{log}/{seq}")
        assert ("Round open" in html, "Not verified" in html) == (True, True)
        assert "Not verified" in page(client, f"/rounds/{log}/{seq}/proof", 409)


def test_the_day_before_is_read_too(tmp_path: Path) -> None:
    registry = registry_in(tmp_path)
    served = DayTable(tmp_path, lambda note: Persons(registry, note, CHEAP, Clock()))
    with served.table as table:
        first = table.log.journal.header.fingerprint
        table.tell(*READY, *cards(*DEALT), CLOSED, ENDED[0], {**ENDED[1], "cards": 404})
        served.at = AFTER_SIX
        table.wake()
        assert [type(table.heard().event) for _ in range(2)] == [Closed, Table]
        with inside(table) as client:
            client.enter()
            eventually(lambda: numbers(page(client, "/rounds")) == [1], "yesterday's round is found")
            html = page(client, "/rounds")
            assert f"/rounds/{first}/" in html
            (address,) = re.findall(r'href="(/rounds/[^"?]*)\?lang=en">1</a>', html)
            assert "Signature and inclusion verified" in page(client, address)


def test_only_some_roles_may_open_them(tmp_path: Path) -> None:
    paths = {"/rounds": 200, "/rounds.csv": 200, "/rounds/x/1": 404, "/rounds/x/1/proof": 404}
    with table_with_persons(tmp_path) as table, inside(table) as client:
        for path in paths:
            assert client.get(path).status_code == HTTPStatus.UNAUTHORIZED
        assert '<form id="enter"' in client.get("/rounds").text
        for person, role in ROLES.items():
            client.enter(person)
            for path, status in paths.items():
                assert client.get(path).status_code == (status if role in LOOKS else 403), (person, path)


def test_a_table_without_staff_has_no_such_pages_and_a_display_may_leave_them_out(tmp_path: Path) -> None:
    with ServedTable(tmp_path / "a", TABLE) as table, inside(table) as client:
        assert "these pages need [persons]" in page(client, "/rounds", 404)
    with table_with_persons(tmp_path) as table, inside(table, pages=["board"]) as client:
        assert client.get("/rounds").status_code == HTTPStatus.NOT_FOUND


def test_rounds_of_a_moment_in_which_the_disk_was_full_are_stored_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full = iter([True])

    class FullOnce(sqlite3.Connection):
        """A disk that is full at the first round."""

        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:  # noqa: ANN401  as the library takes it
            if sql.startswith("INSERT INTO rounds") and next(is_full, False):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(sql, *parameters)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=FullOnce))
    monkeypatch.setattr(round_reader, "AGAIN_S", 0.01)
    with table_with_persons(tmp_path) as table:
        table.tell(*TROUBLE)
        with inside(table) as client:
            client.enter()
            eventually(lambda: numbers(page(client, "/rounds")) == [2, 1], "both rounds are found")
    assert not next(is_full, False)


def test_a_table_that_has_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_reader, "CURRENT_S", 0.01)
    with table_with_persons(tmp_path) as table, inside(table) as client:
        table.tell(*READY, *cards(*DEALT), CLOSED)
        client.enter()
        assert page(client, "/rounds")
        table.live.__exit__()
        said = [client.request("GET", "/rounds")]
        while said[-1].status_code != HTTPStatus.SERVICE_UNAVAILABLE:
            said.append(client.request("GET", "/rounds"))
        assert "The table does not answer" in said[-1].text

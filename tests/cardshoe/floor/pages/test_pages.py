"""The pages with real lines, and with ids and texts that somebody chose with care."""

import csv
import io
import itertools
import random
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from cardshoe.floor.alarm_kinds import Alarm
from cardshoe.floor.alarms import raise_alarm
from cardshoe.floor.database import Database
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.screens.words.currency import Currency
from regulations.events import notices
from regulations.events.vocabulary import Game
from tests.cardshoe.floor.facts.support import BEGUN, CLOSED, DEALT, cards, events, opened, written
from tests.cardshoe.floor.filling import Played, introduced, shoe_game
from tests.cardshoe.floor.pages.support import DAY, Looked, looked_at, rows_of, trouble
from tests.cardshoe.floor.postgres import needs_postgres

pytestmark = needs_postgres
MOP: Final = Currency()
NASTY: Final = """<img src=x onerror=alert(1)>'"; DROP TABLE rounds;--{{7*7}}%s"""
PATHS: Final = ("/tables", "/table", "/rounds", "/rounds.csv", "/irregularities", "/plots", "/report", "/report.csv")


@pytest.fixture
def looked(database: str, tmp_path: Path) -> Iterator[Looked]:
    with looked_at(database, tmp_path) as made:
        yield made


def test_the_day_report_tells_who_did_what_where(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(trouble(tmp_path))
    html = looked.get("/report", day=DAY)
    rows = rows_of(html)
    assert "7001 1 1 1 1 1" in rows
    assert "9001 1 1 0 1 1" in rows
    assert "All 1 1 1 1 1" in rows
    assert any(row.startswith("18:") and "T-1 2 7001, 9001 Declare the round void" in row for row in rows)
    assert rows_of(looked.get("/report", day=DAY, person="9001")).count("9001 1 1 0 1 1") == 1
    assert "7001 0" not in looked.get("/report", day=DAY, table="T-2")
    assert "None" in looked.get("/report", day="2026-11-22")


def test_the_day_report_says_what_it_lacks(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book, 0, len(book.entries) - 5)
    assert "5 lines are still at the table" in looked.get("/report")


def test_the_csv_has_every_act_and_no_formula(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(trouble(tmp_path))
    looked.filler.deliver(written(tmp_path / "other", *cards("2D", by_hand=True), name="=cmd|' /C calc'!A0"))
    text = looked.get("/report.csv", day=DAY)
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [row["kind"] for row in rows if row["table"] == "T-1"] == [
        "correction", "manual_card", "void", "override", "dispute",
    ]  # fmt: skip
    assert {row["table"] for row in rows} == {"T-1", "'=cmd|' /C calc'!A0"}
    [dispute] = [row for row in rows if row["kind"] == "dispute"]
    assert (dispute["reason"], dispute["persons"], dispute["time"][:10]) == ("'=HYPERLINK(1)", "7001 9001", DAY)
    assert not re.search(r'(^|,)"?[=+@-]', text, re.MULTILINE)


def test_the_history_is_searched_by_kind_table_and_time(looked: Looked, tmp_path: Path) -> None:
    for name in ("T-1", "T-2"):
        looked.filler.deliver(trouble(tmp_path / name, name))
    within = {"from": DAY, "to": DAY}
    assert "8 found" in looked.get("/irregularities", within)
    rows = rows_of(looked.get("/irregularities", within, kind="dispute", table="T-2"))
    assert len(rows) == 2
    assert "T-2" in rows[1]
    assert "Dispute" in rows[1]
    assert "reading G7" in rows[1]
    assert "The dispute is settled 7001, 9001 0:04" in rows[1]
    assert "0 found" in looked.get("/irregularities", {"from": "2026-11-22", "to": "2026-11-22"})


def test_plots_have_their_figures_beside_them(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(trouble(tmp_path))
    rows = rows_of(looked.get("/plots", {"from": DAY, "to": DAY}))
    assert "11-23 18:00 2 1" in rows
    assert "Misdeal reported 1" in rows
    assert "E00007" not in rows
    assert any(re.fullmatch(r"B00007 TCS Bee-Tek 1 3 T-1", row) for row in rows), rows
    rows = rows_of(looked.get("/plots", {"from": "2026-11-20", "to": DAY}))
    assert "11-23 00:00 2 1" in rows


def test_alarms_stand_before_all_else(looked: Looked, tmp_path: Path) -> None:
    for number in (1, 2, 10):
        more = {"event": "fault", "device": "shoe", "code": 3} if number == 2 else CLOSED
        looked.filler.deliver(written(tmp_path / str(number), *cards(*DEALT), more, name=f"T-{number}"))
    with looked.database.transaction() as db:
        raise_alarm(db, "T-10", "", Alarm("fork", "another line"))
    html = looked.get("/tables")
    troubles, tiles = html.split('class="tiles few"')
    assert re.findall(r'data-key="w-([^"]+)"', troubles)[:2] == ["T-10", "T-2"]
    assert "Fork: two different lines with one number" in troubles
    assert re.findall(r"data-key='t-([^']+)'", tiles) == ["T-1", "T-2", "T-10"]
    with looked.database.transaction() as db:
        raise_alarm(db, "T-3", "", Alarm("not_yours", "a certificate of table 'T-3' was used"))
    assert "a certificate of table &#39;T-3&#39; was used" in looked.get("/table", id="T-3")
    assert "<q class='player'>P</q>" in tiles
    assert "7001" in tiles


def test_no_card_that_lies_face_down_is_on_the_page(looked: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN, options={"deal": "face_down"})
    looked.filler.deliver(table.play([*opened(), *events(*cards(*DEALT))]))
    html = looked.get("/table", id="T-1")
    assert html.count('class="slot down"') == len(DEALT)
    assert not re.search(r'aria-label="(9♥|3♦|K♠|4♣)"', html)
    # A word of its own: the random token of the form may hold any two letters.
    assert not re.search(r"(?<![\w-])9H(?![\w-])", html)


def test_a_baccarat_table_has_its_roads_and_no_other_game(looked: Looked, tmp_path: Path) -> None:
    games: dict[str, Game] = {"T-1": "baccarat", "T-2": "casino_war"}
    for name, game in games.items():
        table = Played(tmp_path / name, name, game, BEGUN)
        looked.filler.deliver(table.play([*introduced(1), *shoe_game(game, 12)]))
    html = looked.get("/table", id="T-1")
    for road in ("bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_pig"):
        assert html.count(f'<figure class="{road}">') == 1
    # Each round is in the bead plate once.
    assert len(re.findall(r'data-key="bead_plate-\d+-\d+"', html)) == 12
    assert 'class="roads"' not in looked.get("/table", id="T-2")


def test_ids_and_texts_are_never_markup_or_query(looked: Looked, tmp_path: Path) -> None:
    book = written(tmp_path, *cards(*DEALT), {"event": "dispute", "detail": NASTY}, name=NASTY[:60])
    looked.filler.deliver(book)
    table = Played(tmp_path / "b", "B", "baccarat", BEGUN)
    named = notices.DeviceIdentified(
        device=NASTY, maker=NASTY, model=NASTY, serial=NASTY, firmware=NASTY, digest="", security_counter=1
    )
    who = notices.SignedIn(person=NASTY, role="croupier", place="terminal")
    fault = {"event": "fault", "device": NASTY, "code": NASTY}
    looked.filler.deliver(table.play([named, who, *events(fault)]))
    for path in PATHS:
        for query in ({}, {"id": NASTY[:60]}, {"id": "B"}, {"day": DAY}, {"from": DAY, "to": DAY}):
            looked.look()
            text = looked.client.get(path, params={"lang": "en", **query}).text
            if not path.endswith(".csv"):
                assert "<img" not in text
                assert "49%s" not in text
    for path, name in itertools.product(PATHS, ("table", "kind", "person", "day", "from", "to", "page", "id", "lang")):
        for value in (NASTY, "\0", "9" * 400, "2026-99-99") if name in ("day", "from", "page") else (NASTY, "\0"):
            answer = looked.client.get(path, params={name: value})
            assert answer.status_code in {200, 400, 404}, (path, name, value, answer.text)
            if not path.endswith(".csv"):
                assert "<img" not in answer.text
    assert "1 found" in looked.get("/irregularities", {"from": DAY, "to": DAY, "kind": "dispute"})


def test_pages_load_nothing_from_elsewhere_and_run_nothing_inline(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(written(tmp_path, *cards(*DEALT)))
    looked.look()
    for path in ("/tables", "/table?id=T-1", "/rounds", "/irregularities", "/plots", "/report"):
        answer = looked.client.get(path, headers={"Accept-Language": "fr, pt-PT;q=0.8, en;q=0.1"})
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert '<html lang="pt"' in answer.text
        assert not re.search(r'\son\w+=|style="|javascript:|(src|href)="(https?:)?//', answer.text)
        for link in re.findall(r'(?:src|href)="(/static/[^"?]+)', answer.text):
            assert looked.client.get(link).status_code == 200
    assert looked.client.get("/", headers={"Accept-Language": "zh-HK"}).headers["location"] == "/tables?lang=zh-Hant"
    assert looked.client.get("/tables", headers={"Host": "evil.example"}).status_code == 403
    assert looked.client.get("/table?id=none").status_code == 404


def test_a_gaming_day_begins_when_the_house_says(database: str, tmp_path: Path) -> None:
    with looked_at(database, tmp_path, PagesSettings(day_begins=6)) as looked:
        table = Played(tmp_path, "T-1", "baccarat", BEGUN - timedelta(hours=14))  # four in the morning of Macau
        looked.filler.deliver(table.play([*opened(), *events(*cards("2D", by_hand=True))]))
        assert "From 2026-11-22 06:00:00 to 2026-11-23 06:00:00, Macau" in looked.get("/report", day="2026-11-22")
        assert "Cards by hand · 1" in looked.get("/report", day="2026-11-22")
        assert "Cards by hand · 0" in looked.get("/report", day="2026-11-23")


def test_a_database_that_is_away_is_told(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(written(tmp_path))
    looked.look()
    away = Looked(Database("host=/nowhere dbname=none", 1), looked.filler, PagesSettings(), looked.entrance, "sven")
    assert away.client.get("/irregularities").status_code == 503
    looked.board.take(looked.board.tiles, "the database cannot be used")
    cover = looked.client.get("/tables?lang=en").text.split('<section id="cover"')[1]
    assert "hidden" not in cover.split(">")[0]


def test_every_seeded_game_can_be_looked_at(looked: Looked, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for game in ("blackjack", "casino_war", "q_poker"):
        told = shoe_game(game, 2, seed=rng.randrange(1000), mistakes=0.1)
        table = Played(tmp_path / game, game, game, BEGUN)
        looked.filler.deliver(table.play([*introduced(1), *told[: rng.randrange(10, len(told))]]))
        assert game in looked.get("/table", id=game)
    assert looked.get("/tables").count("data-key='t-") == 3


def test_cards_by_hand_are_one_line_a_table_and_figures_lead_to_their_rounds(looked: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path / "H", "H-1", "baccarat", BEGUN)
    by_hand = [*events(*cards(*DEALT, by_hand=True), CLOSED)] * 5
    looked.filler.deliver(table.play([*opened(), *by_hand]))
    looked.filler.deliver(trouble(tmp_path / "T"))
    html = looked.get("/report", day=DAY)
    section = html.split("<h2>Cards by hand · 21</h2>")[1].split("</section>")[0]
    assert [row for row in rows_of(section) if row.startswith(("H-1", "T-1"))] == [
        "H-1 Card entered 20 5 18:01:00 18:02:32 7001",
        "T-1 Card entered 1 1 18:01:28 18:01:28 7001",
    ]
    figures = re.findall(r'<a href="(/rounds\?[^"]*)">(\d+)</a>', html)
    assert figures
    for link, figure in figures:
        found = len(rows_of(looked.client.get(link.replace("&amp;", "&")).text)) - 1
        # An act is in one round; a round may have several.
        assert 1 <= found <= int(figure), link
        if "mark=" in link:
            assert found == int(figure), link


def test_the_rounds_of_the_report_are_those_of_the_search(looked: Looked, tmp_path: Path) -> None:
    games: dict[str, Game] = {"W-1": "casino_war", "J-1": "blackjack"}
    for name, game in games.items():
        played = Played(tmp_path / name, name, game, BEGUN)
        looked.filler.deliver(played.play([*introduced(1), *shoe_game(game, 5, seed=3)]))
    rows = list(csv.DictReader(io.StringIO(looked.get("/rounds.csv").removeprefix("\ufeff"))))
    report = looked.get("/report", day=DAY)
    section = report.split('<table class="matrix played">')[1].split("</table>")[0]
    for name in ("W-1", "J-1"):
        own = [row for row in rows if row["table"] == name]
        counted = sum(row["result"] != "" and row["demonstration"] == "0" for row in own)
        voided = sum(row["void"] == "1" for row in own)
        staked, win = sum(int(row["stakes"]) for row in own), sum(int(row["win"]) for row in own)
        shown = f"{name} {counted} {voided} {MOP.text(staked)} {MOP.text(win)}"
        assert shown in rows_of(section), rows_of(section)

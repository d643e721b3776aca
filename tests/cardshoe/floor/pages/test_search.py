"""The search for rounds: by each filter, by filters together, page by page, as CSV, and never by a card face down."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cardshoe.floor.facts.support import BEGUN, CLOSED, DEALT, cards, events, opened
from tests.cardshoe.floor.filling import Played, introduced, shoe_game
from tests.cardshoe.floor.pages.support import Looked, looked_at, rows_of, trouble
from tests.cardshoe.floor.postgres import needs_postgres

pytestmark = needs_postgres


@pytest.fixture
def looked(database: str, tmp_path: Path) -> Iterator[Looked]:
    with looked_at(database, tmp_path) as made:
        yield made


def found(looked: Looked, **query: str) -> list[str]:
    """Shoe and round of each round that a search finds, with its table."""
    rows = rows_of(looked.get("/rounds", query))[1:]
    return [row for row in rows if row != "None"]


def numbers(rows: list[str]) -> list[int]:
    return [int(re.search(r" 1 · (\d+) ", row)[1]) for row in rows]  # type: ignore[index]  # or the test fails


def test_each_filter_finds_its_rounds(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(trouble(tmp_path))
    assert numbers(found(looked)) == [3, 2, 1]
    for query, rounds in {
        ("table", "T-1"): [3, 2, 1],
        ("table", "T-2"): [],
        ("round", "2"): [2],
        ("card", "10h"): [],
        ("card", "9♥"): [1],
        ("card", "2C"): [1],
        ("result", "player"): [3, 1],
        ("result", "banker"): [],
        ("irregularity", "dispute"): [3],
        ("person", "9001"): [3, 2, 1],
        ("person", "9009"): [],
        ("act", "manual_card"): [2],
        ("act", "correction"): [1],
        ("mark", "void"): [2],
        ("since", "2026-11-23T18:01:25"): [3, 2],
        ("until", "2026-11-23T18:01:25"): [1],
        ("since", "2026-11-24T00:00"): [],
    }.items():
        assert numbers(found(looked, **dict([query]))) == rounds, query
    assert numbers(found(looked, act="correction", person="9001", result="player", card="9H")) == [1]
    assert found(looked, act="correction", result="banker") == []


def test_seats_stakes_and_the_casino_s_win_are_shown(looked: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "W-1", "casino_war", BEGUN)
    looked.filler.deliver(table.play([*introduced(1), *shoe_game("casino_war", 3, seed=5)]))
    assert len(found(looked)) == 3
    assert len(found(looked, seat="1")) == 1
    [sums] = looked.database.rows("SELECT sum(staked) AS staked, sum(house) AS house FROM rounds", {})
    [total] = looked.database.rows(
        "SELECT sum((w ->> 'stake')::bigint) AS staked, -sum((w ->> 'net')::bigint) AS house FROM entries, "
        "LATERAL regexp_split_to_table(rtrim(convert_from(lines, 'UTF8'), E'\\n'), E'\\n') line, "
        "LATERAL jsonb_array_elements(line::jsonb -> 'wagers') w WHERE line::jsonb ->> 'event' = 'settled'",
        {},
    )
    assert sums == total


def test_filters_are_links_and_can_be_removed(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(trouble(tmp_path))
    html = looked.get("/rounds", act="correction")
    assert 'href="/rounds?act=correction&amp;person=9001&amp;lang=en"' in html
    assert '<a class="filter" href="/rounds?lang=en" aria-label="Remove filter: Act">' in html
    for link in set(re.findall(r'href="(/rounds\?[^"]*)"', html)):
        assert looked.client.get(link.replace("&amp;", "&")).status_code == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"round": "x"}, "Write the number of a round with digits."),
        ({"round": "9" * 30}, "Write the number of a round with digits."),
        ({"since": "noon"}, "Write a time as 2026-11-24T21:30"),
        ({"since": "2026-11-24T10:00", "until": "2026-11-23T10:00"}, "the earlier one first."),
        ({"person": "x" * 201}, "A filter has at most 200 characters."),
        ({"card": "\0"}, "A filter has at most 200 characters."),
        ({"before": "x"}, "The rounds after this place cannot be found: search again."),
        ({"before": "2026-11-23T10:00|1|x|T-1"}, "The rounds after this place cannot be found: search again."),
    ],
)
def test_what_cannot_be_searched_is_said(looked: Looked, query: dict[str, str], said: str) -> None:
    assert said in looked.get("/rounds", query, 400)
    if "before" not in query:
        assert looked.client.get("/rounds.csv", query).status_code == 400


def test_pages_follow_each_other_without_gap_or_repetition(
    looked: Looked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardshoe.screens.rounds.search.PAGE_ROWS", 2)
    monkeypatch.setattr("cardshoe.screens.rounds.search.CHUNK_ROWS", 2)
    for name in ("T-1", "T-2"):
        looked.filler.deliver(trouble(tmp_path / name, name))
    html, seen = looked.get("/rounds"), list[str]()
    while True:
        seen += re.findall(r'href="(/rounds/[0-9a-f]{32}/\d+)', html)
        if (older := re.search(r'rel="next" href="([^"]*)"', html)) is None:
            break
        html = looked.client.get(older[1].replace("&amp;", "&")).text
    assert (len(seen), len(set(seen))) == (6, 6)
    rows = list(csv.DictReader(io.StringIO(looked.get("/rounds.csv").removeprefix("\ufeff"))))
    assert [f"/rounds/{row['log']}/{row['seq']}" for row in rows] == seen


def test_the_export_has_all_and_is_recorded(looked: Looked, tmp_path: Path) -> None:
    looked.filler.deliver(trouble(tmp_path))
    [row] = csv.DictReader(io.StringIO(looked.get("/rounds.csv", act="correction").removeprefix("\ufeff")))
    assert (row["time"], row["table"], row["result"], row["cards"]) == (
        "2026-11-23T18:01:12+08:00", "T-1", "player", "2C 3D 9H KS",
    )  # fmt: skip
    [record] = looked.database.rows("SELECT person, detail FROM visits WHERE what = 'rounds_exported'", {})
    assert record == {"person": "sara", "detail": "act=correction"}


def test_a_card_face_down_is_not_found(looked: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN, options={"deal": "face_down"})
    fault = {"event": "fault", "device": "shoe", "code": 3}
    void = {"event": "resolve", "irregularity": 1, "action": "void", "by": ["7001", "9001"]}
    looked.filler.deliver(table.play([*opened(), *events(*cards(*DEALT[:3]), fault, void, CLOSED)]))
    assert len(found(looked)) == 1
    for card in DEALT[:3]:
        assert found(looked, card=card) == []

"""The page of one round: what it shows, that its proof is really verified, and who took it away."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from cardshoe.floor.facts.fold import LogFold
from cardshoe.journal.file.chain import lines_of
from cardshoe.journal.reading.proving import check_proof
from cardshoe.screens.rounds.fact import RoundFact
from cardshoe.screens.rounds.parts import RoundStart
from cardshoe.screens.rounds.sums import sums_of, tags_of
from cardshoe.screens.rounds.whole import whole_round
from regulations.events.inputs import Loaded, RoundClosed
from regulations.events.vocabulary import Game
from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.facts.support import BEGUN, CLOSED, DEALT, cards, events, opened, written
from tests.cardshoe.floor.filling import Played, introduced, shoe_game
from tests.cardshoe.floor.pages.support import DAY, Looked, line_of, log_of, looked_at, rows_of, trouble
from tests.cardshoe.floor.postgres import needs_postgres

pytestmark = needs_postgres


@pytest.fixture
def looked(database: str, tmp_path: Path) -> Iterator[Looked]:
    with looked_at(database, tmp_path) as made:
        yield made


@pytest.mark.parametrize("game", ["baccarat", "blackjack", "casino_war", "q_poker", "three_card_baccarat"])
def test_a_round_s_entries_alone_tell_what_the_whole_log_told(tmp_path: Path, game: Game) -> None:
    played = shoe_game(game, 6, seed=5, mistakes=0.1)
    entries = Played(tmp_path, "T-1", game, BEGUN).play([*introduced(1), *played]).entries
    fold, facts, kept = LogFold(), dict[int, RoundFact](), dict[int, bytes]()
    for number, data in enumerate(entries):
        for fact in fold.take(number, data):
            if isinstance(fact, RoundFact):
                facts[fact.round], kept[fact.round] = fact, msgspec.json.encode(fold.state.rounds.facts)
    assert len(facts) >= 3
    for number, fact in facts.items():
        start = msgspec.json.decode(fact.start, type=RoundStart)
        own = [(at, lines_of(entries[at])) for at in range(fact.entry, fact.last_entry + 1)]
        whole = whole_round(lines_of(entries[1]), start, own)
        assert msgspec.json.encode(whole.facts) == kept[number]
        assert tags_of(whole.facts, whole.found, whole.profile) == fact.tags
        assert (sums_of(whole.found).staked, sums_of(whole.found).house) == (fact.staked, fact.house)


def test_tile_and_table_lead_to_the_round(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book)
    for page, query in (("/tables", {}), ("/table", {"id": "T-1"})):
        found = re.findall(r'class="to-round" href="(/rounds/[^"?]+)', looked.get(page, query))
        assert found
        assert "<h1>Round 3" in looked.get(found[-1])


def test_a_tile_counts_rounds_within_the_shoe_game(looked: Looked, tmp_path: Path) -> None:
    told = shoe_game("casino_war", 8)
    table = Played(tmp_path, "T-1", "casino_war", BEGUN)
    book = table.play([*introduced(1), *told])
    looked.filler.deliver(book)
    loaded = [number for number, event in enumerate(told) if isinstance(event, Loaded)]
    of_last = sum(isinstance(event, RoundClosed) for event in told[loaded[-1] :])
    assert len(loaded) > 1
    assert f">{len(loaded)}·{of_last}</" in looked.get("/tables")


def test_between_rounds_a_tile_says_the_round_that_it_leads_to(looked: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "casino_war", BEGUN)
    told = shoe_game("casino_war", 8)
    first, second = [number for number, event in enumerate(told) if isinstance(event, RoundClosed)][:2]
    for since, until, said in ((0, first, "1·1"), (first + 1, second, "1·2")):
        book = table.play([*(introduced(1) if since == 0 else ()), *told[since : until + 1]])
        looked.filler.deliver(book)
        (path, text), *_ = re.findall(r'class="to-round" href="(/rounds/[^"?]+)[^>]*>([^<]+)<', looked.get("/tables"))
        assert text == said
        assert f"<h1>Round {said[-1]}" in looked.get(path)


def test_a_corrected_round_is_shown_before_and_after(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book)
    looked.look()
    html = looked.get(f"/rounds/{log_of(book)}/{line_of(book, 'card')}")
    assert "Signature and inclusion verified" in html
    assert "<h2>Correction · Name the card</h2>" in html
    before, after = html.split('<div class="half">')[1:3]
    assert "<h3>Before · Player</h3>" in before
    assert ("4♣" in before, "2♣" in before, "4♣" in after.split("</div></section>")[0]) == (True, False, False)
    rows = rows_of(html)
    assert any(re.match(r"4 2 2C Banker · card 2 shoe corrected \d+ corrected from 4 4C", row) for row in rows), rows
    assert any(re.match(r"1 18:.* Misdeal reported · A card was entered wrongly", row) for row in rows), rows
    assert "7001 <small>Croupier</small>" in html
    assert "55/2004" in html


def test_cards_by_hand_and_a_void_are_marked(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book)
    looked.look()
    html = looked.get(f"/rounds/{log_of(book)}/{line_of(book, 'card', 2)}")
    assert '<mark class="bad">Void</mark>' in html
    assert any(row.startswith("1 2 2D Player · card 1 entered by hand") for row in rows_of(html))


def test_any_line_of_a_round_leads_to_its_first(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book)
    looked.look()
    log, first = log_of(book), line_of(book, "card")
    answer = looked.client.get(f"/rounds/{log}/{line_of(book, 'misdeal')}?lang=pt")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/rounds/{log}/{first}?lang=pt")
    for wrong in (f"{log}/1", f"{log}/99999", f"{log}/x", f"{'0' * 32}/{first}", f"{log}/{'9' * 40}"):
        assert looked.client.get(f"/rounds/{wrong}").status_code == 404
        assert looked.client.get(f"/rounds/{wrong}/proof").status_code == 404


def test_the_proof_is_downloaded_and_recorded(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book)
    looked.look()
    log, first = log_of(book), line_of(book, "card")
    answer = looked.client.get(f"/rounds/{log}/{first}/proof")
    assert answer.headers["content-disposition"] == f'attachment; filename="cardshoe-{log[:8]}-{first}.json"'
    assert check_proof(answer.content).round == 1
    [record] = looked.database.rows("SELECT person, detail FROM visits WHERE what = 'proof_downloaded'", {})
    assert record == {"person": "sara", "detail": f"T-1 {log}:{first} round 1"}
    looked.get("/report.csv", day="2026-11-23")
    [record] = looked.database.rows("SELECT person, detail FROM visits WHERE what = 'report_exported'", {})
    assert record == {"person": "sara", "detail": "lang=en&day=2026-11-23"}


def test_an_altered_entry_is_not_verified(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book)
    looked.look()
    log, first = log_of(book), line_of(book, "card")
    with looked.database.transaction() as db:
        db.execute(
            "UPDATE entries SET lines = convert_to(replace(convert_from(lines, 'UTF8'), '\"9H\"', '\"9D\"'), 'UTF8') "
            "WHERE events[1] = 'card' AND round = 1"
        )
    html = looked.get(f"/rounds/{log}/{first}")
    assert "Signature and inclusion verified" not in html
    assert re.search(r"<b>Not verified</b> <span lang=\"en\">entry \d+ is not among those", html)
    assert looked.client.get(f"/rounds/{log}/{first}/proof").status_code == 409
    assert looked.database.rows("SELECT person FROM visits WHERE what = 'proof_downloaded'", {}) == []


def test_an_open_round_is_shown_and_not_verified(looked: Looked, tmp_path: Path) -> None:
    book = written(tmp_path, *cards(*DEALT[:2]))
    looked.filler.deliver(book)
    looked.look()
    html = looked.get(f"/rounds/{log_of(book)}/{line_of(book, 'card')}")
    assert "<mark>Round open</mark>" in html
    assert "Not verified" in html


def test_a_card_that_was_never_disclosed_stays_face_down(looked: Looked, tmp_path: Path) -> None:
    table = Played(tmp_path, "T-1", "baccarat", BEGUN, options={"deal": "face_down"})
    fault = {"event": "fault", "device": "shoe", "code": 3}
    void = {"event": "resolve", "irregularity": 1, "action": "void", "by": ["7001", "9001"]}
    book = table.play([*opened(), *events(*cards(*DEALT[:3]), fault, void, CLOSED)])
    looked.filler.deliver(book)
    looked.look()
    html = looked.get(f"/rounds/{log_of(book)}/{line_of(book, 'card')}")
    assert html.count("<em>face down</em>") == 3
    assert not re.search(r"9♥|3♦|K♠|(?<![\w-])(9H|3D|KS)(?![\w-])", html)
    [row] = looked.database.rows("SELECT tags FROM rounds", {})
    assert not [one for one in row["tags"] if one.startswith("card:")]


def test_irregularities_and_report_link_to_their_rounds(looked: Looked, tmp_path: Path) -> None:
    book = trouble(tmp_path)
    looked.filler.deliver(book)
    looked.look()
    history = looked.get("/irregularities", {"from": DAY, "to": DAY})
    for html in (history, looked.get("/report", day=DAY)):
        links = set(re.findall(r'href="(/rounds/[0-9a-f]{32}/\d+)\?', html))
        assert links
        for link in links:
            assert looked.client.get(link).status_code in {200, 303}


def test_page_search_report_and_terminal_have_the_same_figures(looked: Looked, tmp_path: Path) -> None:
    games: dict[str, Game] = {"W-1": "casino_war", "J-1": "blackjack"}
    day = {"rounds": 0, "staked": 0, "house": 0}
    for name, game in games.items():
        played = Played(tmp_path / name, name, game, BEGUN)
        book = played.play([*introduced(1), *shoe_game(game, 4, seed=3, mistakes=0.1)])
        looked.filler.deliver(book)
        looked.look()
        [journal] = (tmp_path / name).glob("*.journal")
        rows = csv.DictReader(io.StringIO(looked.get("/rounds.csv", table=name).removeprefix("\ufeff")))
        for row in rows:
            html = looked.get(f"/rounds/{row['log']}/{row['seq']}")
            paid, taken = (_amount(html, text) for text in ("Paid to players", "Taken from players"))
            shown = {"stakes": row["stakes"], "win": row["win"]}
            assert shown == {"stakes": str(_amount(html, "Stakes decided")), "win": str(taken - paid)}
            said = answered("log", journal, "--words", "--round", row["round"]).stdout.decode().splitlines()[-1]
            if shown["stakes"] != "0":
                units = [round(float(one.replace(",", "")) * 100) for one in re.findall(r"(-?[\d,.]+) MOP", said)]
                assert (str(units[0]), units[1], units[2], str(units[4])) == (row["stakes"], paid, taken, row["win"])
            day["rounds"] += row["result"] != "" and row["demonstration"] == "0"
            day["staked"] += int(row["stakes"])
            day["house"] += int(row["win"])
    section = looked.get("/report", day=DAY).split('<table class="matrix played">')[1].split("</table>")[0]
    last = rows_of(section)[-1].split()
    assert (last[0], int(last[1])) == ("All", day["rounds"])
    assert [round(float(one.replace(",", "")) * 100) for one in last[3:]] == [day["staked"], day["house"]]


def _amount(html: str, label: str) -> int:
    """An amount of the totals of a round's page, minor units."""
    found = re.search(rf"<dt>{label}</dt><dd>(-?[\d,.]+)</dd>", html)
    assert found is not None, label
    return round(float(found[1].replace(",", "")) * 100)

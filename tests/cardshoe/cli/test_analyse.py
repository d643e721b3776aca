"""``cardshoe analyse`` on journals that the simulated croupier played: report, page, exit codes."""

import json
import random
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from cardshoe.analysis.account import ShoeWealth
from cardshoe.analysis.runs import DensestBand, Run
from cardshoe.analysis.shoe import CardSpot, Shoe
from cardshoe.analysis.verdict import ShoeComparison, ShoeGroup
from cardshoe.cli.analysing.found import reach_of
from regulations.events.cards import DECK
from regulations.events.codec import encode
from regulations.events.inputs import Table
from sim.croupier.instructions import HouseInstructions
from sim.shuffling import Shuffling
from tests.cardshoe.cli.journals import entries_of, forge, journal_of
from tests.cardshoe.cli.support import GAME, PROFILE, Line, answered
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.sim.croupier.plain_table import PlainTable


class Tags(HTMLParser):
    """The names of the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  its signature
        self.seen.append(tag)


BURNED = ("7H", "2C", "QS", "JD", "AS", "4H", "9D", "3C")


def played(path: Path, way: str) -> Path:
    """A journal of two shoes of baccarat from a plain shoe that reads its cards."""
    profile = msgspec.convert({key: value for key, value in PROFILE.items() if key != "event"}, Table)
    table = msgspec.structs.replace(profile, pick_up="player_first")
    player = PlainTable(7, table, orders=HouseInstructions(games=2), reads=True)
    player.hands.shuffle_by(Shuffling(way))
    player.run()
    lines: list[Line] = [json.loads(encode(event)) for event, _ in player.log]
    return journal_of(path, lines)


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Journals by the way in which their cards were shuffled."""
    folder = tmp_path_factory.mktemp("analyse")
    return {way: played(folder / f"{way.replace(':', '-')}.journal", way) for way in ("uniform", "never")}


def test_shuffled_cards_pass(journals: dict[str, Path]) -> None:
    done = answered("analyse", journals["uniform"])
    text = done.stdout.decode()
    assert done.returncode == 0, text
    assert text.startswith(
        "table B-101: no sign of a flawed shuffle\n  A person who knew the last shoe would have guessed"
    )
    assert "2 shoes, 1 of them compared with the shoe before" in text
    # Never "passes" without what was out of reach.
    assert "Could not be found: " in text
    assert "two passes of 10 shelves: never found" in text
    assert "38 shelves: needs 10 shoes, there was 1" in text
    assert "doubts in 1 of 1,000" in text


def test_kept_cards_are_doubted(journals: dict[str, Path]) -> None:
    done = answered("analyse", journals["never"])
    text = done.stdout.decode()
    assert done.returncode == 3, text
    assert text.startswith("table B-101: DOUBT")
    assert "cards in a row came in the old order" in text


def test_a_program_gets_everything(journals: dict[str, Path]) -> None:
    done = answered("analyse", "--json", journals["never"])
    report = json.loads(done.stdout)
    assert done.returncode == 3
    (group,) = report["groups"]
    assert (group["name"], group["outcome"], group["limit"]) == ("table B-101", "doubt", 2000.0)
    assert group["wealth"] > 1e100
    assert group["guesses"]["right"] > 300
    assert group["guesses"]["by_chance"] < 50
    first, second = group["shoes"]
    assert (first["compared_with"], second["compared_with"]) == ([], [1])
    assert second["common_run"]["cards"] > 100
    assert {"near 5", "beside 1", "common run", "rank and place"} <= {test["name"] for test in group["tests"]}
    assert report["powers"]


def test_a_page_has_three_plots(journals: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert answered("analyse", journals["never"], "--html", page).returncode == 3
    text = page.read_text()
    reader = Tags()
    reader.feed(text)
    assert reader.seen.count("svg") == 3
    assert "src=" not in text
    assert "href=" not in text
    assert "DOUBT" in text


def test_burned_cards_count_where_the_key_opens_them(journals: dict[str, Path]) -> None:
    known = [
        json.loads(answered("analyse", "--json", *more, journals["uniform"]).stdout)["groups"][0]["shoes"][0]["known"]
        for more in ([], ["--open"])
    ]
    assert known[1] >= known[0] > 350


def test_shoes_of_a_person(journals: dict[str, Path]) -> None:
    done = answered("analyse", "--by-person", journals["uniform"])
    assert done.stdout.decode().startswith("no croupier signed in: ")


def test_one_shoe_says_too_little(tmp_path: Path) -> None:
    # The burned cards of GAME are a run of new decks: this shoe's are not.
    lines = [{**line, "card": other} for line, other in zip(GAME[5:13], BURNED, strict=True)]
    done = answered("analyse", journal_of(tmp_path / "a.journal", [*GAME[:5], *lines, *GAME[13:], {"event": "closed"}]))
    assert done.returncode == 4
    assert "A verdict needs 120 pairs of known neighbours; there are 0." in done.stdout.decode()


def test_an_open_shoe_is_left_out(tmp_path: Path) -> None:
    done = answered("analyse", journal_of(tmp_path / "a.journal"))
    assert done.returncode == 1
    assert b"no shoe is over" in done.stderr


def test_a_forged_journal_is_an_error(tmp_path: Path) -> None:
    path = journal_of(tmp_path / "a.journal", [*GAME, {"event": "closed"}])
    (number,) = [
        one.number for one in entries_of(path) if b'"event":"dealt"' in one.data and b'"card":"9H"' in one.data
    ]
    forge(path, number, b"9H", b"8H")
    done = answered("analyse", path)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_a_missing_journal_is_an_error(tmp_path: Path) -> None:
    assert answered("analyse", tmp_path / "none.journal").returncode == 1


def test_what_an_analysis_needs_is_in_the_journal(tmp_path: Path) -> None:
    """Pick-up, set and batch shuffler are recorded as persons enter them; both verifiers accept the journal."""
    profile = {**PROFILE, "pick_up": "banker_first_turned"}
    shuffled = {**GAME[1], "device": "deckmate", "origin": "person"}
    over = [*GAME[2:4], {**GAME[4], "set": "red"}, *GAME[5:], {"event": "closed"}]
    path = journal_of(tmp_path / "a.journal", [profile, shuffled, *over])
    assert by_the_verifier(path)[0] == 0
    assert answered("verify", path).returncode == 0
    (group,) = json.loads(answered("analyse", "--json", path).stdout)["groups"]
    assert group["name"] == "device deckmate"
    assert (group["shoes"][0]["set"], group["shoes"][0]["device"]) == ("red", "deckmate")


def captured(path: Path, way: str, count: int = 3) -> Path:
    """Shuffles of one deck, as a laboratory writes them down."""
    rng, shuffling, lines = random.Random(4), Shuffling(way), []
    cards = shuffling(list(DECK), rng)
    for _ in range(count):
        before, cards = cards, shuffling(cards, rng)
        lines.append(json.dumps({"before": before, "after": cards}))
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(("way", "code"), [("uniform", 0), ("riffle:2", 3)])
def test_shuffles_of_a_laboratory(tmp_path: Path, way: str, code: int) -> None:
    done = answered("analyse", "--capture", captured(tmp_path / "lab.jsonl", way))
    assert done.returncode == code, done.stdout
    assert done.stdout.decode().startswith("capture lab.jsonl: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no shuffle in it"),
        ("{}", "line 1: Object missing required field"),
        ('{"before":["AS"],"after":["AS"]}', "line 1: 1 cards before and 1 after are not the same whole decks"),
        (json.dumps({"before": ["AS"] * 52, "after": ["AS"] * 52}), "line 1: 52 cards AS of 1 decks"),
        ('{"before":["1S"],"after":[]}', "line 1: Invalid enum value '1S'"),
    ],
)
def test_a_bad_capture(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "lab.jsonl"
    path.write_text(text)
    done = answered("analyse", "--capture", path)
    assert done.returncode == 1
    assert reason in done.stderr.decode()


def test_nothing_to_analyse() -> None:
    done = answered("analyse")
    assert done.returncode == 2
    assert b"Name a journal" in done.stderr


def one_deck(count: int) -> ShoeGroup:
    """Shuffles of one deck of which twelve cards were seen each."""
    shoes = [Shoe("T", 1, at + 1, rounds=[[CardSpot("seat", 1, 1, face) for face in range(12)]]) for at in range(count)]
    compared = [
        ShoeComparison(
            shoe=shoe,
            before=before,
            order=None,
            played=ShoeWealth(),
            near=[],
            beside=[],
            run=Run(0, 1.0),
            band=DensestBand(0, 1.0),
        )
        for shoe, before in zip(shoes, [[], *[[shoe] for shoe in shoes]], strict=False)
    ]
    return ShoeGroup(name="T", shoes=compared)


@pytest.mark.parametrize(("count", "found"), [(6, False), (7, True)])
def test_few_cards_seen_show_little(count: int, found: bool) -> None:
    reach = reach_of(one_deck(count))
    assert ("a shoe that was only cut (needs 6 shoes)" in reach.found) is found
    assert not reach.perhaps
    assert any(one.startswith("10 shelves: needs 18 shoes") for one in reach.missed)

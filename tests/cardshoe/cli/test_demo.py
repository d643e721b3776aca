"""``cardshoe demo``: the whole table with nothing plugged in."""

import re
import signal
from pathlib import Path
from typing import get_args

import pytest

from cardshoe.journal import read_only
from cardshoe.table.terminal.formatting import COLUMNS
from regulations.events.vocabulary import EquipmentKind
from regulations.games.registry import GAMES
from sim.players import Strategy
from tests.cardshoe.cli.journals import log_of
from tests.cardshoe.cli.support import answered, cardshoe
from tests.kit.command import Command

SUMMARY = [
    "shoe games finished",
    "rounds closed",
    "cards",
    "wagered",
    "house",
    "irregularities",
    "settled by",
    "refused",
    "journal",
]


def played(folder: Path, *options: str) -> str:
    done = answered("demo", "--plain", "--journals", folder, "--speed", "1000", *options)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def summary_of(said: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in said.rpartition("\n\n")[2].splitlines():
        name = line[:21].strip() or list(found)[-1]
        found[name] = f"{found.get(name, '')} {line[21:]}".strip()
    # Where a round has several hands, these are counted in a line of their own.
    assert [name for name in found if name != "hands decided"] == SUMMARY
    return found


def cards_and_wagers(folder: Path) -> list[tuple[str, object]]:
    return [
        (line["event"], line.get("card") or line.get("wagers"))
        for line in log_of(folder)
        if line["event"] in {"card", "bets_closed"}
    ]


def test_three_rounds_end_with_a_summary_and_a_verified_journal(tmp_path: Path) -> None:
    said = played(tmp_path, "--rounds", "3", "--seed", "7")
    found = summary_of(said)
    assert said.startswith("seed 7, speed 1000, mistakes 0.01\n")
    assert found["rounds closed"].startswith("3 (")
    assert re.fullmatch(rf"{tmp_path}/demo-.*\.journal \(\d+ entries, verified\)", found["journal"])
    events = [line["event"] for line in log_of(tmp_path)]
    assert events[0] == "table"
    assert events.count("result") == 3
    assert events[-2:] == ["closed", "next"]


def test_what_one_sees_reads_down_the_left_side(tmp_path: Path) -> None:
    said = played(tmp_path, "--rounds", "3", "--seed", "7", "--mistakes", "0")
    assert "→ shuffle the cards   [55/2004 art. 2.º-1]" in said
    assert "── round 1 ─" in said
    assert re.search(r"^  player 1  \S+ +→ draw for banker, card 1   \[55/2004 art\. 7\.º-1\]$", said, re.MULTILINE)
    assert re.search(
        r"^  (PLAYER wins|BANKER wins|TIE).*   \[55/2004.*\n    player \d \(.*\)   banker \d \(", said, re.MULTILINE
    )
    assert max(map(len, said.rpartition("\n\n")[0].splitlines())) <= COLUMNS
    assert re.search(r"^    seat \d (bettor 2 )?\w+ +[\d,.]+ → +[+-]?[\d,.]+   \[55/2004 art\. ", said, re.MULTILINE)
    assert summary_of(said)["irregularities"] == "none"
    assert summary_of(said)["refused"] == "none"


def test_irregularities_are_seen_with_how_they_were_settled(tmp_path: Path) -> None:
    said = played(tmp_path, "--rounds", "12", "--seed", "7", "--mistakes", "0.5")
    assert re.search(r"^  IRREGULARITY \d+ \w+( \S+)?: ", said, re.MULTILINE)
    assert re.search(r"^ +→ resolve irregularity \d+: \w+", said, re.MULTILINE)
    assert "ways out:" not in said
    assert re.search(r"^  irregularity \d+ resolved: \w+, by .*\[", said, re.MULTILINE)
    found = summary_of(said)
    assert found["irregularities"] != "none"
    assert "→" in found["settled by"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_table_that_is_not_told_the_stakes(tmp_path: Path, game: str) -> None:
    said = played(tmp_path, game, "--rounds", "8", "--seed", "7", "--mistakes", "0", "--untracked")
    assert re.search(r"^    (seat \d|all  ) .* 1 → +([+-]?\d+(/\d+)?|carried),?.*\[", said, re.MULTILINE)
    found = summary_of(said)
    assert (found["wagered"], found["house"], found["refused"]) == ("not told", "not told", "none")
    wagers = [one for line in log_of(tmp_path) if "wagers" in line for one in line["wagers"]]
    assert wagers
    assert not any("stake" in one or "net" in one for one in wagers)


@pytest.mark.parametrize("mistakes", ["0", "0.3"])
def test_the_same_seed_plays_the_same_cards_and_wagers(tmp_path: Path, mistakes: str) -> None:
    for name in "one", "two":
        played(tmp_path / name, "--rounds", "6", "--seed", "5", "--mistakes", mistakes)
    assert cards_and_wagers(tmp_path / "one") == cards_and_wagers(tmp_path / "two") != []


def test_another_seed_plays_others(tmp_path: Path) -> None:
    for seed in "1", "2":
        played(tmp_path / seed, "--rounds", "1", "--seed", seed)
    assert cards_and_wagers(tmp_path / "1") != cards_and_wagers(tmp_path / "2")


def test_without_rounds_it_plays_one_shoe_game_to_its_cut_card(tmp_path: Path) -> None:
    said = played(tmp_path, "--seed", "11", "--mistakes", "0")
    found = summary_of(said)
    assert found["shoe games finished"] == "1"
    assert 60 < int(found["rounds closed"].split()[0]) < 100
    assert 395 < int(found["cards"]) <= 416
    assert (found["irregularities"], found["refused"]) == ("none", "none")
    assert "  LAST ROUND   [" in said
    events = [line["event"] for line in log_of(tmp_path)]
    assert (events.count("cut_card"), events.count("shoe_over")) == (1, 1)


def test_a_croupier_of_many_mistakes_gets_through_a_shoe(tmp_path: Path) -> None:
    found = summary_of(played(tmp_path, "--seed", "12", "--mistakes", "0.3"))
    assert found["shoe games finished"] == "1"
    assert "card_not_due" in found["irregularities"]
    assert "next_round" in found["settled by"]
    opened = [line["irregularity"] for line in log_of(tmp_path) if line["event"] == "irregularity"]
    assert opened == list(range(1, len(opened) + 1))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with Command("demo", "--journals", tmp_path, "--speed", "60", "--seed", "3") as demo:
        said = demo.until(lambda line: line.startswith("── round 1 ─"))
        demo.send(number)
        said += demo.rest()
        assert (demo.end(), demo.errors()) == (0, "")
    found = summary_of("\n".join(said))
    assert found["shoe games finished"] == "0"
    assert log_of(tmp_path)[-1]["event"] == "next"


def test_json_prints_the_log_and_nothing_else(tmp_path: Path) -> None:
    done = cardshoe("demo", "--journals", tmp_path, "--speed", "1000", "--rounds", "2", "--seed", "4", "--json")
    assert done.returncode == 0
    (journal,) = tmp_path.glob("*.journal")
    with read_only(journal) as evidence:
        assert done.stdout.splitlines() == [line for entry in evidence.entries() for line in entry.lines]
    assert b"rounds closed        2" in done.stderr


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--rounds", "0"), "0 is not in the range x>=1"),
        (("--speed", "5000"), "5000.0 is not in the range"),
        (("--mistakes", "2"), "2.0 is not in the range"),
        (("--seed", "-1"), "-1 is not in the range"),
        (("--strategy", "clever"), "'clever' is not one of 'random', 'basic'"),
        (("--equipment", "box"), "baccarat cannot be dealt from 'box'"),
        (
            ("--equipment", "angel_eye", "--linked"),
            "baccarat cannot be dealt from 'angel_eye' that reports its cards itself",
        ),
        (
            ("q_poker", "--equipment", "box", "--linked"),
            "q_poker cannot be dealt from 'box' that reports its cards itself",
        ),
        (("--shuffle", "sorted"), "there is no way to shuffle that is called 'sorted'"),
        (("--shuffle", "never", "--equipment", "shuffler_dealer"), "a shuffler-dealer deals any of its cards"),
        (("--language", "fr"), "'fr' is not one of 'zh-Hant', 'pt', 'en'"),
        (("--language", "pt", "--language", "en", "--language", "zh-Hant"), "give one or two languages"),
        (("--listen", "0.0.0.0:0"), "can be reached from other machines"),
        (("pontoon",), "the game 'pontoon' is not enforced by this edition"),
    ],
)
def test_impossible_options(tmp_path: Path, options: tuple[str, ...], reason: str) -> None:
    done = answered("demo", "--journals", tmp_path, *options)
    assert done.returncode == 2
    assert reason in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = cardshoe("demo", "--journals", tmp_path / "file" / "below", "--rounds", "1", "--seed", "1")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"cardshoe: ")


def equipments() -> list[tuple[str, EquipmentKind]]:
    return [(name, kind) for name, game in GAMES.items() for kind in game.law.equipment]


@pytest.mark.parametrize(("game", "equipment"), equipments())
@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_every_game_is_played_from_plain_equipment(
    tmp_path: Path, game: str, equipment: EquipmentKind, strategy: str
) -> None:
    options = ["--rounds", "4", "--seed", "9", "--mistakes", "0", "--strategy", strategy]
    said = played(tmp_path, game, "--equipment", equipment, *options)
    found = summary_of(said)
    assert found["rounds closed"].startswith("4 (")
    assert (found["irregularities"], found["refused"]) == ("none", "none")
    lines = log_of(tmp_path)
    assert (lines[0]["game"], lines[0]["equipment"]) == (game, equipment)
    # Wagers that a tie held are returned after `closed` (reading B12).
    ends = [line["event"] for line in lines if line["event"] != "voided"]
    assert ends[-2:] == ["closed", "next"]


@pytest.mark.parametrize(
    ("game", "equipment"), [("casino_war", "shoe"), ("casino_war", "shuffler_dealer"), ("q_poker", "shuffler")]
)
def test_machines_tell_of_their_cards_themselves(tmp_path: Path, game: str, equipment: EquipmentKind) -> None:
    # The other games at the same machines: tests/scenarios/test_every_equipment.py.
    options = ["--linked", "--equipment", equipment, "--rounds", "3", "--seed", "9", "--mistakes", "0"]
    found = summary_of(played(tmp_path, game, *options))
    assert found["rounds closed"].startswith("3 (")
    assert (found["irregularities"], found["refused"]) == ("none", "none")
    cards = [line for line in log_of(tmp_path) if line["event"] == "card"]
    assert cards
    assert all(line["device"] == equipment and ("raw" in line or "sealed" in line) for line in cards)


def test_without_equipment_the_first_machine_is_taken_that_the_game_admits(tmp_path: Path) -> None:
    played(tmp_path, "three_card_baccarat", "--linked", "--rounds", "1", "--seed", "9", "--mistakes", "0")
    assert log_of(tmp_path)[0]["equipment"] == "shoe"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_is_played_with_mistakes_from_the_equipment_that_is_usual(tmp_path: Path, game: str) -> None:
    options = ["--rounds", "8", "--seed", "9", "--mistakes", "0.2", "--strategy", "random"]
    found = summary_of(played(tmp_path, game, *options))
    assert found["rounds closed"].startswith("8 (")
    assert (found["irregularities"], found["refused"]) != ("none", "none")


def test_without_rounds_a_game_without_long_stacks_is_played_for_twenty(tmp_path: Path) -> None:
    found = summary_of(played(tmp_path, "q_poker", "--seed", "9", "--mistakes", "0"))
    assert found["rounds closed"].startswith("20 (")
    assert found["shoe games finished"] == "20"


def test_plain_equipment_that_reads_leaves_nothing_unread(tmp_path: Path) -> None:
    options = ["--equipment", "shoe", "--rounds", "2", "--seed", "9", "--mistakes", "0"]
    for folder, more in (("unread", []), ("read", ["--reads"])):
        played(tmp_path / folder, *options, *more)
        unseen = [line for line in log_of(tmp_path / folder) if line["event"] == "card" and line.get("unseen")]
        # Only the eight burned cards lie face down in a game that is dealt open.
        assert len(unseen) == (0 if more else 8)

"""``cardshoe log`` as it is asked: in words, by round, time, seat, irregularity, card and event."""

from pathlib import Path
from typing import Final

import pytest

from tests.cardshoe.cli.journals import STARTED, journal_of
from tests.cardshoe.cli.support import PROFILE, ROUND, STACK, answered, cardshoe, invoke, parsed
from tests.kit.running_table import write_config

NOT_DUE: Final = [
    *ROUND[:-1],
    {"event": "card", "card": "7D"},
    {"event": "resolve", "irregularity": 1, "action": "burn", "by": [7]},
    {"event": "round_closed"},
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return journal_of(tmp_path_factory.mktemp("log") / "b-101.journal", [PROFILE, *STACK, *ROUND, *NOT_DUE])


def test_a_journal_in_words_round_by_round(path: Path) -> None:
    done = answered("log", "--words", "--round", "2", path)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode().splitlines()
    assert said[0].startswith("── round 2, 2026-01-05 UTC, from line ")
    assert said[1:7] == [
        "10:00:00  bets closed: 1 wager, 100.00 MOP",
        "            seat 1 banker 100.00 MOP",
        "10:00:00    player 1  9♥",
        "10:00:00    banker 1  3♦",
        "10:00:00    player 2  K♠",
        "10:00:00    banker 2  4♣",
    ]
    assert said[7].strip().startswith("PLAYER wins (natural)")
    assert any(line.startswith("10:00:00    IRREGULARITY 1 card_not_due: ") for line in said)
    assert said[-2] == "10:00:00    round closed"
    totals = "wagers 1, stakes 100.00 MOP, paid 0.00 MOP, taken 100.00 MOP, returned 0.00 MOP, casino's win 100.00 MOP"
    assert said[-1] == f"round 2: {totals}"
    assert answered("log", "--words", path).stdout.decode().count("── round ") == 2


def test_times_as_the_wall_clock_in_macau_has_them(path: Path) -> None:
    said = invoke("log", "--words", "--macau", "--event", "bets_closed", path).stdout
    assert "2026-01-05 Macau" in said
    assert "18:00:00  bets closed" in said
    here = invoke("log", "--macau", "--since", "2026-01-05T18:00", "--last", "1", path)  # read in Macau time too
    assert parsed(here.stdout)[0]["at"] == STARTED
    assert invoke("log", "--since", "2026-01-05T18:00", path).stdout == ""


def test_an_input_is_printed_with_all_that_was_answered(path: Path) -> None:
    lines = parsed(answered("log", "--irregularity", "card_not_due", path).stdout)
    assert [line["event"] for line in lines] == [
        "card",
        "irregularity",
        "next",
        "resolve",
        "resolved",
        "burned",
        "next",
    ]
    assert parsed(answered("log", "--irregularity", "card_not_due", "--inputs", path).stdout) == [lines[0], lines[3]]
    assert answered("log", "--json", path).stdout == answered("log", path).stdout


def test_filters_combine(path: Path) -> None:
    both = parsed(answered("log", "--round", "2..", "--card", "10h", "--card", "7♦", path).stdout)
    assert {line.get("round") for line in both} == {2}
    assert [line["event"] for line in both if line.get("card") == "7D"] == ["card"]
    assert parsed(answered("log", "--seat", "1", "--last", "1", path).stdout)[0]["event"] == "card"


def test_nothing_found_is_said_and_no_failure(path: Path) -> None:
    done = answered("log", "--round", "9", path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode() == f"cardshoe: nothing in {path} matches\n"


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        (
            "--irregularity",
            "card_notdue",
            "Did you mean card_not_due? There are card_not_due, card_before_bets_closed,",
        ),
        ("--event", "bet_closed", "Did you mean bets_closed? There are "),
        ("--card", "1X", "'1X' is no card: write its rank"),
        ("--round", "9..2", "'9..2' ends before it begins."),
        ("--since", "noon", "'noon' is not a time: write 2026-01-05T22:00:00Z"),
        ("--last", "0", "0 is not in the range x>=1"),
    ],
)
def test_what_cannot_be_asked(path: Path, option: str, value: str, says: str) -> None:
    done = answered("log", option, value, path)
    assert (done.returncode, done.stdout) == (2, b"")
    said = done.stderr.decode()
    assert option in said
    assert says in said


def test_options_that_do_not_go_together(path: Path) -> None:
    for arguments in (("--words", "--json"), ("--words", "--inputs")):
        assert answered("log", *arguments, path).returncode == 2
    done = answered("log", "--since", "2026-01-05", "--until", "2026-01-04", path)
    assert done.returncode == 2
    assert b"is not after --since" in done.stderr


def test_a_sealed_card_is_neither_found_nor_told_without_its_key(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    typed = b"shuffled croupier\ncut player\ncut_card_placed 14\nloaded 416\ncard 2C\ncard 9H\nquit\n"
    assert cardshoe("run", config, stdin=typed).returncode == 0
    (path,) = (tmp_path / "journals").glob("*.journal")
    assert answered("log", "--card", "9H", path).stdout == b""
    assert "9♥" not in answered("log", "--words", path).stdout.decode()
    opened = parsed(answered("log", "--card", "9H", "--open", path).stdout)
    assert [(line["event"], line.get("card")) for line in opened] == [("card", "9H"), ("burned", None), ("next", None)]
    told = answered("log", "--words", "--open", "--card", "9h", path).stdout.decode().splitlines()
    assert told[-1] == "            face down: 9♥"

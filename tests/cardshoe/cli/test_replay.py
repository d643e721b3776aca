"""``cardshoe replay``: what a script comes to, and what it says of a script that is none."""

import json
import signal
from pathlib import Path

import pytest

from tests.cardshoe.cli.support import (
    GAME,
    PATIENCE_S,
    PROFILE,
    ROUND,
    STACK,
    Line,
    answered,
    cardshoe,
    invoke,
    parsed,
    script,
)
from tests.kit.forked import started

UNTIMED = "1970-01-01T00:00:00.000000Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "script.jsonl"


def test_a_round_is_judged_and_settled(path: Path) -> None:
    done = answered("replay", script(path, GAME))
    assert (done.returncode, done.stderr) == (0, b"")
    lines = parsed(done.stdout)
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    [result] = [line for line in lines if line["event"] == "result"]
    assert result["points"] == {"player": 9, "banker": 7}
    assert (result["outcome"], result["natural"], result["round"]) == ("player", True, 1)
    [settled] = [line for line in lines if line["event"] == "settled"]
    assert [(wager["stake"], wager["net"], wager["article"]) for wager in settled["wagers"]] == [
        (10000, -10000, "55/2004 art. 11.º")
    ]


def test_every_input_is_answered_with_one_next_at_the_end(path: Path) -> None:
    lines = parsed(invoke("replay", script(path, GAME)).stdout)
    assert [line["event"] for line in lines].count("next") == len(GAME)
    assert lines[-1]["event"] == "next"


def test_the_output_depends_on_the_script_alone(path: Path, tmp_path: Path) -> None:
    script(path, GAME)
    (tmp_path / "elsewhere").mkdir()
    again = script(tmp_path / "elsewhere" / "other name.jsonl", GAME)
    here = cardshoe("replay", path)
    there = cardshoe("replay", again, environment={"TZ": "Asia/Macau", "LC_ALL": "C", "PYTHONHASHSEED": "7"})
    assert here.stdout == there.stdout
    assert here.stdout == answered("replay", "-", stdin=path.read_bytes()).stdout


def test_time_is_the_last_one_that_the_script_named(path: Path) -> None:
    lines: list[Line] = [
        PROFILE,
        {**STACK[0], "at": "2026-01-05T18:00:00+08:00"},
        STACK[1],
        {**STACK[2], "at": "2026-01-05T10:00:01.5Z"},
    ]
    times = [line["at"] for line in parsed(invoke("replay", script(path, lines)).stdout)]
    assert times == [
        UNTIMED,
        "2026-01-05T10:00:00.000000Z",
        "2026-01-05T10:00:00.000000Z",
        "2026-01-05T10:00:01.500000Z",
    ]


def test_empty_lines_are_passed_over_and_the_last_may_lack_its_end(path: Path) -> None:
    path.write_text("\n".join(["", json.dumps(PROFILE), "  ", "", json.dumps(STACK[0])]))
    done = invoke("replay", path)
    assert (done.exit_code, len(parsed(done.stdout))) == (0, 2)


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ("not json", "$", "not a JSON object"),
        ('{"event":"cut","by":"player"', "$", "not a JSON object"),
        ("[1]", "$", "object"),
        ('"cut"', "$", "object"),
        ("{}", "$.event", "the line names no event"),
        ('{"event":"cutt","by":"player"}', "$.event", "unknown event `cutt`; known are "),
        ('{"event":7}', "$.event", ""),
        ('{"event":"next","do":"cut"}', "$.event", "`next` is an output"),
        ('{"event":"cut","by":"player","depth":3}', "$.depth", "unknown field"),
        ('{"event":"cut"}', "$.by", "missing required field"),
        ('{"event":"cut","by":"dealer"}', "$.by", "dealer"),
        ('{"event":"cut","by":7}', "$.by", "expected `str`, got `int`"),
        ('{"event":"cut_card_placed","behind":"14"}', "$.behind", "expected `int`, got `str`"),
        ('{"event":"card","card":"1H"}', "$.card", ""),
        ('{"event":"card","card":"9H","unseen":true}', "$", "`unseen` means"),
        ('{"event":"bets_closed","seats":[1],"wagers":[{"seat":1,"stake":100}]}', "$.wagers[0].bet", "missing"),
        ('{"event":"cut","by":"player","at":"yesterday"}', "$.at", "RFC 3339"),
        ('{"event":"cut","by":"player","at":"2026-13-01T00:00:00Z"}', "$.at", "RFC 3339"),
    ],
)
def test_a_malformed_line_is_named_and_ends_the_replay(path: Path, line: str, field: str, reason: str) -> None:
    done = invoke("replay", script(path, [PROFILE, STACK[0], line, STACK[1]]))
    assert done.exit_code == 2
    assert len(parsed(done.stdout)) == 2
    first, remedy = done.stderr.splitlines()
    assert first.startswith(f"cardshoe: {path}, line 3, {field}: ")
    assert reason in first
    assert remedy.startswith("  Correct the line")


def test_a_line_that_is_no_utf8_is_malformed(path: Path) -> None:
    path.write_bytes(json.dumps(PROFILE).encode() + b'\n{"event":"cut","by":"\xff"}\n')
    done = answered("replay", path)
    assert done.returncode == 2
    assert len(parsed(done.stdout)) == 1
    assert b"line 2, $" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_malformed_line_as_the_user_sees_it(path: Path) -> None:
    done = cardshoe("replay", script(path, [PROFILE, '{"event":"cut","bye":"player"}']))
    assert done.returncode == 2
    assert len(parsed(done.stdout)) == 1
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3


def test_a_script_begins_with_its_table(path: Path) -> None:
    done = invoke("replay", script(path, [STACK[0], PROFILE]))
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{path}, line 1, $.event: a script begins with a `table` event, not with `shuffled`" in done.stderr


@pytest.mark.parametrize("text", ["", "\n\n  \n"])
def test_an_empty_script_is_none(path: Path, text: str) -> None:
    path.write_text(text)
    done = invoke("replay", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the script is empty" in done.stderr


def test_a_script_that_is_not_there(path: Path) -> None:
    done = invoke("replay", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert str(path) in done.stderr


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"decks": 5}, "wrong_deck_count"),
        ({"seats": 6}, "bad_option"),
        ({"options": {"intial_burn": "per_deck"}}, "bad_option"),
        ({"options": {"banker_win": "half_on_six"}}, "needs_authorisation"),
        ({"equipment": "box"}, "bad_option"),
    ],
)
def test_a_table_that_the_regulation_does_not_allow_ends_the_replay(path: Path, change: Line, code: str) -> None:
    done = invoke("replay", script(path, [{**PROFILE, **change}, *STACK]))
    assert done.exit_code == 2
    refused, prompt = parsed(done.stdout)
    assert (refused["event"], refused["code"]) == ("refused", code)
    assert refused["article"]
    assert (prompt["event"], prompt["do"]) == ("next", "nothing")
    assert "the regulation does not allow this table" in done.stderr


def test_a_game_that_this_edition_does_not_enforce(path: Path) -> None:
    done = invoke("replay", script(path, [{**PROFILE, "game": "bridge"}]))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "line 1, $.game: " in done.stderr
    assert "bridge" in done.stderr


def test_a_refusal_or_irregularity_alone_is_no_failure(path: Path) -> None:
    lines = [
        PROFILE,
        {"event": "cut", "by": "player"},
        {"event": "card", "card": "9H"},
        {"event": "misdeal", "detail": ""},
    ]
    done = invoke("replay", script(path, lines))
    assert (done.exit_code, done.stderr) == (0, "")
    assert [line["event"] for line in parsed(done.stdout)] == [
        "next",
        "refused",
        "next",
        "irregularity",
        "next",
        "refused",
        "next",
    ]


@pytest.mark.parametrize(
    ("wrong", "code", "at_input"),
    [
        ({"event": "cut", "by": "player"}, "not_now", 3),
        ({"event": "card", "card": "9H"}, "card_not_due", 3),
    ],
)
def test_strict_stops_at_the_first_refusal_or_irregularity(path: Path, wrong: Line, code: str, at_input: int) -> None:
    lines = [PROFILE, STACK[0], wrong, STACK[1]] if wrong["event"] == "card" else [PROFILE, *STACK[:1], STACK[1], wrong]
    done = invoke("replay", "--strict", script(path, [*lines, *STACK[2:]]))
    assert done.exit_code == 3
    events = [line["event"] for line in parsed(done.stdout)]
    assert events[-2:] == ["irregularity" if wrong["event"] == "card" else "refused", "next"]
    stopped = at_input if wrong["event"] == "card" else at_input + 1
    assert f"stopped at input {stopped}: {code}" in done.stderr


def test_strict_with_nothing_wrong_is_the_same(path: Path) -> None:
    script(path, GAME)
    strict = invoke("replay", "--strict", path)
    assert strict.exit_code == 0
    assert strict.stdout == invoke("replay", path).stdout


def test_standard_input_is_named_as_such() -> None:
    done = cardshoe("replay", "-", stdin=b"{}\n")
    assert done.returncode == 2
    assert b"standard input, line 1, $.event: " in done.stderr


def test_a_reader_that_goes_early_is_no_failure(path: Path) -> None:
    script(path, [PROFILE, *STACK, *(ROUND * 60)])
    with started(["replay", path]) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert json.loads(command.stdout.readline())["event"] == "next"
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(PATIENCE_S) == 0


def test_ctrl_c_is_no_traceback() -> None:
    with started(["replay", "-"]) as command:
        assert command.stdin is not None
        assert command.stdout is not None
        assert command.stderr is not None
        # More than a pipe's and a reader's buffers hold, so that some of it comes out while the input is still open.
        command.stdin.write("".join(json.dumps(line) + "\n" for line in [PROFILE, *STACK, *(ROUND * 60)]).encode())
        command.stdin.flush()
        assert command.stdout.readline()
        command.send_signal(signal.SIGINT)
        # An interrupt that comes in a destructor is lost in Python: the end of the input ends the command then.
        command.stdin.close()
        command.stdout.read()
        said = command.stderr.read()
        command.wait(PATIENCE_S)
    assert b"Traceback" not in said

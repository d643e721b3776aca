"""``cardshoe log`` and ``cardshoe verify`` on real journals: sound, damaged, forged, missing, in use."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cardshoe.journal import Journal, read_only
from regulations.law.edition import RULES_VERSION
from tests.cardshoe.cli.journals import entries_of, forge, journal_id, journal_of
from tests.cardshoe.cli.support import GAME, PATIENCE_S, answered, cardshoe, invoke, parsed
from tests.cardshoe.journal import rfc6962
from tests.kit.command import assert_message
from tests.kit.forked import CARDSHOE
from tests.kit.running_table import write_config


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return journal_of(tmp_path / "b-101.journal")


def entry_of(path: Path, event: str) -> int:
    return next(one.number for one in entries_of(path) for line in one.lines if json.loads(line)["event"] == event)


def lines_in(path: Path) -> int:
    return sum(len(entry.lines) for entry in entries_of(path))


def test_the_log_is_the_lines_as_they_were_written(path: Path) -> None:
    before = path.read_bytes()
    done = cardshoe("log", path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines() == [line for entry in entries_of(path) for line in entry.lines]
    lines = parsed(done.stdout)
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}-key-0"]


def test_the_inputs_of_a_log_are_a_script(path: Path) -> None:
    inputs = answered("log", "--inputs", path).stdout
    assert [line["event"] for line in parsed(inputs)] == [line["event"] for line in GAME]
    replayed = parsed(answered("replay", "-", stdin=inputs).stdout)
    outputs = [line for line in parsed(answered("log", path).stdout) if line not in parsed(inputs)]
    for line in (*replayed, *outputs):
        del line["seq"]  # a journal numbers inputs and outputs together
    assert replayed == outputs


def test_a_log_of_hidden_cards_is_opened_by_who_has_the_key(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    typed = b"shuffled croupier\ncut player\ncut_card_placed 14\nloaded 416\ncard 2C\ncard 9H\nquit\n"
    assert cardshoe("run", config, stdin=typed).returncode == 0
    (path,) = (tmp_path / "journals").glob("*.journal")
    key = path.with_name("sealing.key").rename(tmp_path / "keys")
    shut = answered("log", "--inputs", path)
    assert [line["card"] for line in parsed(shut.stdout) if line["event"] == "card"] == [None, None]
    done = answered("replay", "-", stdin=shut.stdout)
    assert_message(
        done.returncode, done.stderr.decode(), 2, "line 6, $.sealed: `card`", "cardshoe log JOURNAL --inputs --open"
    )
    shut_out = answered("log", "--open", path)
    assert_message(
        shut_out.returncode, shut_out.stderr.decode(), 4, "is sealed with the key", "there are none", "--sealing-key"
    )
    half = answered("verify", path)
    assert (half.returncode, half.stdout[:34]) == (0, b"NOT replayed: no sealing key (card")
    assert_message(
        answered("verify", "--require-replay", path).returncode,
        answered("verify", "--require-replay", path).stderr.decode(),
        4,
        "is sealed with the key",
        "--sealing-key",
    )
    script = answered("log", "--inputs", "--open", "--sealing-key", key, path).stdout
    assert [line["card"] for line in parsed(script) if line["event"] == "card"] == ["2C", "9H"]
    assert answered("replay", "-", stdin=script).returncode == 0
    assert answered("verify", "--sealing-key", key, path).returncode == 0


def test_a_sound_journal_verifies_and_says_what_it_is(path: Path) -> None:
    done = answered("verify", path)
    last = entries_of(path)[-1]
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode()
    assert f"{last.number} entries, {lines_in(path)} lines, intact" in said
    assert "B-101, 55/2004+73/2005, written by cardshoe 0.1.0" in said
    assert f"signed up to entry {last.number} by 1 checkpoints of 1 keys" in said
    assert "no witness was asked" in said
    assert f"first key cardshoe/journal/{journal_id(path)}+" in said


def test_a_first_key_that_was_mistyped_is_not_taken_for_a_journal_made_anew(path: Path) -> None:
    for mistyped in ("", "cardshoe/journal/3c4a+ba4bdb22", journal_id(path)):
        done = invoke("verify", path, "--first-key", mistyped)
        assert_message(done.exit_code, done.stderr, 2, "--first-key is no key", "the line that `cardshoe run` printed")


def test_what_verify_found_as_json(path: Path) -> None:
    found = json.loads(invoke("verify", "--json", path).stdout)
    last = entries_of(path)[-1]
    with read_only(path) as evidence:
        leaves = [evidence.genesis.data, *(entry.data for entry in evidence.entries())]
        key = evidence.header.key
    assert found == {
        "entries": last.number,
        "lines": lines_in(path),
        "replayed": True,
        "not_replayed": None,
        "missing_key": None,
        "rules": RULES_VERSION,
        "cosigned": [],
        "previous": None,
        "previous_is_here": False,
        "odd_times": 0,
        "first_odd_time": None,
        "root": rfc6962.mth(leaves).hex(),
        "proved": last.number,
        "witnessed": None,
        "checkpoints": 1,
        "keys": 1,
        "first_key": key,
        "game": "baccarat",
        "edition": "55/2004+73/2005",
        "table_id": "B-101",
        "program": "cardshoe 0.1.0",
    }


@pytest.mark.parametrize("command", ["verify", "log", "rules baccarat", "--help", "--version", "run --help"])
def test_output_to_a_full_disk_is_said_without_a_traceback(path: Path, command: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [CARDSHOE, *command.split(), *([path] if command in {"verify", "log"} else [])],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE_S,
            check=False,
        )
    assert_message(
        done.returncode,
        done.stderr.decode(),
        1,
        "the output cannot be written: No space left on device",
        "Check free space",
    )


@pytest.mark.parametrize("command", ["verify", "log"])
def test_a_damaged_journal_ends_with_4(path: Path, command: str) -> None:
    seq = entry_of(path, "result")
    line = next(line for line in entries_of(path)[seq - 1].lines if b'"event":"result"' in line)
    data = path.read_bytes()
    assert data.count(line) == 1
    path.write_bytes(data.replace(line, line.replace(b'"player":9', b'"player":8')))
    done = answered(command, path)
    assert done.returncode == 4
    said = done.stderr.decode()
    assert f"{path}: the journal is broken: entry {seq}: " in said
    assert "as evidence" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", ["verify", "log"])
def test_a_file_that_is_no_journal_ends_with_4(tmp_path: Path, command: str) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear sir or madam\n" * 100)
    done = invoke(command, path)
    assert (done.exit_code, done.stdout) == (4, "")
    assert str(path) in done.stderr


@pytest.mark.parametrize("command", ["verify", "log"])
def test_a_journal_that_is_not_there_ends_with_2(tmp_path: Path, command: str) -> None:
    done = invoke(command, tmp_path / "b-102.journal")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "b-102.journal: no such file" in done.stderr


@pytest.mark.parametrize("command", ["verify", "log"])
def test_a_journal_in_use_ends_with_4_and_says_by_whom(path: Path, command: str) -> None:
    with Journal.open(path):
        done = cardshoe(command, path)
    assert (done.returncode, done.stdout) == (4, b"")
    assert f"in use by process {os.getpid()}" in done.stderr.decode()
    assert answered(command, path).returncode == 0


@pytest.mark.parametrize(
    ("event", "old", "new"),
    [
        ("result", b'"player":9', b'"player":8'),
        ("settled", b'"net":-10000', b'"net":10000'),
        ("settled", b"11.\xc2\xba", b"12.\xc2\xba"),
        ("next", b'"edition":"55/2004+73/2005"', b'"edition":"55/2004"'),
    ],
)
def test_a_forged_output_is_found_by_replaying(path: Path, event: str, old: bytes, new: bytes) -> None:
    seq = entry_of(path, event)
    forge(path, seq, old, new)
    done = answered("verify", path)
    assert done.returncode == 4
    said = done.stderr.decode()
    assert f"entry {seq}: the regulation does not give line" in said
    assert answered("log", path).returncode == 0  # the chain alone holds


def test_a_forged_input_is_found_by_what_it_came_to(path: Path) -> None:
    seq = entry_of(path, "bets_closed")
    forge(path, seq, b'"stake":10000', b'"stake":90000')
    done = invoke("verify", path)
    assert done.exit_code == 4
    assert f"entry {entry_of(path, 'settled')}: the regulation does not give line " in done.stderr


def test_an_input_that_is_not_written_as_the_program_writes_it(path: Path) -> None:
    seq = entry_of(path, "cut")
    forge(path, seq, b'"origin":"person","by":"player"', b'"by":"player","origin":"person"')
    done = invoke("verify", path)
    assert done.exit_code == 4
    assert f"entry {seq}: the input is not written as this program writes it" in done.stderr

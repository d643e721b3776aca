"""Recordings: what is in them, several workers, and replaying them without a shoe."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.foreign import Foreign

TESTS = """
import pytest

@pytest.mark.parametrize("number", [1, 2])
def test_a_burn(cardshoe_shoe, cardshoe_table, cardshoe_fault, number):
    table = cardshoe_table(cardshoe_shoe)
    table.make_ready(cardshoe_shoe)
    cardshoe_fault.unplug()
    table.wait_for("device_lost")
    assert number == 1, "the second one fails, and is recorded all the same"

@pytest.mark.parametrize("number", [1, 2])
def test_cards(cardshoe_shoe, number):
    cardshoe_shoe.load()
    cardshoe_shoe.draw(5)
"""


def lines_of(recording: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in recording.read_text().splitlines()]


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Foreign:
    """The project, with its recording `run.jsonl`."""
    foreign = Foreign(tmp_path_factory.mktemp("recording"), TESTS)
    ran = foreign.run("--cardshoe-record=run.jsonl", "--cardshoe-seed=5")
    ran.assert_outcomes("1 failed, 3 passed")
    assert "recording into" in ran.output
    return foreign


def test_commands_bytes_and_the_table_s_log_are_in_it(foreign: Foreign) -> None:
    head, *lines = lines_of(foreign.folder / "run.jsonl")
    assert head == {"cardshoe_recording": 1, "seed": 5, "shoe": "sim"}
    outcomes = {line["test"]: line["outcome"] for line in lines if line["source"] == "outcome"}
    assert list(outcomes.values()) == ["passed", "failed", "passed", "passed"]
    assert outcomes.keys() == {line["test"] for line in lines}
    mine = [line for line in lines if line["test"] == "test_foreign.py::test_a_burn[1]"]
    commands = [line["do"] for line in mine if line["source"] == "control"]
    assert commands == ["watch", "load", *["draw"] * 8, "help", "unplug", "about"]
    events = [line for line in mine if line["source"] == "device"]
    burned = [line["card"] for line in events if line["event"] == "card"]
    assert len(burned) == 8
    assert [line["event"] for line in events if line["event"] != "bytes"][-1] == "unplugged"
    # Every burned card left the shoe in a telegram, D at its third byte (docs/protocols/angel-eye.md).
    telegrams = {line["hex"] for line in events if line["event"] == "bytes" and line["hex"][4:6] == "44"}
    assert len(telegrams) == 8
    log = [json.loads(line["line"]) for line in mine if line["source"] == "table"]
    assert [line["seq"] for line in log] == list(range(1, len(log) + 1))
    assert [line["card"] for line in log if line["event"] == "card"] == burned
    kinds = [line["kind"] for line in mine if line["source"] == "table"]
    told = [line["event"] for line, kind in zip(log, kinds, strict=True) if kind == "input"]
    # The shoe cannot say what it is: the table records that once, when the port opens, whatever a person does then.
    identified = [line for line in log if line["event"] == "device_identified"]
    assert [(line["model"], line["origin"]) for line in identified] == [("Angel Eye II-EX", "device")]
    assert 0 < told.index("device_identified") < told.index("card")
    told.remove("device_identified")
    assert told == ["table", "shuffled", "cut", "cut_card_placed", "loaded", *["card"] * 8, "device_lost"]


def test_a_recording_is_replayed_without_a_shoe(foreign: Foreign) -> None:
    ran = foreign.run("--cardshoe-replay=run.jsonl", "-rA")
    ran.assert_outcomes("2 passed, 4 skipped")
    assert "SKIPPED" in ran.output
    assert "a recording is replayed (--cardshoe-replay)" in ran.output
    assert "PASSED run.jsonl::test_foreign.py::test_a_burn[2]::T-1" in ran.output


def test_a_log_that_does_not_replay_is_a_failure(foreign: Foreign) -> None:
    # In the first log an answer that no table gave, in the second an input that no table takes.
    changes = {
        "[1]": ('\\"why\\":\\"initial\\"', '\\"why\\":\\"round\\"'),
        "[2]": ('\\"behind\\":14', '\\"behint\\":14'),
    }
    lines = []
    for line in (foreign.folder / "run.jsonl").read_text().splitlines(keepends=True):
        test = next((number for number in changes if f"test_a_burn{number}" in line), "")
        lines.append(line.replace(*changes[test]) if test and '"table"' in line else line)
    (foreign.folder / "changed.jsonl").write_text("".join(lines))
    ran = foreign.run("--cardshoe-replay=changed.jsonl", "-k", "test_a_burn")
    ran.assert_outcomes("2 failed, 2 skipped, 2 deselected")
    assert re.search(
        r"output \d+ differs\n +recorded: .*\"why\":\"round\".*\n +replayed: .*\"why\":\"initial\"", ran.output
    )
    second = [line for line in lines_of(foreign.folder / "run.jsonl") if line.get("test", "").endswith("a_burn[2]")]
    inputs = [json.loads(line["line"])["event"] for line in second if line.get("kind") == "input"]
    wrong = f"cardshoe: standard input, line {inputs.index('cut_card_placed') + 1}, $.behint"
    assert f"cardshoe replay ended with code 2: {wrong}" in ran.output


def test_a_recording_is_never_overwritten(foreign: Foreign) -> None:
    ran = foreign.run("--cardshoe-record=run.jsonl")
    assert ran.code == pytest.ExitCode.USAGE_ERROR
    assert "is there already" in ran.output


def test_the_workers_of_xdist_share_a_seed_and_a_recording(foreign: Foreign) -> None:
    ran = foreign.run("-p", "xdist", "-n", "2", "--cardshoe-record=workers.jsonl", "--cardshoe-seed=5", "-k", "cards")
    ran.assert_outcomes("2 passed")

    def cards(recording: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for line in lines_of(foreign.folder / recording):
            if line.get("event") == "card" and "test_cards" in line["test"]:
                found.setdefault(line["test"], []).append(line["card"])
        return found

    found = cards("workers.jsonl")
    assert [len(drawn) for drawn in found.values()] == [5, 5]
    assert found == cards("run.jsonl")

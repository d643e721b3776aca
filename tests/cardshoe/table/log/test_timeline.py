"""Times that no clock gives are told, by both verifiers alike."""

import json
from pathlib import Path

import pytest

from cardshoe.table.log.verify import verify
from tests.cardshoe.cli.journals import entries_of, journal_of
from tests.cardshoe.cli.support import GAME, Line, invoke
from tests.cardshoe.journal.sealed import by_the_verifier

DAY = "2026-01-05T"
STEP: Line = {"event": "clock_stepped", "seconds": -3600.0}


def at(line: Line, time: str) -> Line:
    return {**line, "at": time}


@pytest.mark.parametrize(
    ("times", "odd"),
    [
        ([f"{DAY}10:00:00.000000Z", f"{DAY}10:00:00.000000Z", f"{DAY}10:00:01.000000Z"], []),
        ([f"{DAY}10:00:01.000000Z", f"{DAY}10:00:00.500000Z", f"{DAY}10:00:00.000000Z"], []),  # as a slow clock goes
        ([f"{DAY}10:00:01.000000Z", f"{DAY}10:00:00.499999Z", f"{DAY}10:00:00.600000Z"], [1]),
        ([f"{DAY}10:00:00.000000Z", "2027-01-05T10:00:00.000000Z", "2028-01-05T10:00:00.000001Z"], [2]),
        ([f"{DAY}10:00:00.000000Z", "2031-01-05T10:00:00.000000Z", f"{DAY}10:00:00.000000Z"], [1, 2]),
    ],
    ids=["goes on", "back by half a second", "back by more", "ahead by more than a year", "ahead and back"],
)
def test_a_clock_goes_neither_back_nor_years_ahead(tmp_path: Path, times: list[str], odd: list[int]) -> None:
    lines = [at(GAME[0], times[0]), at(GAME[1], times[1]), *(at(line, times[2]) for line in GAME[2:])]
    path = journal_of(tmp_path / "b.journal", lines)
    inputs = [entry.number for entry in entries_of(path)]
    found = verify(path)
    assert found.odd_times == len(odd)
    said = invoke("verify", path)
    by_other = by_the_verifier(path)
    assert (said.exit_code, by_other[0], found.replayed) == (0, 0, True)
    if not odd:
        assert found.first_odd_time is None
        assert "no clock gives" not in said.stderr + by_other[1]
        return
    first = found.first_odd_time
    assert first is not None
    assert (first.entry, first.at, first.before) == (inputs[odd[0]], times[odd[0]], times[odd[0] - 1])
    assert f"{len(odd)} times that no clock gives: entry {first.entry} is of {first.at}" in said.stderr
    assert f"{len(odd)} times that no clock gives, the first at entry {first.entry}\n" in by_other[1]
    told = json.loads(invoke("verify", path, "--json").stdout)
    assert told["first_odd_time"] == {"entry": first.entry, "at": first.at, "before": first.before}


def test_a_step_that_the_log_tells_of_is_in_order(tmp_path: Path) -> None:
    early, late = f"{DAY}09:00:00.000000Z", f"{DAY}10:00:00.000000Z"
    lines = [at(GAME[0], late), at(STEP, early), *(at(line, early) for line in GAME[1:])]
    path = journal_of(tmp_path / "b.journal", lines)
    assert verify(path).odd_times == 0
    assert "no clock gives" not in by_the_verifier(path)[1]

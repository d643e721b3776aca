"""Each way out of each kind of irregularity, as the law's cases take them, by touches; the long form alone."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from regulations.events.inputs import Closed, Resolve, Table
from regulations.events.outputs import Irregularity, Refused, Resolved
from regulations.events.vocabulary import IrregularityCode, WayOut
from regulations.irregularities import WAYS_OUT
from tests.e2e.room import Room
from tests.e2e.stage import NEEDS_CHROMIUM, stage
from tests.regulations.support.notation import Case, all_cases
from tests.regulations.support.running import as_told, opened

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(120)]
Way = tuple[IrregularityCode, WayOut]


@cache
def ways() -> dict[Way, tuple[Case, int]]:
    """For each way out the case that takes it soonest, with the number of the step that says so."""
    found: dict[Way, tuple[Case, int]] = {}
    for way, case, number in _taken():
        if way not in found or number < found[way][1]:
            found[way] = case, number
    return found


def _taken() -> Iterator[tuple[Way, Case, int]]:
    for case in all_cases():
        procedure = opened(case.table)
        kinds: dict[int, IrregularityCode] = {}
        for number, step in enumerate(case.steps):
            if case.broken or "permit" in step.given:  # it would be another line's number here
                break
            said = as_told(procedure, step.given)
            if isinstance(said, Closed):
                break
            outputs = procedure.apply(said)
            if isinstance(said, Resolve) and isinstance(outputs[0], Resolved):
                yield (kinds[said.irregularity], said.action), case, number
            if not isinstance(outputs[0], Refused):
                kinds |= {one.irregularity: one.code for one in outputs if isinstance(one, Irregularity)}


def test_each_way_out_that_the_law_has_has_a_case() -> None:
    assert {(code, action) for code, actions in WAYS_OUT.items() for action in actions} <= set(ways())


@pytest.mark.parametrize("way", sorted(ways()), ids="-".join)
def test_a_way_out_is_taken_by_touches(tmp_path: Path, browser: Browser, way: Way) -> None:
    case, last = ways()[way]
    table = as_told(opened(case.table), case.table)
    assert isinstance(table, Table)
    with stage(tmp_path, table, browser) as shown:
        room = Room(shown)
        for step in case.steps[:last]:
            shown.give(step.given)
        shown.settled()
        fields = {name: value for name, value in case.steps[last].given.items() if name not in ("event", "by")}
        del fields["action"], fields["irregularity"]
        room.settles(*way, **fields)
        assert shown.faults == []

"""Each way out of each kind of irregularity, as the law's cases take them, by touches; the long form alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from regulations.events.inputs import Table
from regulations.play.context.irregularities import RESOLUTIONS
from tests.e2e.room import Room
from tests.e2e.stage import NEEDS_CHROMIUM, stage
from tests.e2e.ways import Way, ways
from tests.regulations.support.running import as_told, opened

pytestmark = [NEEDS_CHROMIUM, pytest.mark.timeout(120)]


def test_each_way_out_that_the_law_has_has_a_case() -> None:
    assert {(code, action) for code, actions in RESOLUTIONS.items() for action in actions} <= set(ways())


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

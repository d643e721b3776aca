"""Journals are delivered: every line once, whatever dies meanwhile."""

from pathlib import Path

from regulations.events.inputs import AnyInput
from table.uplink import kept
from table.uplink.kept import Kept
from tests.certificates import needs_openssl
from tests.floor.postgres import needs_postgres
from tests.floor.site import Collector, Site
from tests.floor.tables import journal, lines_of, log_of
from tests.floor.waiting import alarms, delivering, stored, wait_until

pytestmark = [needs_postgres, needs_openssl]


def test_a_closed_journal_arrives(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    path = journal(tmp_path / "journals", "T-001", inputs)
    lines, log = lines_of(path), log_of(path)
    with Collector(site, state, database) as floor, delivering(site.uplink(floor.address, path.parent, "T-001")):
        wait_until(lambda: len(stored(database, "T-001", log)) == len(lines))
        wait_until(lambda: floor.get("/api/v1/logs", table="T-001")[0]["proved"] == len(lines) - 1)
    assert stored(database, "T-001", log) == lines


def test_what_was_kept_of_a_log_while_it_ran_says_nothing_of_it_once_it_is_closed(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    path = journal(tmp_path / "journals", "T-001", inputs)
    lines, log = lines_of(path), log_of(path)
    with Collector(site, state, database) as floor:
        settings = site.uplink(floor.address, path.parent, "T-001")
        with delivering(settings):
            wait_until(lambda: (found := kept.read(path)) is not None and found.finished)
        # The table closed its journal before this was written, and more lines were delivered after it.
        kept.write(path, Kept(log=log, first=0, last=5, finished=False, mark="", size=0, changed_ns=0))
        with delivering(settings):
            wait_until(lambda: (found := kept.read(path)) is not None and found.last == len(lines) - 1)
    assert alarms(database) == []
    assert stored(database, "T-001", log) == lines


def test_a_journal_that_cannot_be_read_stops_no_other(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    broken = journal(tmp_path / "journals", "T-001", inputs)
    after = "2026-11-24T10:00:00.000000Z"
    cut = journal(tmp_path / "journals", "T-001", inputs, at=after)
    path = journal(tmp_path / "journals", "T-001", inputs, at="2026-11-25T10:00:00.000000Z")
    lines, log = lines_of(path), log_of(path)
    broken.write_bytes(b"no journal")
    data = cut.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    with Collector(site, state, database) as floor, delivering(site.uplink(floor.address, path.parent, "T-001")):
        wait_until(lambda: stored(database, "T-001", log) == lines)

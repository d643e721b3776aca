"""Journals are delivered: every line once, whatever dies meanwhile."""

from pathlib import Path

from msgspec.structs import replace

from cardshoe.table.uplink import delivery_record as kept
from cardshoe.table.uplink.delivery_record import Kept
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import entries_of, journal, log_of
from tests.cardshoe.floor.waiting import alarms, delivering, lapse, stored, wait_until
from tests.kit.certificates import needs_openssl
from tests.kit.running_table import RunningTable, write_config

pytestmark = [needs_postgres, needs_openssl]


def test_a_closed_journal_arrives(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    path = journal(tmp_path / "journals", "T-001", inputs)
    lines, log = entries_of(path), log_of(path)
    with Collector(site, state, database) as floor, delivering(site.uplink(floor.address, path.parent, "T-001")):
        wait_until(lambda: len(stored(database, "T-001", log)) == len(lines))
        wait_until(lambda: floor.get("/api/v1/logs", table="T-001")[0]["proved"] == len(lines) - 1)
    assert stored(database, "T-001", log) == lines


def test_what_was_kept_of_a_log_while_it_ran_says_nothing_of_it_once_it_is_closed(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    path = journal(tmp_path / "journals", "T-001", inputs)
    lines, log = entries_of(path), log_of(path)
    own = tmp_path / "own"  # of an uplink that may not write beside the journals
    own.mkdir()
    with Collector(site, state, database) as floor:
        settings = site.uplink(floor.address, path.parent, "T-001")
        settings = replace(settings, section=replace(settings.section, folder=str(own)))
        with delivering(settings):
            wait_until(lambda: (found := kept.read(path, own)) is not None and found.finished)
        # The table closed its journal before this was written, and more lines were delivered after it.
        kept.write(path, own, Kept(log=log, last=5, finished=False, mark="", size=0, changed_ns=0))
        lapse(database, "T-001")
        with delivering(settings):
            wait_until(lambda: (found := kept.read(path, own)) is not None and found.last == len(lines) - 1)
    assert alarms(database) == []
    assert stored(database, "T-001", log) == lines
    assert not [one for one in path.parent.iterdir() if one.name.endswith("-floor")]


def test_a_journal_that_cannot_be_read_stops_no_other_and_is_tried_again_beside_a_running_table(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    folder = tmp_path / "journals"
    broken, cut, path = (
        journal(folder, "T-1", inputs, at=f"2026-11-0{day}T10:00:00.000000Z") for day in range(1, 4)
    )  # fmt: skip
    logs = {one: (log_of(one), entries_of(one)) for one in (broken, path)}
    whole = broken.read_bytes()
    broken.write_bytes(b"no journal")
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    with (
        RunningTable(write_config(tmp_path, None)) as table,
        Collector(site, state, database) as floor,
        delivering(site.uplink(floor.address, folder, "T-1")) as (uplink,),
    ):
        table.until_prompt("shuffle")
        log, lines = logs[path]
        wait_until(lambda: stored(database, "T-1", log) == lines)
        wait_until(lambda: len(floor.get("/api/v1/logs", table="T-1")) == 2)  # the running one, too
        told = [one for metric in uplink.figures.metrics("T-1") for one in metric.samples if "why" in one.labels]
        assert [(one.name, one.labels["journal"]) for one in told] == [
            ("cardshoe_uplink_unread", broken.name), ("cardshoe_uplink_unread", cut.name),
        ]  # fmt: skip
        assert told[0].labels["why"].startswith("not a database")
        broken.write_bytes(whole)
        log, lines = logs[broken]
        wait_until(lambda: stored(database, "T-1", log) == lines)
        wait_until(lambda: set(uplink.figures.cannot_be_read) == {cut.name})

"""A table goes over to another log while its uplink delivers: the floor has both, one behind the other."""

from pathlib import Path

from cardshoe.journal import read_only
from cardshoe.table.live.child import Child
from cardshoe.table.log.journal_names import journals_of
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import entries_of, log_of
from tests.cardshoe.floor.waiting import alarms, stored, wait_until
from tests.cardshoe.table.live.support import READY, TABLE, DayTable
from tests.kit.certificates import needs_openssl

pytestmark = [needs_postgres, needs_openssl]


def test_both_logs_arrive_whole_and_no_alarm_is_raised(tmp_path: Path, site: Site, database: str, state: Path) -> None:
    folder, table_id = tmp_path / "journals", TABLE.table_id
    served = DayTable(folder)
    with Collector(site, state, database) as floor, served.table as table:
        settings = site.uplink(floor.address, folder, table_id)
        with Child("uplink", "cardshoe.table.uplink", settings.written()):
            first = table.log.journal.header.fingerprint
            wait_until(lambda: stored(database, table_id, first))
            second = served.go_over()
            table.tell(*READY)
            wait_until(lambda: len(stored(database, table_id, second)) == table.log.journal.last + 1)
            wait_until(lambda: len(floor.get("/api/v1/logs", table=table_id)) == 2)
    before, after = journals_of(folder, table_id)
    assert [log_of(before), log_of(after)] == [first, second]
    assert stored(database, table_id, first) == entries_of(before)
    with read_only(after) as evidence:
        assert len(stored(database, table_id, second)) <= evidence.last + 1
    assert alarms(database) == []

"""A table at work with its uplink beside it, both processes of their own, and a real collector."""

import json
import signal
from pathlib import Path
from typing import Final

from cardshoe.table.log.journal_names import journals_of
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.site import TABLE, Collector, Site, configured
from tests.cardshoe.floor.tables import entries_of, log_of
from tests.cardshoe.floor.waiting import alarms, lapse, stored, wait_until
from tests.kit.certificates import needs_openssl
from tests.kit.opening import open_by_hand
from tests.kit.running_table import RunningTable

pytestmark = [needs_postgres, needs_openssl]
ROUND: Final = ("9H", "3D", "KS", "4C")


def test_its_lines_arrive_while_it_runs_also_after_collector_and_table_were_away(
    tmp_path: Path, site: Site, database: str, state: Path
) -> None:
    def mark() -> int:
        logs = floor.get("/api/v1/logs", table=TABLE)
        return int(logs[0]["mark"]) if logs else -1

    with Collector(site, state, database) as floor:
        config = configured(tmp_path, site, floor)
        with RunningTable(config) as table:
            table.until_prompt("shuffle")
            open_by_hand(table)
            wait_until(lambda: mark() == last(table), table.errors)
            floor.kill()
            for card in ROUND:
                table.tell({"event": "card", "card": card})
            told = last(table)
            floor.start()
            wait_until(lambda: mark() == told, table.errors)
            table.send(signal.SIGKILL)
            table.end()
        lapse(database, TABLE)
        with RunningTable(config) as again:
            again.prompt()
            again.tell({"event": "round_closed"})
            wait_until(lambda: mark() == last(table, again) > told, again.errors)
            wait_until(lambda: floor.get("/api/v1/tables")[0]["proved"] == last(table, again))
            again.say("quit")
            assert again.end() == 0
    (path,) = journals_of(tmp_path / "journals", TABLE)
    assert stored(database, TABLE, log_of(path)) == entries_of(path)
    assert alarms(database) == []
    said = (tmp_path / "cardshoe-uplink.prom").read_text()
    assert 'cardshoe_uplink_lag_entries{table="T-1"} 0.0' in said
    assert 'cardshoe_uplink_lag_seconds{table="T-1"} 0.0' in said


def last(*tables: RunningTable) -> int:
    """The number of the last entry that a table told, by all its starts; each ends with a prompt."""
    heard = [json.loads(line) for table in tables for line in table.heard]
    return len({line["seq"] for line in heard if line["event"] == "next"})

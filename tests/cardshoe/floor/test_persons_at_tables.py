"""A person whom the floor disables, at a table at work: real table, uplink, collector and database."""

import json
import re
from datetime import datetime
from pathlib import Path

from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.house import PINS, disable, everybody, roll_in
from tests.cardshoe.floor.nats_server import Nats, needs_nats
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.site import TABLE, Collector, Site, configured
from tests.cardshoe.floor.waiting import alarms
from tests.kit.certificates import needs_openssl
from tests.kit.command import Line
from tests.kit.running_table import RunningTable

pytestmark = [needs_postgres, needs_openssl]


def until(table: RunningTable, event: str) -> Line:
    """The next line of an event, however long it takes; the table tells it by itself."""
    while (line := json.loads(table.line()))["event"] != event:
        continue
    found: Line = line
    return found


def sign_in(table: RunningTable, person: str) -> None:
    """Types id and PIN."""
    table.say(f"login {person}")
    table.say(PINS[person])


def with_persons(config: Path, key: str) -> Path:
    """A table that believes the floor's list."""
    persons = f'[persons]\nfile = "persons.toml"\nfloor = "{key}"\n'
    config.write_text(config.read_text().replace("[uplink]", f"{persons}[uplink]"))
    return config


def after_s(line: Line, at: str) -> float:
    """How long after a moment a line of the log was written."""
    return (datetime.fromisoformat(str(line["at"])) - datetime.fromisoformat(at)).total_seconds()


def out_once_disabled(table: RunningTable, floor: Collector) -> Line:
    """Have cara sign in at a table with the first list and disable her at the floor; the line that says she is out."""
    assert until(table, "persons_listed")["version"] == 1
    sign_in(table, "cara")
    assert until(table, "signed_in")["person"] == "cara"
    done = answered("floor", "persons", "disable", floor.file, "cara", "--by", "manager 12")
    assert done.returncode == 0, done.stderr
    assert until(table, "persons_listed")["version"] == 2
    gone = until(table, "signed_out")
    assert (gone["person"], gone["because"]) == ("cara", "changed")
    return gone


def test_who_is_disabled_at_the_floor_is_out_at_a_table_also_once_it_is_on_line_again(
    tmp_path: Path, site: Site, database: str, state: Path
) -> None:
    roll = roll_in(state)
    everybody(roll)
    with Collector(site, state, database) as floor:
        config = with_persons(configured(tmp_path, site, floor), roll.key)
        with RunningTable(config) as table:
            out_once_disabled(table, floor)
            sign_in(table, "cara")
            assert until(table, "sign_ins_refused")["count"] == 1
            # Off line what it has goes on to count; on line again it has the newest within a minute.
            sign_in(table, "sara")
            assert until(table, "signed_in")["person"] == "sara"
            floor.kill()
            disable(roll_in(state), "carl")
            sign_in(table, "carl")
            assert until(table, "signed_in")["person"] == "carl"
            floor.start()
            assert until(table, "persons_listed")["version"] == 3
            assert until(table, "signed_out")["person"] in {"carl", "sara"}
            table.say("quit")
            assert table.end() == 0
    said = (tmp_path / "cardshoe.prom").read_text()
    left = re.search(r'^cardshoe_persons_list_valid_seconds{table="T-1"} ([\d.e+]+)$', said, re.MULTILINE)
    assert left is not None
    assert 13.9 * 86_400 < float(left[1]) <= 14 * 86_400
    assert alarms(database) == []


@needs_nats
def test_by_nats_who_is_disabled_is_out_within_a_minute_and_once_the_server_is_back(
    tmp_path: Path, site: Site, database: str, state: Path
) -> None:
    roll = roll_in(state)
    everybody(roll)
    with (
        Nats(site, tmp_path / "nats", [TABLE]) as nats,
        Collector(site, state, database, nats.floor_toml) as floor,
    ):
        config = with_persons(configured(tmp_path, site, floor, f"nats://{nats.address}"), roll.key)
        with RunningTable(config) as table:
            gone = out_once_disabled(table, floor)
            assert after_s(gone, roll.changes()[-1].at) < 60
            nats.kill()
            disable(roll_in(state), "sara")
            sign_in(table, "sara")
            assert until(table, "signed_in")["person"] == "sara"
            nats.start()
            assert until(table, "persons_listed")["version"] == 3
            assert until(table, "signed_out")["person"] == "sara"
            table.say("quit")
            assert table.end() == 0
    assert alarms(database) == []

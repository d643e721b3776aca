"""The floor behind NATS: what goes by the stream lands as what goes by HTTPS, and the stream is nothing to rest on."""

from pathlib import Path

from regulations.events.inputs import AnyInput
from tests.certificates import needs_openssl
from tests.floor.nats_server import Nats, needs_nats
from tests.floor.postgres import needs_postgres
from tests.floor.site import Collector, Site
from tests.floor.tables import journal, lines_of, log_of
from tests.floor.waiting import delivering, stored, wait_until

pytestmark = [needs_postgres, needs_openssl, needs_nats]


def test_a_closed_journal_arrives(
    tmp_path: Path, site: Site, database: str, state: Path, inputs: list[AnyInput]
) -> None:
    path = journal(tmp_path / "journals", "T-001", inputs)
    lines, log = lines_of(path), log_of(path)
    with Nats(site, tmp_path / "nats", ["T-001"]) as nats, Collector(site, state, database, nats.floor_toml) as floor:
        with delivering(nats.uplink(path.parent, "T-001", floor.key)):
            wait_until(lambda: len(stored(database, "T-001", log)) == len(lines))
            wait_until(lambda: floor.get("/api/v1/logs", table="T-001")[0]["proved"] == len(lines) - 1)
    assert stored(database, "T-001", log) == lines

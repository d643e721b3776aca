"""The watch on a database that the real collector fills: what is stored, and what a restart does."""

import json
import logging
import threading
from pathlib import Path

import pytest

from cardshoe.floor.database import Database
from cardshoe.floor.watch.shoes import DayAccounts, LogWatch
from cardshoe.floor.watch.store import acknowledge, close, watch_alarms
from cardshoe.floor.watch.watcher import Watcher
from cardshoe.journal.file.chain import lines_of
from regulations.events.inputs import AnyInput, Closed, Shuffled
from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.filling import filling
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import AT
from tests.cardshoe.floor.waiting import wait_until
from tests.cardshoe.floor.watch.support import journal, table, told
from tests.kit.certificates import needs_openssl

pytestmark = needs_postgres
COLUMNS = {
    *("id", "kind", "table", "log", "shoe", "device", "strength", "first_at", "last_at"),
    *("acknowledged_at", "acknowledged_by", "closed_at", "closed_by"),
}


def looked(watcher: Watcher) -> None:
    """Looks until nothing is new."""
    while watcher.look():
        continue


def kept(database: Database, *, closed: bool = False) -> list[dict[str, object]]:
    return [one for one in watch_alarms(database, closed=closed)[1] if one["kind"] == "kept_order"]


def second_shoe(inputs: list[AnyInput]) -> int:
    """Where the second shoe is shuffled."""
    return [at for at, one in enumerate(inputs) if isinstance(one, Shuffled)][1]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    """A shoe, and the first rounds of the next, which was never shuffled."""
    return journal(tmp_path_factory.mktemp("journals"), told(table("never")))


def test_an_alarm_is_stored_once(
    tmp_path: Path, database: str, book: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    with filling(database, tmp_path / "state") as (floor, filler):
        filler.deliver(book, end=len(book.entries) // 2)
        watcher = Watcher(floor)
        looked(watcher)
        at, alarms = watch_alarms(floor)
        assert at is not None
        assert alarms == []
        filler.deliver(book, len(book.entries) // 2)
        looked(watcher)
        (alarm,) = kept(floor)
        assert (alarm["table"], alarm["log"], alarm["shoe"], alarm["device"]) == ("T-1", book.log, 2, "")
        assert {*alarm} == COLUMNS
        numbers = [one["id"] for one in watch_alarms(floor)[1]]
        # Begun again, it reads the open shoe again; a closed alarm stays closed.
        assert close(floor, numbers[0], "vera")
        looked(Watcher(floor))
        assert [one["id"] for one in watch_alarms(floor, closed=True)[1]] == [*numbers[1:], numbers[0]]
        assert not close(floor, numbers[0], "vera")
        assert not acknowledge(floor, numbers[0], "vera")
        assert acknowledge(floor, numbers[1], "vera")
        assert not acknowledge(floor, numbers[1], "vera")
    assert [one for one in caplog.records if one.levelno >= logging.INFO and "watch" in one.name] == []


def test_the_last_shoe_of_the_log_before_is_compared(tmp_path: Path, database: str) -> None:
    never = list(told(table("never")))
    begins = second_shoe(never)
    first = journal(tmp_path / "first", [*never[:begins], Closed(at=AT)])
    second = journal(tmp_path / "second", never[begins:])
    with filling(database, tmp_path / "state") as (floor, filler):
        filler.deliver(first)
        watcher = Watcher(floor)
        looked(watcher)
        filler.deliver(second)
        looked(watcher)
        (alarm,) = kept(floor)
        assert (alarm["log"], alarm["shoe"]) == (second.log, 1)
        # A watch that was away while the shoe was dealt judges it later; one that has seen its end does not.
        floor.rows(
            "UPDATE entries SET received_at = now() - interval '2 hours' WHERE log = %(log)s RETURNING 1",
            {"log": first.log},
        )
        for hours, found in ((1, 0), (-1, 1)):
            floor.rows("DELETE FROM watch_alarms RETURNING id", {})
            floor.rows(
                "UPDATE watch_looks SET looked_at = now() + %(hours)s * interval '1 hour' RETURNING 1", {"hours": hours}
            )
            looked(Watcher(floor))
            assert len(kept(floor)) == found


def test_lines_that_make_no_sense_end_the_watch_of_one_log(
    tmp_path: Path, database: str, book: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    with filling(database, tmp_path / "state") as (floor, filler):
        filler.deliver(book)
        (row,) = floor.rows(
            "SELECT number FROM entries WHERE events[1] = 'card' AND convert_from(lines, 'UTF8') LIKE '%%9H%%' "
            "ORDER BY number LIMIT 1",
            {},
        )
        floor.rows("UPDATE entries SET lines = '9H' WHERE number = %(number)s RETURNING 1", row)
        looked(Watcher(floor))
        assert watch_alarms(floor)[1] == []
    (record,) = [one for one in caplog.records if one.name.endswith("watcher")]
    assert "is unreadable" in record.getMessage()
    assert "9H" not in record.getMessage()


def test_the_watch_runs_until_it_is_ended(database: str) -> None:
    over = threading.Event()
    with Database(database, 2) as floor:
        floor.prepare()
        thread = threading.Thread(target=Watcher(floor).run, args=(over, 0.05))
        thread.start()
        wait_until(lambda: watch_alarms(floor)[0] is not None)
        over.set()
        thread.join()


@needs_openssl
def test_an_analysis_of_the_floor_is_that_of_the_journal(
    tmp_path: Path, database: str, site: Site, state: Path
) -> None:
    # Two shoes, the second one over; of a third log nothing is under a signature.
    inputs = [*told(table("never")), Closed(at=AT)]
    first, second = journal(tmp_path / "first", inputs), journal(tmp_path / "second", inputs, "T-2")
    with filling(database, tmp_path / "filler") as (floor, filler):
        filler.deliver(first)
        filler.deliver(second)
        floor.rows("UPDATE streams SET proved = -1 WHERE table_id = 'T-2' RETURNING 1", {})
    config = Collector(site, state, database).file
    done = answered("analyse", "--floor", config, "--json")
    assert done.returncode == 3, done.stderr
    (group,) = json.loads(done.stdout)["groups"]
    assert (group["name"], group["outcome"]) == ("table T-1", "doubt")
    with Database(database, 1) as floor:
        floor.rows("UPDATE streams SET heard_at = now() - interval '31 days' RETURNING 1", {})
    done = answered("analyse", "--floor", config, "--json")
    assert done.returncode == 1
    assert b"no shoe is over" in done.stderr
    assert answered("analyse", "--floor", config, "--open").returncode == 2


def test_a_shoe_is_called_at_its_sixteenth_card_though_burned_ones_are_sealed(book: Journal) -> None:
    watch, cards, called = LogWatch(book.log, [], DayAccounts()), 0, list[int]()
    watch.is_live = True
    for entry in book.entries[1:]:
        said = [json.loads(line) for line in lines_of(entry)]
        cards = 0 if said[0]["event"] == "loaded" else cards + (said[0]["event"] == "card")
        called += [cards for one in watch.take(said) if one.kind == "kept_order"]
    assert called[0] == 16

"""A floor whose folder was restored signs no list over a newer one of which it does not know."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from msgspec import structs

from cardshoe.floor.persons.staff_list import Roll
from cardshoe.journal.delivery.wire import Has, Marks
from cardshoe.journal.proof.note import VerifyKey
from cardshoe.persons.signed_list import SignedList
from cardshoe.process.exits import Exit
from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.batches import SENDER
from tests.cardshoe.floor.house import BY, everybody, roll_in
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.site import Collector, Site, Teller
from tests.cardshoe.floor.waiting import alarms
from tests.kit.certificates import needs_openssl

pytestmark = [needs_postgres, needs_openssl]
TABLE: Final = "T-001"
OTHER: Final = "T-002"


class House(NamedTuple):
    """A floor that has handed out list 2, on which carl is disabled; and its folder and database from before."""

    site: Site
    postgres: Postgres
    state: Path
    floor: Collector
    image: Path
    dump: Path

    @property
    def roll(self) -> Roll:
        """The list."""
        return roll_in(self.state)

    def restore(self) -> None:
        """Puts the older folder in place."""
        shutil.rmtree(self.state / "persons")
        shutil.copytree(self.image, self.state / "persons")

    def listed(self, table: str, version: int) -> SignedList | None:
        """The list that a table with this version is given; ``None``: none."""
        with Teller(self.site, self.floor.address, table) as told:
            kept = ""
            issued = self.roll.issued()
            if version and issued is not None:
                kept = structs.replace(issued.for_table(table), version=version).signed(self.roll._key).decode()  # noqa: SLF001  # one of later
            found = told.tell(Has(table=table, sender=SENDER, logs=[], persons=kept))
        assert isinstance(found, Marks), found
        return SignedList.read(found.list.encode(), VerifyKey.parse(self.roll.key), table) if found.list else None

    def change(self, *command: str) -> str:
        """Why a change is refused; empty: it was made."""
        name, *more = command
        done = answered("floor", "persons", name, self.floor.file, *more, "--by", BY)
        assert done.returncode in (0, Exit.USAGE), done.stderr
        return done.stderr.decode() if done.returncode else ""


@pytest.fixture
def house(postgres: Postgres, database: str, site: Site, state: Path, tmp_path: Path) -> Iterator[House]:
    everybody(roll_in(state))
    with Collector(site, state, database) as floor:
        found = House(site, postgres, state, floor, tmp_path / "image", tmp_path / "floor.dump")
        assert found.listed(TABLE, 0) is not None
        shutil.copytree(state / "persons", found.image)
        postgres.dump(database, found.dump)
        assert not found.change("disable", "carl")
        newest = found.listed(TABLE, 1)
        assert newest is not None
        assert newest.version == 2
        yield found


def test_an_older_folder_neither_signs_nor_hands_out_over_what_tables_were_given(house: House, database: str) -> None:
    house.restore()
    assert "tables were given list 2 of persons, and this folder has 1" in house.change("disable", "sara")
    # A table that has no list yet must not get the one on which carl still is.
    assert house.listed(OTHER, 0) is None
    assert alarms(database) == [(OTHER, "", "older_list")]
    assert "`--after 1` or more" in house.change("publish")
    assert len(house.roll.changes()) == 1
    assert not house.change("disable", "carl", "--after", "2")
    handed = house.listed(OTHER, 0)
    assert handed is not None
    assert (handed.version, handed.persons["carl"].disabled) == (3, True)
    assert "the alarm `older_list` of table T-002 is open" in house.change("disable", "sara")
    closed = answered("floor", "close", house.floor.file, "1", "--by", BY)
    assert closed.returncode == 0, closed.stderr
    assert not house.change("disable", "sara")


def test_a_folder_and_a_database_that_are_both_older_wait_until_a_table_has_spoken(house: House) -> None:
    house.floor.kill()
    house.restore()
    older = house.postgres.restore("both_older", house.dump)
    floor = Collector(house.site, house.state, older)
    now = house._replace(floor=floor)
    assert "none has connected since the collector started" in now.change("disable", "sara")
    with floor:
        assert floor.get("/readyz")
        assert "none has connected since the collector started" in now.change("disable", "sara")
        assert len(now.roll.changes()) == 1
        assert now.listed(TABLE, 2) is not None
        assert alarms(older) == [(TABLE, "", "older_list")]
        assert "the alarm `older_list` of table T-001 is open" in now.change("disable", "sara")


def test_a_floor_that_only_began_anew_is_changed_once_a_table_was_heard(house: House) -> None:
    house.floor.kill()
    house.floor.start()
    assert house.floor.get("/readyz")
    assert "none has connected since the collector started" in house.change("disable", "sara")
    assert house.listed(TABLE, 2) is not None
    assert not house.change("disable", "sara")

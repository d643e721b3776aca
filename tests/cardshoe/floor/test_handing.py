"""Which list of persons a table gets of the collector: its own, and nobody another's."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
import pytest
from msgspec import structs

from cardshoe.floor.database import Database
from cardshoe.floor.persons.staff_list import Roll
from cardshoe.journal.delivery.wire import EVIDENCE_BYTES, Has, Marks, Refusal, Stands
from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.persons.signed_list import ListEntry, SignedList
from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.batches import SENDER, Journal
from tests.cardshoe.floor.house import BY, entry, roll_in
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.site import Collector, Site, Teller
from tests.cardshoe.floor.tables import journal
from tests.kit.certificates import needs_openssl

pytestmark = [needs_postgres, needs_openssl]
TABLE: Final = "T-001"
OTHER: Final = "T-002"


class At(NamedTuple):
    """A collector with persons, who speaks with one table's certificate, and where the database is."""

    roll: Roll
    told: Teller
    database: str

    def signed(self, version: int) -> str:
        """The table's list as this floor would sign it with another version; empty: version 0."""
        issued = self.roll.issued() if version else None
        if issued is None:
            return ""
        return structs.replace(issued.for_table(TABLE), version=version).signed(self.roll._key).decode()  # noqa: SLF001  # a floor of later

    def asked(self, table: str = TABLE, kept: str = "") -> Marks | Refusal:
        """Ask for a list."""
        found = self.told.tell(Has(table=table, sender=SENDER, logs=[], persons=kept))
        assert isinstance(found, Marks | Refusal)
        return found

    def listed(self, version: int = 0) -> str:
        """The list of the table."""
        found = self.asked(kept=self.signed(version))
        assert isinstance(found, Marks)
        return found.list

    def refused(self, table: str) -> str:
        """Why another table's list is not given."""
        found = self.asked(table)
        assert isinstance(found, Refusal)
        return found.code

    def alarms(self) -> list[tuple[str, str]]:
        """The open alarms that are about no log."""
        with psycopg.connect(self.database) as db:
            rows = db.execute("SELECT table_id, kind FROM alarms WHERE closed_at IS NULL AND log = '' ORDER BY id")
            return [(str(table), str(kind)) for table, kind in rows]


@pytest.fixture(scope="module")
def running(
    postgres: Postgres, site: Site, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Roll, Teller, str]]:
    state = tmp_path_factory.mktemp("handing") / "state"
    state.mkdir(mode=0o700)
    database = postgres.database("handing")
    with Database(database, 1) as prepared:
        prepared.prepare()
    with Collector(site, state, database) as floor, Teller(site, floor.address, TABLE) as told:
        yield roll_in(state), told, database


@pytest.fixture
def at(running: tuple[Roll, Teller, str]) -> At:
    roll, told, database = running
    with psycopg.connect(database) as db:
        db.execute("UPDATE alarms SET closed_at = now() WHERE closed_at IS NULL")

    def change(known: dict[str, ListEntry]) -> str:
        known.clear()
        known.update(cara=entry("cara"), carl=entry("carl", [OTHER]), sara=entry("sara", [TABLE, OTHER]))
        return "as at the beginning"

    roll.change(BY, change)
    return At(roll, told, database)


def test_a_table_is_told_of_another_list_with_each_answer_and_gets_its_own_persons(
    at: At, tmp_path: Path, inputs: list[AnyInput]
) -> None:
    book = Journal(journal(tmp_path / "journals", TABLE, inputs))
    data = at.listed().encode()
    issued = SignedList.read(data, VerifyKey.parse(at.roll.key), TABLE)
    assert list(issued.persons) == ["cara", "sara"]
    digest = hashlib.sha256(data).hexdigest()
    has, stands = at.told.tell(book.has()), at.told.tell(book.batch(0, 20))
    assert isinstance(has, Marks)
    assert isinstance(stands, Stands)
    assert has.persons == stands.persons == digest
    assert has.list == ""  # only who asks for it is given it
    at.roll.change(BY, lambda known: known.pop("sara").id)
    again = at.told.tell(book.batch(20, 30))
    assert isinstance(again, Stands)
    assert again.persons not in {"", digest}


def test_one_table_gets_no_list_of_another(at: At) -> None:
    assert at.refused(OTHER) == "not_yours"
    assert at.alarms() == [(TABLE, "not_yours")]
    with pytest.raises(BadNote, match="another table"):
        SignedList.read(at.listed().encode(), VerifyKey.parse(at.roll.key), OTHER)


def test_a_table_that_has_a_newer_list_is_an_alarm(at: At) -> None:
    issued = at.roll.issued()
    assert issued is not None
    assert at.listed(issued.version)
    assert at.alarms() == []
    assert at.listed(issued.version + 3)
    assert at.alarms() == [(TABLE, "older_list")]
    # A person decides what is published over it: what a table says alone moves no version.
    again = at.roll.issued()
    assert again is not None
    assert again.version == issued.version


def test_only_a_list_that_this_floor_has_signed_is_evidence(at: At, tmp_path: Path) -> None:
    issued = at.roll.issued()
    assert issued is not None
    newer = at.signed(issued.version + 3)
    number = f"\n{issued.version + 3} "
    others = roll_in(tmp_path / "other")
    others.change(BY, lambda known: known.setdefault("sara", entry("sara")).id)
    theirs = others.issued()
    assert theirs is not None
    for kept in (
        "x", "999999999", newer[:-5], newer.replace(number, "\n999999999 "), newer.replace(number, f"\n0{number[1:]}"),
        structs.replace(theirs.for_table(TABLE), version=999_999_999).signed(others._key).decode(),  # noqa: SLF001  # as above
        structs.replace(issued.for_table(OTHER), version=999_999_999).signed(at.roll._key).decode(),  # noqa: SLF001  # as above
        at.signed(10**9), at.signed(10**15), at.signed(2**63),
    ):  # fmt: skip
        found = at.asked(kept=kept)
        assert isinstance(found, Marks)
        assert found.list
        assert at.alarms() == []
    at.roll.change(BY, lambda known: known.pop("carl").id)  # and the list goes on
    assert isinstance(at.asked(kept=newer), Marks)
    assert at.alarms() == [(TABLE, "older_list")]


@pytest.mark.parametrize(
    "version", ["-1", "1", "9007199254740992", "1.5", "null", "[]", "[" * 100_000, f'"{"x" * (EVIDENCE_BYTES + 1)}"']
)
def test_what_asks_for_no_list_is_malformed(at: At, version: str) -> None:
    body = f'{{"table":"{TABLE}","sender":"{SENDER}","logs":[],"persons":{version}}}'
    answer = at.told.post("/v1/has", content=body.encode())
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("name", ["' OR 1=1 --", "{{7*7}}", "../../persons/key", "T-001\0", "%s"])
def test_the_name_of_a_table_is_a_value(at: At, name: str) -> None:
    assert at.refused(name) == "not_yours"
    with psycopg.connect(at.database) as db:
        row = db.execute("SELECT detail FROM alarms WHERE kind = 'not_yours' ORDER BY id DESC").fetchone()
    assert row is not None
    assert json.dumps(name)[1:-1].replace("\\u0000", "\\x00") in row[0]


def test_a_floor_whose_list_was_altered_hands_out_none(at: At, tmp_path: Path, inputs: list[AnyInput]) -> None:
    book = Journal(journal(tmp_path / "journals", TABLE, inputs))
    path = at.roll.folder / "list"
    good = path.read_bytes()
    path.write_bytes(good.replace(b'"croupier"', b'"regulator"', 1))
    try:
        assert at.listed() == ""
        stands = at.told.tell(book.batch(0, 20))
        assert isinstance(stands, Stands)  # lines are taken all the same
        assert stands.persons == ""
    finally:
        path.write_bytes(good)
    assert at.listed() != ""

"""The floor's list at a table: which one holds, what happens when its time is over, and who is known then."""

from pathlib import Path
from typing import Final

import msgspec
import pytest

from cardshoe.journal.proof.note import sign
from cardshoe.persons.floor_list import FloorList, MergedPersons
from cardshoe.persons.registry import Person, StaffRegistry
from cardshoe.table.live import messages as says
from cardshoe.table.staff_service import Persons
from regulations.events.inputs import AnyInput
from regulations.events.notices import PersonsListed
from tests.cardshoe.persons.lists import AT, TABLE, UNTIL, Signer, Wall, hashed, put
from tests.cardshoe.persons.support import CHEAP, PINS, Clock, code_of, events, registry_in, signed_in
from tests.cardshoe.table.live.support import ServedTable
from tests.kit.sealed import verified

FLOOR: Final = Signer()
DAY_S: Final = 86_400.0
LATER: Final = "2026-11-25T06:00:00.000000Z"


def list_in(folder: Path, wall: Wall | None = None, signer: Signer = FLOOR) -> FloorList:
    """The list of a table, as after a start."""
    return FloorList(folder / "T-1.persons", signer.key.public, TABLE, wall or Wall())


def test_a_newer_list_takes_the_place_of_an_older_one_and_not_the_other_way_round(tmp_path: Path) -> None:
    path, listed = tmp_path / "T-1.persons", list_in(tmp_path)
    assert listed.poll() is None
    assert listed.left_s is None
    put(path, FLOOR.issue(41))
    assert listed.poll() == PersonsListed(version=41, issued=AT, until=UNTIL, persons=7)
    assert listed.poll() is None
    put(path, FLOOR.issue(40, issued=LATER))
    assert listed.poll() is None
    assert listed.holding is not None
    assert listed.holding.issued.version == 41
    put(path, FLOOR.issue(41, issued=LATER, until="2026-12-09T06:00:00.000000Z"))
    assert (news := listed.poll()) is not None
    assert (news.version, news.issued) == (41, LATER)
    put(path, FLOOR.issue(41, issued="2026-11-26T06:00:00.000000Z", disabled=["cara"]))
    assert listed.poll() is None  # a version names the same persons each time that it is signed
    put(path, FLOOR.issue(42, disabled=["cara"]))
    assert (news := listed.poll()) is not None
    assert (news.version, listed.holding.persons["cara"].disabled) == (42, True)


def test_an_older_list_is_not_taken_after_a_restart_either(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "T-1.persons"
    put(path, FLOOR.issue(41))
    list_in(tmp_path).poll()
    put(path, FLOOR.issue(40, issued=LATER))
    after = list_in(tmp_path)
    assert after.poll() is None
    assert after.holding is None
    assert "list 40" in caplog.text
    assert "older than an accepted one" in caplog.text
    put(path, FLOOR.issue(41))
    assert (news := list_in(tmp_path).poll()) is not None
    assert news.version == 41
    path.unlink()
    put(path, FLOOR.issue(40))
    assert list_in(tmp_path).poll() is None


def test_another_floor_begins_anew_once_the_configuration_names_its_key(tmp_path: Path) -> None:
    path, other = tmp_path / "T-1.persons", Signer(2)
    put(path, FLOOR.issue(41))
    list_in(tmp_path).poll()
    put(path, other.issue(1))
    assert list_in(tmp_path).poll() is None
    assert (news := list_in(tmp_path, signer=other).poll()) is not None
    assert news.version == 1


@pytest.mark.parametrize(
    "data",
    [
        Signer(2).issue(99),
        FLOOR.issue(99)[:-5],
        FLOOR.issue(99)[:400],
        FLOOR.issue(99, table="T-2"),
        FLOOR.issue(99, table=None),
        FLOOR.issue(99).replace(b'"cara","role":"croupier"', b'"cara","role":"supervisor"'),
        sign("cardshoe/mark\nx\n", FLOOR.key),
        b"",
        b"\0" * 3_000_000,
    ],
    ids=["another floor's", "torn", "truncated", "another table's", "the whole", "altered", "a mark", "empty", "long"],
)
def test_what_is_no_list_of_this_table_changes_nothing(tmp_path: Path, data: bytes) -> None:
    path, listed = tmp_path / "T-1.persons", list_in(tmp_path)
    put(path, FLOOR.issue(41))
    listed.poll()
    put(path, data)
    assert listed.poll() is None
    assert listed.holding is not None
    assert listed.holding.issued.version == 41
    assert list_in(tmp_path).poll() is None


def test_a_list_that_others_can_read_is_not_taken(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "T-1.persons"
    put(path, FLOOR.issue(41))
    path.chmod(0o644)
    assert list_in(tmp_path).poll() is None
    assert f"chmod 600 {path}" in caplog.text


def test_a_memory_that_is_none_takes_no_list(tmp_path: Path) -> None:
    put(tmp_path / "T-1.persons", FLOOR.issue(41))
    (tmp_path / "T-1.persons-seen").write_text("?")
    assert list_in(tmp_path).poll() is None


def test_who_is_known_by_file_and_list_together(tmp_path: Path) -> None:
    wall, registry = Wall(), StaffRegistry(tmp_path / "persons.toml")
    own = {"local", "cara", "carl"}
    registry.change(lambda _: [Person(id=one, role="supervisor", pin=hashed("sven")) for one in sorted(own)])
    listed = list_in(tmp_path, wall)
    known = MergedPersons(registry, listed)
    assert set(known.persons()) == own
    put(tmp_path / "T-1.persons", FLOOR.issue(41, disabled=["carl"]))
    listed.poll()
    # While the list counts, it alone does.
    assert "local" not in known.persons()
    assert known.persons()["cara"].role == "croupier"
    wall.s = 14 * DAY_S
    assert (news := listed.poll()) is not None
    assert news.lapsed
    assert listed.left_s == 0
    found = known.persons()
    # Once it is over: its croupiers, whom it has disabled, and of others those in the file.
    assert {name: one.role for name, one in found.items() if not one.disabled} == {
        "local": "supervisor", "cara": "croupier",
    }  # fmt: skip
    assert found["carl"].disabled
    put(tmp_path / "T-1.persons", FLOOR.issue(42, issued=wall(), until="2027-01-01T00:00:00.000000Z"))
    assert (news := listed.poll()) is not None
    assert not news.lapsed
    assert known.persons()["sara"].role == "supervisor"


def test_who_is_disabled_by_the_floor_is_signed_out_and_the_log_says_by_which_list(tmp_path: Path) -> None:
    wall, path = Wall(), tmp_path / "T-1.persons"
    put(path, FLOOR.issue(41))

    def persons(note: object) -> Persons:
        assert callable(note)
        registry = StaffRegistry(tmp_path / "persons.toml")
        return Persons(registry, note, CHEAP, Clock(), listed=list_in(tmp_path, wall))

    with ServedTable(tmp_path, persons=persons) as table, table.client() as client:
        assert table.persons is not None
        cara, sara = signed_in(client, "cara"), signed_in(client, "sara")
        put(path, FLOOR.issue(42, disabled=["cara"]))
        table.persons.tick()
        shuffled = msgspec.Raw(b'{"event":"shuffled","by":"croupier"}')
        assert code_of(client.ask(says.SubmitInput(id="1", line=shuffled, session=cara))) == "not_permitted"
        assert code_of(client.ask(says.SignIn(id="2", person="cara", pin=PINS["cara"]))) == "sign_in_refused"
        wall.s = 14 * DAY_S
        table.persons.tick()
        assert code_of(client.ask(says.SubmitInput(id="3", line=shuffled, session=sara))) == "not_permitted"
        assert code_of(client.ask(says.SignIn(id="4", person="sara", pin=PINS["sara"]))) == "sign_in_refused"
        assert isinstance(
            client.ask(says.SubmitInput(id="5", line=shuffled, session=signed_in(client, "carl"))), says.InputResult
        )
    # Whoever is signed in on a connection that ends is signed out too, soon or with the table.
    found = [one for one in events(table, "persons_listed", "signed_out") if one.get("because") != "gone"]
    assert [(one.get("version"), one.get("lapsed", False), one.get("person"), one.get("because")) for one in found] == [
        (41, False, None, None),
        (42, False, None, None),
        (None, False, "cara", "changed"),
        (42, True, None, None),
        (None, False, "sara", "changed"),
    ]
    assert table.place.newest_journal is not None
    verified(table.place.newest_journal)


def test_the_list_that_there_is_holds_from_the_start(tmp_path: Path) -> None:
    notes: list[AnyInput] = []
    registry = registry_in(tmp_path)
    persons = Persons(registry, notes.append, CHEAP, listed=list_in(tmp_path))
    put(tmp_path / "T-1.persons", FLOOR.issue(41))
    with persons:
        assert [type(one) for one in notes] == [PersonsListed]

"""The floor's own list of persons: its versions, its key, and the commands that change it."""

import json
import os
import stat
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from cardshoe.floor.persons.staff_list import Roll, check_account
from cardshoe.journal.proof.note import VerifyKey
from cardshoe.persons.signed_list import SignedList
from cardshoe.process.exits import Exit, Stop
from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.house import BY, disable, entry, everybody, roll_in
from tests.cardshoe.floor.site import GOOD
from tests.cardshoe.persons.lists import Signer, Wall
from tests.cardshoe.persons.support import CHEAP, PINS

DAY_S: Final = 86_400.0


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """A configuration of a floor, without a database."""
    path = tmp_path / "floor.toml"
    path.write_text(GOOD + "[persons]\nvalid_days = 3\n")
    return path


def say(floor: Path, command: str, *more: str, code: int = 0) -> Any:  # noqa: ANN401  # what JSON holds
    done = answered("floor", "persons", command, floor, *more, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout or "null") if code == 0 else done.stderr.decode()


def test_each_change_is_a_version_that_says_who_made_it(floor: Path, tmp_path: Path) -> None:
    pin = tmp_path / "pin"
    pin.write_text(PINS["cara"])
    pin.chmod(0o600)
    by = ("--by", BY, "--after", "0")  # there is no database that could be asked
    assert say(floor, "list") == {"key": say(floor, "key")["key"], "version": 0, "persons": []}
    say(floor, "add", "cara", "--role", "croupier", "--at", "T-2", "--at", "T-1", "--pin-file", str(pin), *by)
    say(floor, "add", "rosa", "--role", "regulator", "--at", "none", "--pin-file", str(pin), *by)
    assert "already" in say(floor, "add", "cara", "--role", "croupier", "--pin-file", str(pin), *by, code=Exit.USAGE)
    say(floor, "change", "cara", "--role", "supervisor", "--at", "all", *by)
    say(floor, "disable", "cara", *by)
    assert "nothing would change" in say(floor, "disable", "cara", *by, code=Exit.USAGE)
    say(floor, "pin", "cara", "--pin-file", str(pin), *by)
    say(floor, "publish", "--after", "41", "--by", BY)
    found = say(floor, "list")
    assert found["persons"] == [
        {"id": "cara", "role": "supervisor", "tables": None, "disabled": False},
        {"id": "rosa", "role": "regulator", "tables": [], "disabled": False},
    ]
    span = datetime.fromisoformat(found["until"]) - datetime.fromisoformat(found["issued"])
    assert (found["version"], span) == (42, timedelta(days=3))
    assert [(one["version"], one["by"], one["did"]) for one in say(floor, "history")] == [
        (1, BY, "added cara: croupier, tables T-1, T-2"),
        (2, BY, "added rosa: regulator, no table"),
        (3, BY, "cara: supervisor, all tables"),
        (4, BY, "cara: disabled"),
        (5, BY, "cara: another PIN"),
        (42, BY, "published after 41"),
    ]
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "floor" / "persons").iterdir()}
    assert files == {"key": 0o600, "list": 0o600, "changes": 0o600}
    assert CHEAP.fits(roll_in(tmp_path / "floor").persons()["cara"].pin, PINS["cara"])


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("add", "a b", "--role", "croupier"), "is not a valid id"),
        (("add", "x' OR 1=1 --", "--role", "croupier"), "is not a valid id"),
        (("add", "{{7*7}}", "--role", "croupier"), "is not a valid id"),
        (("add", "new", "--role", "croupier", "--at", "all", "--at", "T-1"), "Use `all` or `none` alone"),
        (("add", "new", "--role", "root"), "root"),
        (("pin", "nobody"), "no person nobody"),
        (("disable", "nobody"), "no person nobody"),
        (("change", "cara"), "Say what"),
        (("add", "new", "--role", "croupier"), "there is no terminal to ask at"),
    ],
)
def test_what_cannot_be_changed_is_said(floor: Path, tmp_path: Path, command: tuple[str, ...], why: str) -> None:
    everybody(roll_in(tmp_path / "floor"))
    name, *more = command
    done = answered("floor", "persons", name, floor, *more, "--by", BY)
    assert (done.returncode, why in done.stderr.decode()) == (Exit.USAGE, True), done.stderr
    assert roll_in(tmp_path / "floor").issued() == roll_in(tmp_path / "floor").issued()
    assert len(roll_in(tmp_path / "floor").changes()) == 1


def test_without_the_database_nothing_is_changed_but_by_who_says_after_which_version(
    floor: Path, tmp_path: Path
) -> None:
    everybody(roll_in(tmp_path / "floor"))
    said = say(floor, "disable", "cara", "--by", BY, code=Exit.USAGE)
    assert "tables may have a newer list than 1: " in said
    assert "`--after 1`" in said
    assert len(roll_in(tmp_path / "floor").changes()) == 1
    assert say(floor, "disable", "cara", "--by", BY, "--after", "1")["version"] == 2


def test_a_change_for_which_there_was_no_room_leaves_no_half_line(tmp_path: Path) -> None:
    roll = roll_in(tmp_path / "floor")
    everybody(roll)
    with (roll.folder / "changes").open("ab") as file:
        file.write(b'{"version":2,"at":"2026-11-')
    assert [one.version for one in roll.changes()] == [1]
    disable(roll, "cara")
    assert [(one.version, one.did) for one in roll.changes()] == [(1, "added everybody"), (2, "cara: disabled")]


def test_nobody_publishes_a_list_of_nobody(floor: Path) -> None:
    assert "no staff registered" in say(floor, "publish", "--by", BY, code=Exit.USAGE)


def test_the_first_one_to_be_added_has_no_password_that_anybody_knows(floor: Path, tmp_path: Path) -> None:
    assert roll_in(tmp_path / "floor").persons() == {}
    assert roll_in(tmp_path / "floor").for_table("T-1") is None
    assert say(floor, "list")["persons"] == []


def test_a_list_is_signed_anew_before_its_time_and_keeps_its_version(tmp_path: Path) -> None:
    wall = Wall()
    roll = Roll(tmp_path, 14, wall)
    assert not roll.renew()
    everybody(roll)
    first, digest = roll.issued(), roll.digest("T-1")
    assert first is not None
    wall.s = 1.3 * DAY_S
    assert not roll.renew()
    wall.s = 1.4 * DAY_S
    assert roll.renew()
    second = roll.issued()
    assert second is not None
    assert (second.version, second.entries) == (first.version, first.entries)
    assert second.edition > first.edition
    assert second.until > first.until
    assert roll.digest("T-1") != digest
    assert len(roll.changes()) == 1
    # A clock that was set back renews nothing: tables would not take what is older.
    wall.s = -DAY_S
    assert not roll.renew()


def test_another_process_sees_a_change_and_no_change_is_lost(tmp_path: Path) -> None:
    one, two = roll_in(tmp_path), roll_in(tmp_path)
    everybody(one)
    assert one.key == two.key
    assert set(two.persons()) == set(one.persons())
    disable(two, "cara")
    disable(one, "carl")
    issued = two.issued()
    assert issued is not None
    assert (issued.version, [one.id for one in issued.entries if one.disabled]) == (3, ["cara", "carl"])


def test_what_this_floor_has_not_signed_lets_nobody_in(tmp_path: Path) -> None:
    roll = roll_in(tmp_path)
    everybody(roll)
    path = roll.folder / "list"
    for data in (Signer().issue(9, table=None), path.read_bytes()[:-7], path.read_bytes().replace(b"cara", b"carb")):
        path.write_bytes(data)
        for asked in (roll.persons, roll.issued, lambda: roll.digest("T-1"), lambda: roll.change(BY, lambda _: "x")):
            with pytest.raises(Stop, match="is not what this floor has signed"):
                asked()


def test_a_change_that_makes_no_list_changes_nothing(tmp_path: Path) -> None:
    roll = roll_in(tmp_path)
    everybody(roll)
    before = roll.issued()
    with pytest.raises(Stop, match="nothing was changed"):
        roll.change(BY, lambda known: known.setdefault("zoe", entry("cara")).id)
    assert roll_in(tmp_path).issued() == before
    assert len(roll.changes()) == 1


def test_each_table_has_a_list_that_its_key_verifies(tmp_path: Path) -> None:
    roll = roll_in(tmp_path)
    everybody(roll)
    for table in ("T-1", "B/101 \u4e5d", "'; --"):
        data = roll.for_table(table)
        assert data is not None
        assert SignedList.read(data, VerifyKey.parse(roll.key), table).table == table


def test_commands_are_run_by_the_account_of_the_floor(tmp_path: Path) -> None:
    check_account(tmp_path)
    check_account(tmp_path / "not there yet")
    if os.geteuid() == 0:
        os.chown(tmp_path, 65534, 65534)
        with pytest.raises(Stop, match="belongs to nobody") as caught:
            check_account(tmp_path)
        assert "runuser -u nobody" in caught.value.remedy
        os.chown(tmp_path, 0, 0)

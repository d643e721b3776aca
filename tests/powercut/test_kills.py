"""The points at which processes are killed, and what is said of those that lost something."""

from pathlib import Path

from cardshoe.journal import Keyring
from tests.cardshoe.journal.sealed import sealed_journal
from tests.powercut.kills import Kills, every_step, game, look_at, points, role_of
from tests.powercut.operations import NOTHING, Stored

POINTS = {
    "create: before write passing-wal", "create: before link journal", "create: after link journal",
    "create: after create key", "create: after sync key", "create: before sync folder", "create: acknowledged to table",
    "open: before create wal", "open: before create ballast", "open: before sync wal", "open: before sync folder",
    "open: after write wal", "open: acknowledged to table",
    "open: before write key", "open: after write key", "open: after delete key",
    "open: before write old-key", "open: after write old-key", "open: after delete old-key",
    "append: before write wal", "append: after write wal", "append: before sync wal", "append: after sync wal",
    "append: acknowledged to table",
    "signed append: after sync wal", "signed append: acknowledged to witness", "signed append: acknowledged to table",
    "sign: before sync wal", "sign: after sync wal", "sign: acknowledged to witness",
    "begin_shoe: before create key", "begin_shoe: after create key", "begin_shoe: after write key",
    "begin_shoe: after sync key", "begin_shoe: before write wal", "begin_shoe: after write wal",
    "begin_shoe: before sync wal", "begin_shoe: after sync wal", "begin_shoe: before write old-key",
    "begin_shoe: after write old-key", "begin_shoe: after sync old-key", "begin_shoe: before delete old-key",
    "begin_shoe: after delete old-key", "begin_shoe: after sync folder", "begin_shoe: acknowledged to witness",
    "checkpoint: before write journal", "checkpoint: after write journal", "checkpoint: before sync journal",
    "checkpoint: after sync journal",
    "room: before delete ballast", "room: after resize ballast",
    "close: after write journal", "close: before sync journal", "close: after truncate wal", "close: before delete wal",
    "close: after delete wal", "close: after delete ballast",
}  # fmt: skip
"""A selection: wherever the next step of the disk decides what is there afterwards."""


def test_every_step_of_a_journal_has_its_points() -> None:
    passed = points()
    assert set(passed[every_step][True]) >= POINTS
    # Who takes a journal up passes all of them but those of making it.
    assert {point for point in POINTS if not passed[every_step][False][point]} == {
        point for point in POINTS if point.startswith("create")
    }
    # A game passes the same, but for what only a change of keys that was cut short leaves to do.
    missed = {point for point in POINTS if not passed[game][True][point] and not passed[game][False][point]}
    assert {point.split()[-1] for point in missed} <= {"key", "old-key", "ballast"}
    assert {point.split(":")[0] for point in missed} <= {"open", "room", "close"}


def test_the_key_that_goes_is_told_from_the_one_that_comes() -> None:
    names = {"x.journal", "x.journal-key-9", "x.journal-key-10"}
    assert [role_of(name, names) for name in ("x.journal-key-9", "x.journal-key-10", "x.journal-key-11")] == [
        "old-key",
        "key",
        "key",
    ]


def test_what_was_acknowledged_and_is_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "b-101.journal"
    kills = Kills()
    assert look_at(path, NOTHING, kills) == ""  # nothing was acknowledged, nothing is there
    assert "there is no journal" in look_at(path, Stored(0), kills)
    there = Stored(len(sealed_journal(path)), 4, 12)
    assert look_at(path, there, kills) == ""
    for more in Stored(there.seq + 1), Stored(0, keys=5), Stored(0, checkpoints=13):
        assert look_at(path, more, kills) == f"acknowledged: {more}; there: {there}"
    key = Keyring(path).path(3)
    held = key.read_bytes()
    Keyring(path).make(3)
    assert "is another key" in look_at(path, there, kills)
    key.unlink()
    assert "key 3 is missing" in look_at(path, there, kills)
    key.write_bytes(held)
    path.write_bytes(path.read_bytes()[:-4096])
    assert "broken" in look_at(path, there, kills)
    assert (kills.lost, kills.broken) == (6, 1)
    kills.hit["append: acknowledged to table"] += 1
    assert not kills.is_good

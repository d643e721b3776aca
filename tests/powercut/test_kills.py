"""The points at which processes are killed, and what is said of those that lost something."""

from pathlib import Path

from tests.powercut.kills import Kills, look_at, points
from tests.table.journal.samples import closed_journal

POINTS = {
    "create: before write passing-wal", "create: before link journal", "create: after link journal",
    "create: before sync folder", "create: acknowledged",
    "open: before create wal", "open: before create ballast", "open: before sync wal", "open: before sync folder",
    "open: after write wal", "open: acknowledged",
    "append: before write wal", "append: after write wal", "append: before sync wal", "append: after sync wal",
    "append: acknowledged",
    "begin_shoe: after write wal", "begin_shoe: after sync wal", "begin_shoe: before write journal",
    "begin_shoe: after write journal", "begin_shoe: before sync journal", "begin_shoe: after sync journal",
    "room: before delete ballast", "room: after resize ballast",
    "close: after write journal", "close: before sync journal", "close: after truncate wal", "close: before delete wal",
    "close: after delete wal", "close: after delete ballast",
}  # fmt: skip
"""A selection: wherever the next step of the disk decides what is there afterwards."""


def test_every_step_of_a_journal_has_its_points() -> None:
    passed = points()
    assert set(passed[True]) >= POINTS
    # Who takes a journal up passes all of them but those of making it.
    assert {point for point in POINTS if not passed[False][point]} == {
        point for point in POINTS if point.startswith("create")
    }


def test_a_lost_entry_a_lost_journal_and_a_broken_one_are_told(tmp_path: Path) -> None:
    path = tmp_path / "b-101.journal"
    kills = Kills()
    assert look_at(path, None, kills) == ""  # nothing was acknowledged, nothing is there
    assert "there is no journal" in look_at(path, 0, kills)
    last = len(closed_journal(path))
    assert look_at(path, last, kills) == ""
    assert look_at(path, last + 1, kills) == f"acknowledged up to {last + 1}, there up to {last}"
    path.write_bytes(path.read_bytes()[:-4096])
    assert "broken" in look_at(path, last, kills)
    assert (kills.lost, kills.broken) == (2, 1)
    kills.hit["append: acknowledged"] += 1
    assert not kills.is_good

"""The reserve and what it says."""

from pathlib import Path

from cardshoe.journal import DiskSpaceState, Journal
from cardshoe.journal.file.disk_space import BALLAST_BYTES, LOW_BYTES, Ballast, DiskSpace, free_space
from tests.cardshoe.journal.samples import HEADER


def test_the_reserve_takes_real_space(path: Path) -> None:
    ballast = Ballast(path)
    assert not ballast.held()
    assert ballast.hold()
    assert ballast.path.stat().st_blocks * 512 >= BALLAST_BYTES
    assert ballast.hold()
    ballast.release()
    ballast.release()
    assert not ballast.held()


def test_the_course_of_a_disk_that_fills_and_is_cleared(path: Path) -> None:
    ballast = Ballast(path)
    course = [LOW_BYTES, LOW_BYTES - 1, BALLAST_BYTES, BALLAST_BYTES - 1, 2 * BALLAST_BYTES, 0, LOW_BYTES]
    assert [ballast.assess(free).state for free in course] == [
        DiskSpaceState.ENOUGH,
        DiskSpaceState.LOW,
        DiskSpaceState.LOW,
        DiskSpaceState.BALLAST_RELEASED,
        DiskSpaceState.BALLAST_RELEASED,  # what is free now is the reserve itself
        DiskSpaceState.BALLAST_RELEASED,
        DiskSpaceState.ENOUGH,
    ]
    assert ballast.held()


def test_without_a_reserve_no_further_round_is_opened(path: Path) -> None:
    ballast = Ballast(path)
    ballast.path.mkdir()  # it cannot be made: something else is in its place
    assert ballast.assess(LOW_BYTES) == DiskSpace(DiskSpaceState.LOW, LOW_BYTES)


def test_a_reserve_that_was_cut_is_made_whole(path: Path) -> None:
    ballast = Ballast(path)
    ballast.path.write_bytes(b"")
    assert not ballast.held()
    assert ballast.hold()


def test_an_open_journal_knows_its_room(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        room = journal.room()
        assert room.state is (DiskSpaceState.ENOUGH if free_space(path.parent) >= LOW_BYTES else room.state)
        assert room.free_bytes > 0
        assert Ballast(path).held()

"""An uplink's fetch of the floor's lists of persons, and the part that it keeps."""

import hashlib
import re
import stat
from pathlib import Path
from typing import Final

import pytest

from cardshoe.table.uplink.persons_list import ListKeeper
from cardshoe.table.uplink.transport import FloorUnavailable
from tests.cardshoe.persons.lists import TABLE, Signer

FLOOR: Final = Signer()
LATER: Final = "2026-11-25T06:00:00.000000Z"


class Kept:
    """A keeper in a folder, and the list that it sent with each request; empty: none."""

    def __init__(self, folder: Path) -> None:
        self.path: Final = folder / "T-1.persons"
        self.asked: Final[list[bytes]] = []
        self._keeper: Final = ListKeeper(str(FLOOR.key.public), str(self.path), TABLE)

    def hears(self, data: bytes, digest: str = "") -> None:
        """There is news of a list, and this is what the floor answers."""

        def fetch(before: bytes) -> bytes:
            self.asked.append(before)
            return data

        self._keeper.hear(digest or hashlib.sha256(data).hexdigest(), fetch)


def test_what_is_newer_is_kept_and_fetched_once(tmp_path: Path) -> None:
    kept, first, second = Kept(tmp_path), FLOOR.issue(1), FLOOR.issue(2)
    kept.hears(first)
    kept.hears(first)
    assert kept.path.read_bytes() == first
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    kept.hears(second)
    renewed = FLOOR.issue(2, issued=LATER)
    kept.hears(renewed)
    assert kept.path.read_bytes() == renewed
    assert kept.asked == [b"", first, second]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["T-1.persons"]


def test_without_a_list_nothing_is_asked_for(tmp_path: Path) -> None:
    ListKeeper(str(FLOOR.key.public), str(tmp_path / "x"), TABLE).hear("", lambda _: b"")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (FLOOR.issue(1), "older"),
        (FLOOR.issue(2), "older"),
        (FLOOR.issue(2, issued="2026-11-26T06:00:00.000000Z", disabled=["cara"]), "differs from it"),
        (Signer(2).issue(9), "key"),
        (FLOOR.issue(9, table="T-2"), "another table"),
        (FLOOR.issue(9)[:-3], "note|signature|base64"),
        (b"", "note"),
    ],
)
def test_what_is_refused_is_not_kept_nor_fetched_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, data: bytes, why: str
) -> None:
    kept, good = Kept(tmp_path), FLOOR.issue(2, issued=LATER)
    kept.hears(good)
    for _ in range(3):
        kept.hears(data, "d" * 64)
    assert kept.path.read_bytes() == good
    assert kept.asked == [b"", good]
    assert re.search(f"was rejected: .*({why})", caplog.text), caplog.text
    newest = FLOOR.issue(3)
    kept.hears(newest)
    assert kept.path.read_bytes() == newest


def test_a_list_that_was_damaged_or_lost_is_fetched_anew(tmp_path: Path) -> None:
    kept, good = Kept(tmp_path), FLOOR.issue(2)
    kept.hears(good)
    kept.path.write_bytes(good[:100])
    kept.hears(good)
    assert kept.path.read_bytes() == good
    kept.path.unlink()
    kept.hears(good)
    assert kept.path.read_bytes() == good
    assert kept.asked == [b"", b"", b""]


def test_a_folder_that_cannot_be_written_is_told_once_and_holds_up_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gone = Kept(tmp_path / "gone")
    gone.hears(FLOOR.issue(1))
    gone.hears(FLOOR.issue(1))
    assert caplog.text.count("cannot be kept: No such file or directory") == 1
    (tmp_path / "gone").mkdir()
    gone.hears(FLOOR.issue(1))
    assert gone.path.read_bytes() == FLOOR.issue(1)


def test_a_floor_that_is_away_is_asked_again(tmp_path: Path) -> None:
    keeper = ListKeeper(str(FLOOR.key.public), str(tmp_path / "T-1.persons"), TABLE)

    def away(_before: bytes) -> bytes:
        raise FloorUnavailable("gone")

    for _ in range(2):
        with pytest.raises(FloorUnavailable):
            keeper.hear("d" * 64, away)

"""The short form of ``tests.firmware_bridge.update.packages``: no altered stick is taken; the harness would notice."""

from pathlib import Path

from tests.firmware_bridge.trust.forger import KINDS
from tests.firmware_bridge.trust.sticks import in_memory
from tests.firmware_bridge.update.packages import World, run

MUTATIONS = 270


def test_no_altered_stick_is_taken(seed: int) -> None:
    with in_memory() as folder:
        result = run(folder, MUTATIONS, seed)
    assert result.accepted == []
    assert result.packages == MUTATIONS == sum(result.codes.values())
    assert result.by_kind == dict.fromkeys(KINDS, MUTATIONS // len(KINDS))
    expected = {
        "threshold_missed",
        "mixed_and_matched",
        "malformed",
        "endless_data",
        "anchor_differs",
        "target_altered",
    }
    assert expected <= set(result.codes)


def test_a_stick_that_is_taken_counts(tmp_path: Path) -> None:
    world = World.make(tmp_path)
    (tmp_path / "try").mkdir()
    (tmp_path / "two").rename(tmp_path / "try" / "stick")
    assert world.accepts(tmp_path / "try" / "stick", "fresh") == ""

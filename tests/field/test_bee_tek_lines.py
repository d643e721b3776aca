"""A Bee-Tek shoe whose lines have no end, or whose line end comes first: each card arrives when it is drawn.

At the table the cards of such a shoe never arrived, and those of one that puts the line end in front arrived one late.
"""

from pathlib import Path

import pytest

from drivers.bee_tek import SILENCE_S
from tests.field.peers import told
from tests.firmware_bridge.bee_tek.wired import Wired, wired
from tests.kit.waiting import eventually


def silent(rig: Wired) -> list[str]:
    """What the table is told once the line has been silent for a moment."""
    rig.settle(0.0)
    rig.clock.advance(SILENCE_S)
    return told(rig)


@pytest.mark.parametrize("before", [b"", b"\r\n", b"\n"], ids=["none", "in front", "in front, one byte"])
def test_a_card_arrives_without_a_line_end_behind_it(tmp_path: Path, before: bytes) -> None:
    with wired(tmp_path) as rig:
        for frame, card in ((b"[Game]<Card:4S>", "4S"), (b"[Game]<Card:10H>10H", "TH"), (b"[Game]<Card:4S>", "4S")):
            rig.put(before + frame)
            assert silent(rig) == [card]
        assert rig.bridge.health().garbage_bytes == 0


def test_half_a_frame_is_not_taken_for_a_whole_one(tmp_path: Path) -> None:
    with wired(tmp_path) as rig:
        rig.put(b"[Game]<Card:1")
        rig.settle(0.0)
        rig.settle(2 * SILENCE_S)
        assert rig.told() == []
        rig.put(b"0H>")
        assert silent(rig) == ["TH"]


def test_a_burst_without_line_ends_is_every_card_in_it(tmp_path: Path) -> None:
    """A serial server that stalled delivers what it kept at once."""
    with wired(tmp_path) as rig:
        rig.put(b"[Game]<Card:4S>[Game]<Card:5S>" * 10)
        rig.settle(0.0)
        rig.clock.advance(SILENCE_S)
        eventually(lambda: rig.bridge.health().events == 20, "all are heard")
        assert rig.told() == ["4S", "5S"] * 10


def test_a_card_that_was_not_read_in_the_diagnostic_mode_is_an_unread_card(tmp_path: Path) -> None:
    with wired(tmp_path) as rig:
        rig.put(b"[Manual Burn Cards]<Game>\r\n")
        assert told(rig) == ["--"]

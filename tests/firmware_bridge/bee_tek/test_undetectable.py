"""Losses that nobody can notice at a Bee-Tek shoe: a test for each number of ``docs/protocols/bee-tek.md``, section 7.

What the table is told is then wrong or missing, and nothing says so: a case that shows after all is no longer
undetectable, and the page must say so.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.firmware_bridge.bee_tek.wired import Hand, Wired, swallowed, untouched, wired
from tests.kit.waiting import eventually

PAGE: Final = Path(__file__).parents[3] / "docs" / "protocols" / "bee-tek.md"
DAMAGED: Final = ["fault line_damaged"]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Wired]:
    with wired(tmp_path, "4S", "KD", "5C", "3H", "9S") as made:
        yield made


def replaced(old: bytes, new: bytes) -> Hand:
    """Puts some characters in the place of others."""

    def hand(line: bytes) -> bytes:
        assert old in line
        return line.replace(old, new)

    return hand


def without(*lines: bytes) -> Hand:
    """Swallows the lines that hold one of these."""
    return lambda line: b"" if any(part in line for part in lines) else line


def test_case_1_a_lost_line(rig: Wired) -> None:
    assert rig.draw() == ["4S"]
    assert rig.draw(swallowed) == []
    assert rig.draw() == ["5C"]
    assert rig.bridge.counters() == {"warnings": 0, "damaged": 0}


def test_case_2_a_changed_character(rig: Wired) -> None:
    assert rig.draw(replaced(b"4S", b"5S")) == ["5S"]
    assert rig.bridge.counters()["damaged"] == 0


@pytest.mark.parametrize("harm", [(b"4S", b"1S"), (b"Card", b"Cord"), (b"[Game]", b"[Gamf]")])
def test_case_2_shows_elsewhere(rig: Wired, harm: tuple[bytes, bytes]) -> None:
    rig.shoe.warn(1)
    assert rig.draw(lambda line: line.replace(*harm)) == DAMAGED


def test_case_2_shows_where_characters_are_repeated(tmp_path: Path) -> None:
    with wired(tmp_path, "4S", repeats=True) as rig:
        rig.shoe.warn(1)
        assert rig.draw(lambda line: line.replace(b"4S>", b"5S>")) == DAMAGED


def test_case_2_an_alarm_becomes_another(rig: Wired) -> None:
    rig.shoe.alarm("E5 Door Open")
    rig.hand = replaced(b"E5", b"E3")
    rig.settle()
    assert rig.told() == ["--"]


def test_case_3_a_doubled_line(rig: Wired) -> None:
    assert rig.draw(lambda line: line + line) == ["4S", "4S"]


def test_case_3_a_line_made_of_two(rig: Wired) -> None:
    assert rig.draw(lambda line: line[: line.index(b"S>")]) == []
    assert rig.draw(lambda line: line[line.index(b"D>") :]) == ["4D"]


def test_case_4_a_line_that_lost_all_its_brackets(rig: Wired) -> None:
    rig.draw()
    assert rig.draw(lambda line: re.sub(rb"[\[\]<>]", b"", line)) == []
    assert rig.draw(replaced(b"[", b"")) == DAMAGED


def test_case_5_a_card_drawn_while_the_line_is_down(rig: Wired) -> None:
    rig.draw()
    rig.wire.unplug()
    eventually(lambda: "device_lost" in rig.told(), "the loss is told")
    rig.draw()
    rig.wire.replug()
    rig.wait_for_connection(2)
    assert rig.told() == ["device_back"]
    assert rig.draw() == ["5C"]


def test_case_6_a_misread_card(rig: Wired) -> None:
    rig.shoe.misread_next("9H")
    assert rig.draw() == ["9H"]


def test_case_7_a_forged_line(rig: Wired) -> None:
    rig.put(b"[Game]<Card:AH>\r\n")
    rig.settle()
    assert rig.told() == ["AH"]
    assert rig.shoe.cards_left == 5


def test_case_8_a_mute_shoe(rig: Wired) -> None:
    rig.draw()
    heard = rig.bridge.health()
    rig.shoe.power_off()
    rig.settle(3600.0)
    assert rig.draw() == []
    assert rig.bridge.health() == heard


def test_case_9_damage_before_the_first_whole_line_of_a_connection(rig: Wired) -> None:
    assert rig.draw(replaced(b"Card", b"Cord")) == []
    assert rig.draw() == ["KD"]
    assert rig.bridge.counters()["damaged"] == 1


def test_case_10_damage_behind_damage(rig: Wired) -> None:
    rig.draw()
    assert rig.draw(replaced(b"Card", b"Cord")) == DAMAGED
    assert rig.draw(replaced(b"Card", b"Cord")) == []
    assert rig.draw() == ["3H"]
    assert rig.draw(replaced(b"Card", b"Cord")) == DAMAGED


def test_case_11_two_cards_that_were_not_read(rig: Wired) -> None:
    rig.shoe.fail_next_read()
    rig.shoe.fail_next_read()
    assert rig.draw(without(b"<Game>")) == ["--"]
    assert rig.draw(without(b"Alarm")) == []
    assert rig.shoe.cards_left == 3


def test_case_11_shows_if_either_lost_none(rig: Wired) -> None:
    rig.shoe.fail_next_read()
    rig.shoe.fail_next_read()
    assert rig.draw(untouched) == ["--"]
    assert rig.draw(without(b"Alarm")) == ["--"]


def test_every_number_of_the_page_has_its_test_and_no_other() -> None:
    section = PAGE.read_text("utf-8").split("\n## 7. ")[1].split("\n## ")[0]
    numbers = {int(number) for number in re.findall(r"^(\d+)\. \*\*", section, re.MULTILINE)}
    tests = {int(found[1]) for name in globals() if (found := re.match(r"test_case_(\d+)_", name))}
    assert numbers == tests == set(range(1, len(numbers) + 1))

"""Losses that nobody can notice at an Angel Eye shoe: a test for each of ``docs/protocols/angel-eye.md``, section 10.

What the table is told is then wrong or missing, and nothing says so: a case that shows after all is no longer
undetectable, and the page must say so.
"""

import re
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Final

import pytest

from drivers.angel_eye_commands import REPLY_TIMEOUT_S, CommandResult, NoReply
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from protocols.angel_eye.messages import Ack
from tests.firmware_bridge.lossy.wired import Hand, Wired, swallowed, untouched, wired
from tests.firmware_bridge.pen import Pen
from tests.kit.waiting import eventually

PAGE: Final = Path(__file__).parents[3] / "docs" / "protocols" / "angel-eye.md"
LOCK: Final = DeviceAction(DeviceActionKind.LOCK)
GAP: Final = ["fault sequence_gap", "fault_cleared sequence_gap"]
ROUND: Final = ("4S", "KD", "5C", "3H")
"""9 against 3: a natural, four cards and a result."""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Wired]:
    with wired(tmp_path, *ROUND) as made:
        yield made


@pytest.fixture
def two_rounds(tmp_path: Path) -> Iterator[Wired]:
    with wired(tmp_path, *ROUND, *ROUND) as made:
        yield made


def only(number: int, hand: Hand) -> Hand:
    """Lets one copy of three through, which meets a hand; the others are lost."""
    copies = iter(range(1, 4))
    return lambda frame: hand(frame) if next(copies) == number else b""


def changed(at: int, bit: int, *also: tuple[int, int]) -> Hand:
    def hand(frame: bytes) -> bytes:
        data = bytearray(frame)
        for place, mask in ((at, bit), *also):
            data[place] ^= mask
        return bytes(data)

    return hand


def exchanged(frame: bytes) -> bytes:
    """Exchanges the two bytes of a card."""
    return frame[:3] + frame[4:5] + frame[3:4] + frame[5:]


def play_round(rig: Wired, *, hand: Hand = untouched) -> None:
    """Four cards and the result."""
    for _ in ROUND:
        rig.draw(hand)
    verdict = rig.shoe.panel.verdict
    assert verdict is not None
    rig.meets(hand, lambda: rig.shoe.panel.press(verdict))


def in_time(rig: Wired, result: "Future[CommandResult]") -> CommandResult:
    """Let time pass and bytes move until a command has ended."""

    def moved() -> bool:
        rig.wire.pump()
        rig.clock.advance(REPLY_TIMEOUT_S / 10)
        return result.done()

    eventually(moved, "the command ended")
    return result.result()


SAME_COLUMN: Final = changed(3, 0x01, (4, 0x01))
"""Player 2, 82, becomes player 3; the five of clubs, A5, becomes the four."""
WITH_CHECK: Final = changed(4, 0x01, (7, 0x01))
"""The four of spades, B4, becomes the five; the check of this telegram, 40, becomes 41."""


def test_case_1_two_changed_bits_in_the_same_column(rig: Wired) -> None:
    rig.draw()
    rig.draw()
    assert rig.draw(only(1, SAME_COLUMN)) == ["3: 4C player 3"]


def test_case_1_a_changed_bit_and_a_check_that_happens_to_match(rig: Wired) -> None:
    assert rig.draw(only(1, WITH_CHECK)) == ["1: 5S player 1"]
    assert rig.draw() == ["2: KD banker 1"]


def test_case_1_shows_if_another_copy_arrives(rig: Wired) -> None:
    hands = iter((WITH_CHECK, untouched, untouched))

    def one_of_three(frame: bytes) -> bytes:
        return next(hands)(frame)

    told = rig.draw(one_of_three)
    assert "fault copies_differ" in told


def test_case_2_two_bytes_exchanged(tmp_path: Path) -> None:
    with wired(tmp_path, "4S", "3D") as rig:
        assert rig.draw() == ["1: 4S player 1"]
        # Banker 1 and the three of diamonds are 91 93: exchanged, banker 3 and the ace.
        assert rig.draw(exchanged) == ["2: AD banker 3"]


def test_case_3_an_invented_acknowledgement(rig: Wired) -> None:
    rig.wire.listen(lambda _: None)  # the shoe hears nothing
    assert rig.bridge.interlock.grant(LOCK)
    result = rig.bridge.perform(LOCK)
    rig.put(b"\x06")
    assert in_time(rig, result) == Ack()
    assert not rig.shoe.panel.is_locked
    assert rig.bridge.interlock.latched is None


def test_case_3_counts_only_while_a_command_is_outstanding(rig: Wired) -> None:
    rig.put(b"\x06")
    rig.settle()
    assert rig.bridge.interlock.grant(LOCK)
    result = rig.bridge.perform(LOCK)
    rig.wire.listen(lambda _: None)
    assert in_time(rig, result) == NoReply(3)


def test_case_4_a_lost_reply(rig: Wired) -> None:
    heard: list[bytes] = []

    def broken_off(data: bytes) -> None:
        heard.append(data)
        if len(heard) == 1:
            rig.put(b"\x05\x31D\x81")
        rig.shoe.receive(data)

    rig.wire.listen(broken_off)
    assert rig.bridge.interlock.grant(LOCK)
    assert in_time(rig, rig.bridge.perform(LOCK)) == Ack()
    # The first answer was lost without a trace; asked again, the shoe did again what it had done.
    assert len(heard) == 2
    assert heard[0] == heard[1]
    assert rig.shoe.panel.is_locked
    rig.settle()
    assert rig.told() == []


def test_case_5_a_gap_of_nine(rig: Wired) -> None:
    assert rig.draw() == ["1: 4S player 1"]
    for _ in range(9):
        assert rig.meets(swallowed, rig.shoe.panel.stand_by) == []
    assert rig.draw() == ["2: KD banker 1"]
    assert rig.bridge.counters()["gaps"] == 0


@pytest.mark.parametrize("lost", [8, 10])
def test_case_5_a_gap_of_eight_or_ten_shows(rig: Wired, lost: int) -> None:
    rig.draw()
    for _ in range(lost):
        rig.meets(swallowed, rig.shoe.panel.stand_by)
    assert rig.draw() == ["2: KD banker 1", *GAP]


def test_case_6_a_loss_before_a_restart(rig: Wired) -> None:
    play_round(rig)
    rig.meets(swallowed, rig.shoe.panel.stand_by)
    told = rig.meets(untouched, rig.shoe.power_cycle)
    # That it started again is shown; that anything was lost before is not.
    assert told == ["fault restarted", "fault_cleared restarted"]
    assert rig.bridge.counters()["gaps"] == 0


def test_case_6_a_lost_cut_card_makes_a_change_of_shoe_a_restart(tmp_path: Path) -> None:
    with wired(tmp_path) as rig:
        rig.shoe.unload()
        rig.shoe.load([*ROUND], 0)
        play_round(rig)
        assert rig.draw(swallowed) == []
        assert rig.shoe.cards_before_cut_card is None
        assert rig.meets(untouched, rig.shoe.power_cycle) == ["fault restarted", "fault_cleared restarted"]


def test_case_7_loss_of_the_last_telegram(rig: Wired) -> None:
    assert rig.draw() == ["1: 4S player 1"]
    assert rig.draw(swallowed) == []
    rig.clock.advance(3600.0)
    rig.settle()
    assert rig.told() == []
    # It shows when the next comes.
    assert rig.draw() == ["3: 5C player 2"]


def test_case_8_a_misread_card(rig: Wired) -> None:
    rig.shoe.misread_next("9H")
    assert rig.draw() == ["1: 9H player 1"]
    assert rig.draw() == ["2: KD banker 1"]


def test_case_9_a_forged_telegram(rig: Wired) -> None:
    # The shoe said "S" with number 1, then nothing.
    forged = Pen(2).write("P1 AH")
    for _ in range(3):
        rig.put(forged)
    rig.settle()
    assert rig.told() == ["1: AH player 1"]
    assert rig.shoe.cards_left == 52 + len(ROUND)


def test_case_10_after_a_loss_of_the_line_the_ninth_telegram_looks_like_a_copy(two_rounds: Wired) -> None:
    rig = two_rounds
    play_round(rig)
    rig.wire.unplug()
    eventually(lambda: "device_lost" in rig.told(), "the loss is told")
    rig.wire.replug()
    eventually(lambda: rig.bridge.health().connections == 2, "the port is open again")
    rig.told()
    # Eight telegrams are lost, four of them cards; the ninth is a result with the same bytes.
    for _ in range(4):
        rig.meets(swallowed, rig.shoe.panel.stand_by)
    for _ in ROUND:
        rig.draw(swallowed)
    verdict = rig.shoe.panel.verdict
    assert verdict is not None
    assert rig.meets(untouched, lambda: rig.shoe.panel.press(verdict)) == []
    assert rig.bridge.counters()["gaps"] == 0


def test_case_11_behind_a_gap_the_same_card_at_the_same_place_is_taken_for_a_repeat(two_rounds: Wired) -> None:
    rig = two_rounds
    assert rig.draw() == ["1: 4S player 1"]
    for _ in ROUND[1:]:
        rig.draw(swallowed)
    verdict = rig.shoe.panel.verdict
    assert verdict is not None
    rig.meets(swallowed, lambda: rig.shoe.panel.press(verdict))
    for _ in range(8):
        rig.meets(swallowed, rig.shoe.panel.stand_by)
    # Twelve telegrams were lost, which by Seq look like three: too few for another round to have come to this place.
    assert rig.meets(untouched, rig.shoe.panel.stand_by) == GAP
    assert rig.draw() == []
    assert rig.shoe.cards_left == 52 + 3
    # By the next card, too, the table is none the wiser.
    assert rig.draw() == ["2: KD banker 1"]


def test_every_number_of_the_page_has_its_test_and_no_other() -> None:
    section = PAGE.read_text("utf-8").split("\n## 10. ")[1].split("\n## ")[0]
    numbers = {int(number) for number in re.findall(r"^(\d+)\. \*\*", section, re.MULTILINE)}
    tests = {int(found[1]) for name in globals() if (found := re.match(r"test_case_(\d+)_", name))}
    assert numbers == tests == set(range(1, len(numbers) + 1))

"""Errors of the shoe are faults of the device; one whose end was lost does not hold the table for ever."""

import pytest

from firmware_bridge.angel_eye.session import ShoeSession
from tests.firmware_bridge.desk import BURN, SHOE, Desk, Listening, brief


@pytest.mark.parametrize("code", [2, 3, 4, 5, 7, 0, 63])
def test_an_error_and_its_end(code: int) -> None:
    assert brief(Listening().say(f"E{code}, e{code}")) == [f"fault {code}", f"fault_cleared {code}"]


def test_the_table_goes_on_after_an_error() -> None:
    desk = Desk()
    desk.say(f"{BURN}, P1 4S, E4")
    assert "continue" not in (desk.prompt.actions or [])
    desk.say("e4")
    assert "continue" in (desk.prompt.actions or [])
    desk.resolve("continue")
    desk.say("B1 KD")
    assert desk.dealt == ["P1 4S", "B1 KD"]
    assert desk.irregularities == ["device_fault"]


@pytest.mark.parametrize("proof", ["B1 KD", "G player", "R P1 QH", "S"])
def test_a_shoe_that_plays_again_has_no_error(proof: str) -> None:
    """The end of the error was lost with the line; nothing else would ever let the table continue."""
    desk = Desk()
    desk.say(f"{BURN}, P1 4S, E4, X")
    first, *_ = brief(desk.say(proof))
    assert first == "fault_cleared 4"
    desk.resolve("continue")


def test_an_overdraw_outlasts_a_card() -> None:
    """It may be that card that is overdrawn (Q14)."""
    line = Listening()
    assert brief(line.say("P1 4S, E2, B1 KD")) == ["1: 4S player 1", "fault 2", "2: KD banker 1"]
    assert brief(line.say("R P1 QH"))[0] == "fault_cleared 2"


def test_the_link_is_lost_and_back() -> None:
    session = ShoeSession(SHOE)
    assert session.back() == []
    assert brief(session.lost()) == ["device_lost"]
    assert brief(session.back()) == ["device_back"]
    assert session.back() == []


def test_cards_told_while_the_link_was_gone_show_as_a_gap() -> None:
    desk = Desk()
    desk.say(f"{BURN}, P1 4S")
    desk.link(lost=True)
    desk.say("X")
    desk.link(lost=False)
    desk.resolve("continue")
    desk.say("P2 5C")
    assert desk.irregularities == ["device_lost", "count_gap"]
    desk.resolve("identify", cards=["KD"])
    desk.say("B2 3H")
    assert desk.dealt == ["P1 4S", "B1 KD", "P2 5C", "B2 3H"]


def test_copies_heard_before_and_after_a_loss_are_one_telegram() -> None:
    desk = Desk()
    desk.say(BURN)
    (raw,) = desk.pen.script("P1 4S")
    desk.hear(raw, copies=1)
    desk.link(lost=True)
    desk.link(lost=False)
    desk.hear(raw, copies=1)
    assert desk.dealt == ["P1 4S"]
    assert desk.irregularities == ["device_lost"]


@pytest.mark.parametrize(
    ("word", "events"), [("P1 4S", []), ("E1", []), ("G player", []), ("P", ["fault", "fault_cleared"])]
)
def test_a_box_may_keep_copies_until_the_link_is_back(word: str, events: list[str]) -> None:
    """However long that took. Stand-by is left out: it often has the same bytes nine telegrams on."""
    line = Listening()
    line.session.stack_loaded()
    (raw,) = line.pen.script(word)
    line.hear(raw, copies=1)
    line.session.lost()
    line.now_s += 60
    line.session.back()
    assert [text.split()[0] for text in brief(line.hear(raw, copies=2))] == events
    assert line.say("L1") == []

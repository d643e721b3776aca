"""Each telegram comes three times: copies are told by Seq and all bytes within a second, never by Seq alone."""

import msgspec
import pytest

from firmware_bridge.angel_eye.session import ShoeSession
from tests.firmware_bridge.desk import BURN, SHOE, Desk, Listening, brief, messages_of
from tests.firmware_bridge.pen import Pen

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
EIGHT_OF_CLUBS_TO_BANKER = bytes.fromhex("05 31 44 91 A8 03 34 46")
"""Bit 4 of both card bytes changed: the check stays "4F"."""


def test_a_card_becomes_one_event_with_everything_the_shoe_said(line: Listening) -> None:
    (event,) = line.hear(EIGHT_OF_SPADES)
    assert msgspec.to_builtins(event) == {
        "event": "card",
        "device": "shoe",
        "raw": "05314481b8033446",
        "card": "8S",
        "face": "down",
        "unseen": False,
        "count": 1,
        "claimed": {"to": "player", "position": 1},
    }
    assert (line.session.repeats, line.session.gaps) == (2, 0)


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_one_copy_is_enough(line: Listening, copies: int) -> None:
    assert brief(line.hear(EIGHT_OF_SPADES, copies)) == ["1: 8S player 1"]


def test_copies_of_two_telegrams_may_alternate(line: Listening) -> None:
    first, second = Pen().script("P1 8S, B1 9D")
    heard = [line.hear(raw, copies=1) for raw in (first, second, first, second, first)]
    assert [brief(events) for events in heard] == [["1: 8S player 1"], ["2: 9D banker 1"], [], [], []]
    assert line.session.gaps == 0


def test_a_copy_comes_within_a_second() -> None:
    session = ShoeSession(SHOE)
    (stand_by,) = messages_of(Pen().write("P"))
    assert session.translate(stand_by, 10.0) == []
    assert session.translate(stand_by, 11.0) == []
    assert session.gaps == 0
    assert brief(session.translate(stand_by, 11.001)) == ["fault sequence_gap", "fault_cleared sequence_gap"]
    assert session.gaps == 8


def test_a_late_copy_of_a_card_is_no_second_card(line: Listening) -> None:
    """Behind a line that stalled: somebody must look, but the card is the one that was told."""
    line.hear(EIGHT_OF_SPADES, copies=1)
    line.now_s += 2
    assert brief(line.hear(EIGHT_OF_SPADES, copies=1)) == ["fault sequence_gap", "fault_cleared sequence_gap"]


def test_what_comes_round_with_the_same_seq_is_no_copy_even_at_once(line: Listening) -> None:
    """A line that stalled brings ten telegrams within the window; the tenth has the bytes of the first."""
    burst = [raw * 3 for raw in line.pen.script("P, L1, L0, L1, L0, L1, L0, L1, L0, P, P1 8S")]
    assert burst[0] == burst[9]
    events = [event for raw in burst for message in messages_of(raw) for event in line.session.translate(message, 1.0)]
    assert brief(events) == ["1: 8S player 1"]
    assert (line.session.repeats, line.session.gaps) == (22, 0)


def test_the_same_seq_with_other_bytes_is_no_copy(line: Listening) -> None:
    """One of the two was damaged so that its check fits: both reach the table, and a person looks."""
    assert brief(line.hear(EIGHT_OF_SPADES, copies=1)) == ["1: 8S player 1"]
    assert brief(line.hear(EIGHT_OF_CLUBS_TO_BANKER, copies=1)) == [
        "2: 8C banker 1",
        "fault copies_differ",
        "fault_cleared copies_differ",
    ]
    assert line.hear(EIGHT_OF_SPADES, copies=1) == []
    assert line.session.gaps == 0
    assert brief(line.say("X, B1 9D"))[:1] == ["3: 9D banker 1"]


def test_a_damaged_copy_that_passes_blocks_the_table_even_where_its_card_is_due() -> None:
    desk = Desk()
    desk.say(BURN)
    desk.hear(Pen(9).write("P1 8S"), copies=1)
    desk.hear(Pen(9).write("B1 8C"), copies=1)
    assert desk.irregularities == ["device_fault"]
    assert desk.outputs[-1].article == "reading G7"


def test_a_start_may_have_the_seq_of_the_telegram_before_it(line: Listening) -> None:
    """The shoe was switched off and on at once: its numbers begin anew, and S has the 1 of the card before it."""
    line.hear(EIGHT_OF_SPADES)
    line.pen.seq = 1
    assert brief(line.say("S")) == ["fault restarted", "fault_cleared restarted"]
    assert line.say("P") == []

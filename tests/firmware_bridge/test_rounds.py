"""Rounds, shoes and results: where one begins and ends, and what was joined in the middle."""

import pytest

from regulations.events.cards import Card
from tests.firmware_bridge.desk import BURN, Desk, Listening, brief

RESTARTED = ["fault restarted", "fault_cleared restarted"]
NATURAL = "P1 4S, B1 KD, P2 5C, B2 3H"


@pytest.mark.parametrize("boundary", ["P", "S, P", "P, L0, P", "E4, e4"])
def test_joining_in_mid_round_makes_it_partial(boundary: str) -> None:
    """Neither stand-by nor a start nor a connection begins a round."""
    line = Listening()
    told = [text for text in brief(line.say(f"{boundary}, P2 5C, B2 3H, G player")) if "fault" not in text]
    assert told == ["1: 5C player 2", "round_partial", "2: 3H banker 2", "result player"]


@pytest.mark.parametrize("beginning", ["P1 4S", "N1 2C", "F0 AC", "G player", "R P1 4S"])
def test_a_round_whose_beginning_was_heard_is_not_partial(beginning: str) -> None:
    line = Listening()
    line.say(beginning)
    assert "round_partial" not in brief(line.say("B1 KD, P2 5C"))[-2:]


def test_a_result_alone_is_the_end_of_a_partial_round() -> None:
    line = Listening()
    assert brief(line.say("G player, P1 4S")) == ["round_partial", "1: 4S player 1"]


def test_a_partial_round_is_never_published_and_its_card_not_called_undue() -> None:
    """A shoe joined at a table that has its stack: persons entered the burn and the round's first cards."""
    desk = Desk()
    desk.session = Listening().session
    burned: list[Card] = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C"]
    for card in burned:
        desk.enter(card)
    desk.say("P2 5C")
    assert desk.irregularities == ["device_disagrees", "round_partial"]
    desk.say("B2 3H, G player")
    assert desk.results == []


@pytest.mark.parametrize(
    ("telegram", "event"),
    [
        ("G player", "result player"),
        ("G banker PB", "result banker player banker"),
        ("G tie P", "result tie player"),
        ("G player B", "result player banker"),
        ("G end", "result forced_end"),
    ],
)
def test_the_shoes_own_result_is_its_opinion(telegram: str, event: str) -> None:
    line = Listening()
    line.session.stack_loaded()
    assert brief(line.say(telegram)) == [event]


def test_another_result_than_the_regulations_is_flagged() -> None:
    desk = Desk()
    desk.say(f"{BURN}, {NATURAL}, G banker")
    assert desk.irregularities == ["device_disagrees"]
    assert desk.results[0].outcome == "player"


@pytest.mark.parametrize("silent", ["P", "L1", "L0"])
def test_what_concerns_no_card_is_no_event(silent: str) -> None:
    assert Listening().say(silent) == []


def test_the_cut_card() -> None:
    assert brief(Listening().say("C")) == ["cut_card"]


def test_a_preset_changed_in_mid_shoe_is_looked_at() -> None:
    assert brief(Listening().say("M")) == ["fault preset_changed", "fault_cleared preset_changed"]


# --- the shoe starts -------------------------------------------------------------------------------------------------


def test_a_start_alone_is_a_restart_and_the_round_goes_on() -> None:
    desk = Desk()
    desk.say(f"{BURN}, P1 4S, B1 KD")
    desk.pen.seq = 1
    assert brief(desk.say("S")) == RESTARTED
    desk.resolve("continue")
    assert brief(desk.say("P2 5C, B2 3H, G player"))[-1] == "result player"
    assert desk.dealt == ["P1 4S", "B1 KD", "P2 5C", "B2 3H"]
    assert desk.irregularities == ["device_fault"]


@pytest.mark.parametrize("seq", range(1, 10))
def test_any_seq_may_follow_with_a_start(seq: int) -> None:
    line = Listening()
    line.say("P1 4S")
    line.pen.seq = seq
    assert brief(line.say("S")) == RESTARTED
    assert line.say("P") == []
    assert line.session.gaps == 0


def test_cut_card_and_later_a_start_are_one_change_of_shoe() -> None:
    line = Listening()
    line.session.stack_loaded()
    line.say(f"P1 4S, B1 KD, P2 5C, C, B2 3H, G player, {NATURAL}, G player")
    line.pen.seq = 1
    assert line.say("S") == []
    assert brief(line.say("S")) == RESTARTED


def test_the_shoe_may_be_changed_without_a_cut_card_once_the_table_ended_its_game() -> None:
    line = Listening()
    line.session.stack_loaded()
    line.say(f"{NATURAL}, G player")
    line.session.shoe_over()
    assert line.say("S, S") == []


def test_before_the_first_card_of_a_stack_a_start_is_nothing() -> None:
    line = Listening()
    assert line.say("S") == []
    line.session.stack_loaded()
    assert line.say("S") == []


def test_each_stack_is_counted_anew() -> None:
    line = Listening()
    line.session.stack_loaded()
    line.say("P1 4S, B1 KD, C")
    line.session.stack_loaded()
    assert brief(line.say("N1 2C")) == ["1: 2C burn 1"]
    assert brief(line.say("S")) == RESTARTED

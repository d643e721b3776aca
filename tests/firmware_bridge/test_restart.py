"""The host restarts: the session takes up what the journal holds, and goes on without a doubled card or a false gap."""

import pytest

from firmware_bridge.angel_eye.session import ShoeSession
from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    Loaded,
    RoundClosed,
    ShoeEnded,
    Shuffled,
    StackCounted,
)
from tests.firmware_bridge.desk import BURN, SHOE, Listening, brief

NATURAL = "P1 4S, B1 KD, P2 5C, B2 3H"


def restarted(before: Listening, *more: AnyInput) -> Listening:
    """Another session that remembers what the first one's events put into the journal."""
    session = ShoeSession(SHOE)
    for event in (Shuffled(by="croupier"), Loaded(cards=416), *before.events, *more):
        session.replay(event)
    after = Listening(seq=before.pen.seq, session=session)
    after.now_s = 3.0
    return after


def told(script: str) -> Listening:
    line = Listening()
    line.session.stack_loaded()
    line.say(script)
    return line


@pytest.mark.parametrize(
    "script",
    [
        f"{BURN}, {NATURAL}, G player, P1 3S, B1 4S",
        f"{NATURAL}, G player",
        "P1 4S, E4",
        "P1 4S, d00",
        "P1 4S, E1",
        "P1 4S, B1 --",
        "P1 4S, C",
        f"{NATURAL}, E2, e2, R P1 QH",
        "P1 4S, X, P2 5C",
        "P1 4S, X, X, P2 5C",
        "P1 4S, S",
        "P1 4S, M",
    ],
)
def test_copies_of_the_last_telegram_come_after_the_restart(script: str) -> None:
    before = told(script)
    before.pen.seq = (before.pen.seq - 2) % 9 + 1
    after = restarted(before)
    assert after.say(script.rsplit(", ", 1)[1]) == []
    assert (after.session.repeats, after.session.gaps) == (3, 0)


@pytest.mark.parametrize(
    ("script", "then", "events"),
    [
        ("P1 4S, B1 KD", "P2 5C", ["3: 5C player 2"]),
        ("P1 4S, B1 KD", "B1 KD, P2 5C", ["3: 5C player 2"]),
        ("P1 4S, B1 KD", "X, B2 5C", ["4: 5C banker 2"]),
        ("P1 4S, X, P2 5C", "B2 3H", ["4: 3H banker 2"]),
        (f"{NATURAL}, G player", "P1 4S", ["5: 4S player 1"]),
        (NATURAL, "G player", ["result player"]),
        ("P1 4S, E1", "B1 --, e1", []),
        ("P1 4S, B1 --", "E1, e1", []),
        ("P1 4S, E4", "B1 KD", ["fault_cleared 4", "2: KD banker 1"]),
        (f"{NATURAL}, E2, P1 QH", "e2, R P1 QH", ["fault_cleared 2"]),
        (f"{NATURAL}, C", "G player, S", ["result player"]),
        ("P2 5C", "B2 3H", ["4: 3H banker 2"]),
        ("P1 4S", "X, L0", ["fault sequence_gap", "fault_cleared sequence_gap"]),
    ],
)
def test_the_session_goes_on_where_it_was(script: str, then: str, events: list[str]) -> None:
    assert brief(restarted(told(script)).say(then)) == events


def test_a_partial_round_stays_one() -> None:
    line = Listening()
    line.say("P2 5C")
    assert brief(restarted(line).say("B2 3H")) == ["2: 3H banker 2"]


def test_what_a_person_entered_is_counted() -> None:
    after = restarted(told("P1 4S, X"), CardDrawn(card="KD"))
    assert brief(after.say("P2 5C"))[0] == "3: 5C player 2"


def test_another_devices_card_is_not_ours() -> None:
    after = restarted(told("P1 4S"), CardDrawn(card="KD", device="another", raw="0531"))
    assert brief(after.say("B1 KD")) == ["2: KD banker 1"]


def test_a_new_stack_forgets_the_numbers() -> None:
    """The start that came with it is no event, so the journal does not know where Seq stands."""
    after = restarted(told("P1 4S"), Loaded(cards=416))
    after.pen.seq = 7
    assert brief(after.say("N1 2C")) == ["1: 2C burn 1"]


@pytest.mark.parametrize("event", [ShoeEnded(reason="house"), StackCounted(cards=14)])
def test_a_shoe_game_that_was_over_stays_over(event: AnyInput) -> None:
    assert restarted(told("P1 4S"), event).say("S") == []


def test_without_that_a_start_is_a_restart() -> None:
    assert brief(restarted(told("P1 4S"), RoundClosed()).say("S")) == ["fault restarted", "fault_cleared restarted"]


@pytest.mark.parametrize(("times", "back"), [(0, []), (1, ["device_back"])])
def test_a_link_that_was_lost_before_the_restart_comes_back(times: int, back: list[str]) -> None:
    """Else the irregularity could never be continued."""
    line = told("P1 4S")
    line.events += line.session.lost() * times
    assert brief(restarted(line).session.back()) == back
    line.events += line.session.back()
    assert brief(restarted(line).session.back()) == []

"""The lines that a person or a program types to a TDP device: each does what it says, and says what it did."""

import pytest

from protocols.tdp.codes import FaultCode
from protocols.tdp.commands import AcceptReturn, Dispense, Eject, SetLamp, Shuffle, Unlock
from protocols.tdp.messages import Hello
from sim.tdp.hands import TdpKind
from sim.tdp.settings import TdpMachineSettings
from tests.sim.tdp.rig import Rig, shape

OFF = (
    "ok: switched off; 52 cards in it, 52 by its count, 0 dealt; locked; cover closed; key at 0; no faults; "
    "0 events waiting; no session; plugged in"
)


def say(rig: Rig, *lines: str) -> list[str]:
    answers = [rig.control.execute(line) for line in lines]
    rig.rest()
    return answers


def test_a_shoe_is_loaded_and_drawn_from() -> None:
    rig = Rig()
    assert say(rig, "load 5", "draw") == [
        "ok: loaded 52 cards, the cut card before the last 14",
        "ok: drew nothing: it is locked, or no card is there",
    ]
    rig.do(Unlock, 38)
    rig.control.do("misread", ["AC"])
    answer = rig.control.do("draw", ["40"])
    assert answer.ok
    assert answer.data["cut_card"] is False, "the mouth locks before it"
    cards, told = answer.data["cards"], answer.data["told"]
    assert isinstance(cards, list)
    assert isinstance(told, list)
    assert told == ["AC", *cards[1:]]
    assert len(cards) == 38
    rig.do(Unlock, 2)
    assert rig.control.do("draw", ["2"]).data["cut_card"] is True
    state = rig.control.state()
    assert (state["cut_card_after"], state["cards_left"], state["count"]) == (None, 13, 39)
    assert rig.hands.cards_are_complete


def test_cards_that_a_hand_draws_from_a_shuffler_dealer_can_be_arranged() -> None:
    rig = Rig("shuffler_dealer")
    say(rig, "load", "arrange 8S KD")
    rig.do(Unlock, 3)
    drawn = [one.card for one in rig.draw_all(2)]
    assert drawn == ["8S", "KD"]
    assert say(rig, "arrange 8S")[0].startswith("error: arrange: it does not have 8S")
    assert rig.hands.cards_are_complete


@pytest.mark.parametrize("kind", ["shoe", "shuffler", "shuffler_dealer"])
def test_named_cards_come_first_whatever_shuffles_them(kind: TdpKind) -> None:
    rig = Rig(kind, decks=2)
    say(rig, "load cards 8S KD ? 8S KH")
    if kind == "shoe":
        rig.do(Unlock, 5)
    else:
        if kind == "shuffler":
            rig.do(Shuffle)
            rig.rest()
        rig.do(Dispense, 5)
        rig.rest()
    drawn = [one.card for one in rig.draw_all(5)]
    assert [*drawn[:2], *drawn[3:]] == ["8S", "KD", "8S", "KH"]
    assert rig.hands.cards_are_complete


@pytest.mark.parametrize("kind", ["shoe", "shuffler", "shuffler_dealer"])
def test_all_cards_are_taken_out(kind: TdpKind) -> None:
    rig = Rig(kind)
    assert say(rig, "unload") == ["ok: it is empty"]
    rig.rest()
    assert rig.hands.device.cards_left == 0
    assert rig.hands.cards_are_complete


def test_a_shuffler_dealer_is_filled_and_takes_cards_back() -> None:
    rig = Rig("shuffler_dealer")
    assert say(rig, "shuffle-in") == ["ok: put 52 cards in"]
    rig.do(Dispense, 3)
    rig.rest()
    (answer,) = say(rig, "draw 9")
    assert answer.endswith(", nothing: it is locked, or no card is there")
    rig.do(AcceptReturn)
    assert say(rig, "return") == ["ok: put 3 used cards into the entry"]
    assert shape(rig.events[-1:]) == [("CardsReturned", 3)]
    rig.do(Eject)
    rig.rest()
    assert say(rig, "take", "take", "load") == ["ok: took 52 cards", "ok: took 0 cards", "ok: put 52 cards in"]
    assert rig.hands.cards_are_complete


@pytest.mark.parametrize(
    ("kind", "lines", "fault"),
    [
        ("shoe", ["jam exit", "draw"], "stuck-at-exit"),
        ("shoe", ["double-feed", "draw"], "double-feed"),
        ("shoe", ["foreign", "draw"], "foreign-card"),
        ("shoe", ["unread 3", "draw 3"], "unreadable-card"),
        ("shoe", ["block-sensor"], "sensor-blocked"),
        ("shuffler_dealer", ["lose-home", "power-cycle"], "homing-failed"),
        ("shuffler_dealer", ["stall-motor", "power-cycle"], "motor-stall"),
    ],
)
def test_mishaps_come_and_go(kind: TdpKind, lines: list[str], fault: str) -> None:
    rig = Rig(kind)
    rig.ready()
    rig.do(Unlock, 10)
    assert all(one.startswith("ok: ") for one in say(rig, *lines))
    assert rig.control.state()["faults"] == [fault]
    assert f"faults {fault};" in say(rig, "status")[0]
    assert say(rig, "press clear") == [f"ok: pressed; faults {fault}"]
    assert say(rig, f"clear {fault}")[0].endswith(f"faults {fault} (can be cleared)")
    assert say(rig, "press clear") == ["ok: pressed; no faults"]


def test_one_line_takes_away_what_brought_all_faults_about() -> None:
    rig = Rig()
    rig.ready()
    rig.do(Unlock, 1)
    say(rig, "jam exit", "draw", "block-sensor")
    assert say(rig, "clear") == [
        "ok: 1 cards came out; faults stuck-at-exit (can be cleared), sensor-blocked (can be cleared)"
    ]
    assert say(rig, "over-temperature", "clear") == [
        "ok: hot",
        "error: clear: no hand can take that away: wait until it has cooled down; usage: clear [FAULT]",
    ]
    assert say(rig, "memory-error")[0] == "ok: spoilt"


def test_cover_and_key() -> None:
    rig = Rig()
    assert say(rig, "cover open", "key 2", "cover close", "key 0") == [
        "ok: the cover is open",
        "ok: the key is at 2",
        "ok: the cover is closed",
        "ok: the key is at 0",
    ]
    assert [one[0] for one in shape(rig.events[1:])] == ["CoverOpened", "KeyTurned", "CoverClosed", "KeyTurned"]


def test_counts_and_double_feeds_can_be_wrong_without_notice() -> None:
    rig = Rig()
    say(rig, "miscount -2", "load")
    assert shape(rig.events[-1:]) == [("StackLoaded", 50)]
    rig.do(Unlock, 3)
    assert say(rig, "double-feed unnoticed", "draw")[1].count(" and ") == 1
    assert rig.control.state()["faults"] == []


def test_power_cable_and_outbox() -> None:
    rig = Rig("shuffler")
    rig.load()
    assert say(rig, "cut-power", "status", "restore-power watchdog") == [
        "ok: the power is off",
        OFF,
        "ok: the power is on",
    ]
    assert rig.said(Hello)[-1].boot_reason == 3
    assert say(rig, "cut-power 5") == ["ok: the power goes after 5 more steps"]
    rig.send(Shuffle)
    rig.clock.advance(2.0)
    assert rig.control.state()["powered"] is False
    assert say(rig, "restore-power", "outbox-full on") == ["ok: the power is on", "ok: there is no room for events"]
    assert rig.refused(Shuffle).name == "EVENTS_PENDING"
    assert say(rig, "outbox-full off", "unplug", "replug", "power-cycle") == [
        "ok: there is room for 512 events",
        "ok: unplugged",
        "ok: plugged in",
        "ok: switched off and on",
    ]
    rig.do(Shuffle)


def test_identity_lamps_and_help() -> None:
    rig = Rig(settings=TdpMachineSettings())
    assert say(rig, "identity maker Acme of Faro", "power-cycle")[0] == (
        "ok: maker is Acme of Faro from the next session on"
    )
    assert rig.said(Hello)[-1].maker == "Acme of Faro"
    rig.do(SetLamp, 1, 2)
    state = rig.control.state()
    assert state["lamps"] == {"ready": "blink"}
    assert state["in_session"] is True
    (answer,) = say(rig, "help")
    assert all(f"{name}" in answer for name in rig.control.commands)
    assert rig.control.execute("") == ""


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("shoe", "shuffle-in"),
        ("shoe", "return"),
        ("shuffler", "return"),
        ("shuffler", "load 5"),
        ("shuffler", "load-with-cut-card 2"),
        ("shoe", "load-with-cut-card"),
        ("shoe", "load-with-cut-card 0"),
        ("shoe", "jam entry"),
        ("shoe", "jam"),
        ("shoe", "stall-motor"),
        ("shoe", "stall-motor now"),
        ("shoe", "clear rust"),
        ("shoe", "clear out-of-cards"),
        ("shoe", "press reset"),
        ("shoe", "key 256"),
        ("shoe", "cover"),
        ("shoe", "miscount 3"),
        ("shoe", "double-feed noticed"),
        ("shoe", "identity serial"),
        ("shoe", "identity colour red"),
        ("shoe", "restore-power please"),
        ("shoe", "cut-power soon"),
        ("shoe", "dance"),
    ],
)
def test_bad_lines_change_nothing(kind: TdpKind, line: str) -> None:
    rig = Rig(kind)
    events = len(rig.events)
    (answer,) = say(rig, line)
    assert answer.startswith("error: ")
    assert len(rig.events) == events
    assert not rig.device.faults


def test_every_fault_has_a_name_that_can_be_typed() -> None:
    rig = Rig()
    for code in FaultCode:
        name = code.name.lower().replace("_", "-")
        assert "expected one of" not in rig.control.execute(f"clear {name}")

"""Events kept until they are acknowledged, over sessions and power cuts (docs/protocols/tdp.md, section 12)."""

import pytest

from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState, RefusalReason
from protocols.tdp.commands import AcceptReturn, Dispense, EventAcknowledged, ReadMeters, Shuffle, Unlock
from protocols.tdp.events import CardDrawn, DeviceEvent, PowerRestored
from protocols.tdp.exactly_once import OUTBOX_MAX, RESERVE, EventDeduplicator
from protocols.tdp.messages import Heartbeat, Hello, Meters
from sim.tdp.identity import SimIdentity
from sim.tdp.settings import TdpMachineSettings
from tests.sim.tdp.rig import Rig, shape, told_cards


def draw(rig: Rig, cards: int) -> None:
    rig.do(Unlock, cards)
    rig.draw_all(cards)


def test_what_is_not_acknowledged_comes_again_in_each_session_in_order() -> None:
    rig = Rig(acknowledges=False)
    rig.load()
    draw(rig, 3)
    first = [one for one in rig.host.said if isinstance(one, DeviceEvent)]
    assert [one.number for one in first] == list(range(1, 8))
    assert rig.said(Heartbeat)[-1].pending == 7
    before = len(rig.host.said)
    rig.wire.unplug()
    rig.clock.advance(3.0)
    rig.wire.replug()
    rig.rest()
    again = rig.host.said[before:]
    assert isinstance(again[0], Hello)
    assert [one for one in again if isinstance(one, DeviceEvent)] == first
    assert len(rig.events) == 7
    rig.host.endpoint.send(EventAcknowledged(1, 5))
    rig.host.flush()
    rig.rest()
    assert [one.number for one in rig.device.electronics.memory.outbox.pending] == [6, 7]
    rig.host.endpoint.send(EventAcknowledged(9, 9))  # of a device that this is not
    rig.host.flush()
    rig.rest()
    assert rig.said(Heartbeat)[-1].pending == 2


def test_cards_drawn_while_the_cable_is_out_are_told_when_it_is_back() -> None:
    rig = Rig()
    rig.load()
    rig.do(Unlock, 5)
    rig.wire.unplug()
    assert len(rig.hands.draw().cards) == 1, "the device does not know yet"
    assert len(rig.hands.draw().cards) == 1
    rig.clock.advance(3.0)
    assert rig.hands.draw().cards == ()
    rig.wire.replug()
    rig.rest()
    assert told_cards(rig.events) == ["AS", "2S"]
    assert rig.host.gaps == []


def test_no_card_leaves_when_there_is_no_room_for_its_event() -> None:
    rig = Rig(decks=12, acknowledges=False)
    rig.load()
    rig.do(Unlock, 624)
    drawn = rig.draw_all()
    pending = rig.device.electronics.memory.outbox.pending
    assert len(pending) == OUTBOX_MAX - RESERVE == 496
    assert len(drawn) == 496 - 4
    assert rig.status.conditions == Condition.LOCKED | Condition.OUTBOX_FULL
    assert rig.refused(Unlock, 1) is RefusalReason.EVENTS_PENDING
    rig.host.acknowledges = True
    rig.host.endpoint.send(EventAcknowledged(1, 496))
    rig.host.flush()
    rig.rest()
    assert rig.status.conditions == Condition.LOCKED, "the permit ended"
    rig.do(Unlock, 624)
    drawn += rig.draw_all()
    assert len(drawn) == 624
    assert told_cards(rig.events) == [one.card for one in drawn]
    assert [one.number for one in rig.events] == list(range(1, len(rig.events) + 1))


def test_what_happens_without_room_is_told_when_there_is_some() -> None:
    rig = Rig(acknowledges=False)
    rig.load()
    draw(rig, 2)
    rig.device.limit_outbox(0)
    rig.hands.open_cover()
    rig.hands.close_cover()
    rig.hands.turn_key(1)
    rig.hands.turn_key(0)
    rig.rest()
    assert rig.events[-1].number == 6
    assert rig.said(Heartbeat)[-1].last_number == 6
    assert (rig.status.state, rig.status.fault_code, rig.status.fault_module) == (DeviceState.FAULT, 14, 0)
    assert rig.status.conditions == Condition.LOCKED | Condition.FAULT | Condition.OUTBOX_FULL
    assert rig.refused(Unlock, 1) is RefusalReason.FAULT
    rig.device.limit_outbox(OUTBOX_MAX)
    rig.rest()
    assert shape(rig.events[-4:]) == [("CoverOpened", 0), ("CoverClosed", 0), ("KeyTurned", 1), ("KeyTurned", 0)]
    assert rig.events[-1].number == 10
    assert rig.status.state is DeviceState.LOADED


def test_starts_without_room_are_told_as_one() -> None:
    rig = Rig(acknowledges=False)
    rig.load()
    last = rig.events[-1].number
    rig.device.limit_outbox(0)
    rig.hands.turn_key(5)
    for _ in range(3):
        rig.device.power_cycle()
        rig.rest()
    assert rig.said(Hello)[-1].boot_count == 4
    assert rig.said(Heartbeat)[-1].last_number == 0
    rig.host.acknowledges = True
    rig.device.limit_outbox(OUTBOX_MAX)
    rig.rest()
    assert rig.events[-2] == PowerRestored(4, 1, 1, last, BootReason.POWER_ON)
    assert shape(rig.events[-1:]) == [("KeyTurned", 5)]
    assert rig.host.gaps == []


def test_each_start_is_told_with_its_reason_and_the_boot_before() -> None:
    rig = Rig()
    rig.load()
    rig.device.power_off()
    rig.device.power_on(BootReason.WATCHDOG)
    rig.rest()
    assert rig.events[-1] == PowerRestored(2, 1, 1, 4, BootReason.WATCHDOG)
    assert rig.said(Hello)[-1].boot_reason == BootReason.WATCHDOG
    assert rig.said(Hello)[-1].boot_count == 2
    rig.device.power_cycle()
    rig.device.power_cycle()
    rig.rest()
    assert rig.events[-2:] == [PowerRestored(3, 1, 1, 4, 1), PowerRestored(4, 1, 1, 4, 1)], "starts name no starts"


def test_events_outlive_a_power_cut_if_the_device_says_so() -> None:
    rig = Rig(acknowledges=False)
    rig.load()
    draw(rig, 3)
    rig.host.gate = EventDeduplicator(None)
    rig.host.journal.clear()
    rig.device.power_cycle()
    rig.host.acknowledges = True
    rig.rest()
    assert [one.key for one in rig.events] == sorted(one.key for one in rig.events)
    assert [(one.boot, one.number) for one in rig.events] == [(1, n) for n in range(1, 8)] + [(2, 1)]


def test_a_device_that_forgets_its_events_shows_the_gap() -> None:
    rig = Rig(settings=TdpMachineSettings(keeps_events=False), acknowledges=False)
    assert not rig.said(Hello)[0].capabilities & Capability.KEEPS_EVENTS
    rig.load()
    rig.host.acknowledges = True
    draw(rig, 2)
    rig.do(Unlock, 5)
    rig.wire.unplug()
    rig.hands.draw()
    rig.device.power_cycle()
    rig.wire.replug()
    rig.rest()
    assert rig.host.gaps == [PowerRestored(2, 1, 1, 7, BootReason.POWER_ON)]
    assert rig.events[-1].number == 6
    assert rig.status.count == 3, "the counts were kept"


def test_a_device_that_forgets_without_loss_shows_no_gap() -> None:
    rig = Rig(settings=TdpMachineSettings(keeps_events=False))
    rig.load()
    rig.device.power_cycle()
    rig.rest()
    assert rig.host.gaps == []
    assert rig.events[-1] == PowerRestored(2, 1, 1, 4, BootReason.POWER_ON)


def test_a_device_that_starts_again_without_a_word_is_caught_as_a_gap() -> None:
    rig = Rig(settings=TdpMachineSettings(tells_restarts=False))
    rig.load()
    draw(rig, 1)
    rig.device.power_cycle()
    rig.rest()
    assert rig.host.gaps == []
    rig.do(Unlock, 1)
    rig.draw_all()
    assert [type(one) for one in rig.host.gaps] == [CardDrawn]


def test_a_stack_changed_without_power_is_told_at_the_start() -> None:
    rig = Rig()
    rig.load()
    draw(rig, 4)
    rig.device.power_off()
    rig.hands.shuffle(rig.rng)
    rig.hands.load()
    assert rig.hands.draw().cards == ()
    rig.device.power_on()
    rig.rest()
    assert shape(rig.events[-2:]) == [("PowerRestored", 1, 8, 1), ("StackLoaded", 52)]
    assert (rig.status.count, rig.status.stack_cards) == (0, 52)


def test_the_cut_card_is_told_and_does_not_count() -> None:
    rig = Rig()
    rig.hands.place_cut_card(50)
    rig.load()
    rig.do(Unlock, 3)
    pulls = [rig.hands.draw() for _ in range(4)]
    assert [one.cut_card for one in pulls] == [False, False, True, False]
    rig.rest()
    assert [one[:2] for one in shape(rig.events[-4:])] == [
        ("CardDrawn", 1), ("CardDrawn", 2), ("CutCardDrawn", 2), ("CardDrawn", 3)]  # fmt: skip
    assert rig.status.conditions & Condition.CUT_CARD_SEEN
    assert len(rig.device.unload()) == 49
    rig.rest()
    assert not rig.status.conditions & Condition.CUT_CARD_SEEN
    assert shape(rig.events[-1:]) == [("StackLoaded", 0)]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("serial", "SN-2"),
        ("model", "a name of 24 characters."),
        ("firmware_version", "9.9"),
        ("security_counter", "0"),
        ("hardware_revision", "65535"),
        ("image_digest", "ab" * 32),
    ],
)
def test_an_identity_may_change_between_two_boots(key: str, value: str) -> None:
    rig = Rig()
    electronics = rig.device.electronics
    electronics.identity = electronics.identity.changed(key, value)
    rig.device.power_cycle()
    rig.rest()
    said = getattr(rig.said(Hello)[-1], key)
    assert (said.hex() if isinstance(said, bytes) else str(said)) == value
    assert said != getattr(rig.said(Hello)[0], key)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("colour", "red"),
        ("serial", ""),
        ("serial", "x" * 25),
        ("maker", "Açme"),
        ("security_counter", "-1"),
        ("security_counter", "4294967296"),
        ("hardware_revision", "65536"),
        ("image_digest", "xy"),
        ("image_digest", "ab"),
    ],
)
def test_an_identity_that_does_not_fit_the_wire_is_refused(key: str, value: str) -> None:
    with pytest.raises(ValueError, match=key):
        SimIdentity().changed(key, value)


def test_what_holds_is_told_anew_at_each_start() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.device.mishaps.overheat()
    rig.hands.turn_key(2)
    rig.hands.open_cover()
    for _ in range(2):
        rig.device.power_cycle()
        rig.rest()
        assert shape(rig.events[-3:]) == [("Fault", 13, 1), ("CoverOpened", 0), ("KeyTurned", 2)]
    rig.device.power_off()
    rig.hands.close_cover()
    rig.hands.turn_key(0)
    rig.device.power_on()
    rig.rest()
    assert [one[0] for one in shape(rig.events[-2:])] == ["PowerRestored", "Fault"]
    rig.do(ReadMeters)
    meters = rig.said(Meters)[-1]
    assert (meters.cover_openings, meters.power_cycles) == (1, 4)


def test_a_session_begins_with_hello_status_kept_events_and_a_heartbeat() -> None:
    rig = Rig(acknowledges=False)
    rig.load()
    draw(rig, 30)
    before = len(rig.host.said)
    rig.wire.unplug()
    rig.clock.advance(3.0)
    rig.wire.replug()
    rig.clock.advance(0.9)
    kinds = [type(one).__name__ for one in rig.host.said[before:]]
    assert kinds == ["Hello", "Status", "PowerRestored", "CoverOpened", "CoverClosed", "StackLoaded",
                     *["CardDrawn"] * 30, "Heartbeat"]  # fmt: skip


def test_an_event_stands_before_the_status_that_it_changed() -> None:
    rig = Rig()
    rig.load()
    before = len(rig.host.said)
    rig.do(Unlock, 1)
    rig.hands.draw()
    rig.clock.advance(0.5)
    said = [one for one in rig.host.said[before:] if not isinstance(one, Heartbeat)]
    assert [type(one).__name__ for one in said] == ["Done", "Status", "CardDrawn", "Status"]
    assert rig.status.count == 1


def test_motors_wait_while_nothing_can_be_told() -> None:
    rig = Rig("shuffler", acknowledges=False)
    rig.load()
    rig.do(Shuffle)
    rig.clock.advance(1.0)
    in_entry = len(rig.device.cards)
    rig.device.limit_outbox(0)
    rig.hands.turn_key(1)
    rig.hands.turn_key(0)
    rig.clock.advance(60.0)
    assert rig.device.is_busy
    assert len(rig.device.cards) == in_entry
    assert rig.status.fault_code == 14
    rig.device.limit_outbox(OUTBOX_MAX)
    rig.rest()
    assert [one[0] for one in shape(rig.events[-3:])] == ["KeyTurned", "KeyTurned", "ShuffleDone"]


def test_a_packet_waits_behind_the_shutter_for_room() -> None:
    rig = Rig("shuffler_dealer", acknowledges=False)
    rig.ready()
    rig.do(Dispense, 2)
    rig.device.limit_outbox(len(rig.device.electronics.memory.outbox.pending))
    rig.clock.advance(30.0)
    assert not rig.hands.can_draw
    assert rig.device.is_busy
    rig.device.limit_outbox(OUTBOX_MAX)
    rig.rest()
    assert told_cards(rig.events) == [one.card for one in rig.draw_all(2)]


def test_nothing_is_told_twice_by_a_start() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    draw(rig, 5)
    rig.hands.collect()
    rig.hands.return_cards()
    rig.do(AcceptReturn)
    rig.rest()
    rig.do(Dispense, 2)
    rig.rest()
    rig.draw_all(2)
    rig.device.power_cycle()
    rig.rest()
    assert [one[0] for one in shape(rig.events[-3:])] == ["CardsReturned", "PacketDispensed", "PowerRestored"]


def test_a_new_device_has_counted_nothing_but_its_start() -> None:
    rig = Rig()
    rig.do(ReadMeters)
    assert rig.said(Meters) == [Meters(1, 0, 0, 0, 0, 0, 0, 1, 0)]

"""Every fault of a machine: how it comes, what is told of it, what a hand does, and how it ends."""

from typing import NamedTuple

import pytest

from protocols.tdp.codes import Condition, DeviceState, FaultCode, RefusalReason
from protocols.tdp.commands import ClearFault, Dispense, Eject, ReadMeters, Shuffle, Unlock
from protocols.tdp.events import CardDrawn, CoverOpened, Fault, FaultCleared, PacketDispensed
from protocols.tdp.messages import Meters
from sim.draws import ShoeMisuse
from sim.tdp.dispenser import Dispenser
from sim.tdp.hands import TdpKind
from sim.tdp.machine_faults import JamPlace, Module
from sim.tdp.motors import COOLING_S
from tests.sim.tdp.mishap_acts import (
    Act,
    F,
    blind,
    dispense,
    faults,
    fill,
    foreign,
    jam_at,
    open_while_dispensing,
    shuffle,
    state,
    take_back,
    unlock_and_draw,
)
from tests.sim.tdp.rig import Rig, shape, told_cards


class Mishap(NamedTuple):
    """A fault: in which machine, how it comes about, doing what, and where it is seen."""

    kind: TdpKind
    arrange: Act
    do: Act
    code: FaultCode
    module: Module
    cards_out: int = 0
    """Cards that come into the hand with the remedy."""


MISHAPS = {
    "shoe, stuck": Mishap("shoe", jam_at(JamPlace.EXIT), unlock_and_draw, F.STUCK_AT_EXIT, Module.EXIT, 1),
    "shoe, two": Mishap("shoe", lambda rig: rig.device.double_feed_next(), unlock_and_draw, F.DOUBLE_FEED, Module.EXIT),
    "shoe, foreign": Mishap("shoe", foreign, unlock_and_draw, F.FOREIGN_CARD, Module.EYE),
    "shoe, blind": Mishap(
        "shoe",
        blind,
        unlock_and_draw,
        F.UNREADABLE_CARD,
        Module.EYE,
    ),
    "shoe, sensor": Mishap(
        "shoe", lambda _: None, lambda rig: rig.device.mishaps.block_sensor(), F.SENSOR_BLOCKED, Module.EXIT
    ),
    "dealer, entry": Mishap("shuffler_dealer", jam_at(JamPlace.ENTRY), take_back, F.STUCK_AT_ENTRY, Module.ENTRY, 1),
    "dealer, carousel": Mishap(
        "shuffler_dealer",
        jam_at(JamPlace.CAROUSEL),
        fill,
        F.STUCK_IN_CAROUSEL,
        Module.CAROUSEL,
        1,
    ),
    "dealer, exit": Mishap("shuffler_dealer", jam_at(JamPlace.EXIT), dispense, F.STUCK_AT_EXIT, Module.EXIT, 1),
    "dealer, mouth": Mishap(
        "shuffler_dealer",
        jam_at(JamPlace.EXIT),
        unlock_and_draw,
        F.STUCK_AT_EXIT,
        Module.EXIT,
        1,
    ),
    "dealer, two": Mishap(
        "shuffler_dealer", lambda rig: rig.device.double_feed_next(), dispense, F.DOUBLE_FEED, Module.EXIT
    ),
    "dealer, foreign": Mishap("shuffler_dealer", foreign, dispense, F.FOREIGN_CARD, Module.EYE),
    "dealer, blind": Mishap(
        "shuffler_dealer",
        blind,
        dispense,
        F.UNREADABLE_CARD,
        Module.EYE,
    ),
    "dealer, motor": Mishap(
        "shuffler_dealer", lambda rig: rig.device.mishaps.stall_motor(), dispense, F.MOTOR_STALL, Module.CAROUSEL
    ),
    "dealer, cover": Mishap(
        "shuffler_dealer",
        lambda _: None,
        open_while_dispensing,
        F.COVER_OPEN,
        Module.COVER,
    ),
    "dealer, zero": Mishap(
        "shuffler_dealer",
        lambda rig: rig.device.mishaps.lose_home(),
        lambda rig: rig.device.power_cycle(),
        F.HOMING_FAILED,
        Module.CAROUSEL,
    ),
    "shuffler, entry": Mishap("shuffler", jam_at(JamPlace.ENTRY), shuffle, F.STUCK_AT_ENTRY, Module.ENTRY, 1),
    "shuffler, two": Mishap(
        "shuffler", lambda rig: rig.device.double_feed_next(), shuffle, F.DOUBLE_FEED, Module.ENTRY
    ),
    "shuffler, two unnoticed": Mishap(
        "shuffler",
        lambda rig: rig.device.double_feed_next(noticed=False),
        shuffle,
        F.WRONG_COUNT,
        Module.CAROUSEL,
    ),
    "shuffler, miscount": Mishap(
        "shuffler", lambda rig: rig.device.mishaps.miscount_next(-1), shuffle, F.WRONG_COUNT, Module.CAROUSEL
    ),
    "shuffler, carousel": Mishap(
        "shuffler", jam_at(JamPlace.CAROUSEL), shuffle, F.STUCK_IN_CAROUSEL, Module.CAROUSEL, 1
    ),
    "shuffler, motor": Mishap(
        "shuffler", lambda rig: rig.device.mishaps.stall_motor(), shuffle, F.MOTOR_STALL, Module.CAROUSEL
    ),
    "shuffler, exit": Mishap(
        "shuffler",
        jam_at(JamPlace.EXIT),
        lambda rig: rig.do(Eject),
        F.STUCK_AT_EXIT,
        Module.EXIT,
        52,
    ),
}


@pytest.mark.parametrize("name", MISHAPS)
def test_a_fault_is_told_once_lets_nothing_out_and_ends_by_hand_and_command(name: str) -> None:
    mishap = MISHAPS[name]
    rig = Rig(mishap.kind)
    rig.ready()
    mishap.arrange(rig)
    mishap.do(rig)
    rig.rest()
    (fault,) = [one for one in rig.events if isinstance(one, Fault)]
    assert (fault.code, fault.module) == (mishap.code, mishap.module)
    assert state(rig) is DeviceState.FAULT
    assert rig.status.conditions & (Condition.FAULT | Condition.LOCKED) == Condition.FAULT | Condition.LOCKED
    assert (rig.status.fault_code, rig.status.fault_module) == (mishap.code, mishap.module)
    at_exit = [one.told for one in rig.device.exit] if isinstance(rig.device, Dispenser) and rig.hands.can_draw else []
    if at_exit:
        assert told_cards(rig.events) == at_exit, "what had left was told, and may be taken"
        assert isinstance(rig.events[rig.events.index(fault) - 1], CardDrawn | PacketDispensed | CoverOpened)
    assert rig.hands.cards_are_complete
    if not rig.device.is_cover_open:
        assert rig.refused(Dispense if mishap.kind != "shoe" else Unlock, 1) is RefusalReason.FAULT
        assert rig.refused(ClearFault, mishap.code, mishap.module) is RefusalReason.FAULT
        rig.device.press_clear()
        assert faults(rig) == [mishap.code]
    rack = len(rig.hands.felt.rack)
    assert len(rig.hands.remedy(mishap.code)) == mishap.cards_out
    assert len(rig.hands.felt.rack) == rack + mishap.cards_out
    rig.do(ClearFault, mishap.code, mishap.module)
    rig.rest()
    assert [type(one) for one in rig.events if isinstance(one, Fault | FaultCleared)] == [Fault, FaultCleared]
    assert state(rig) is not DeviceState.FAULT
    assert rig.status.fault_code == 0
    assert rig.hands.cards_are_complete
    in_entry = 9 if name == "dealer, entry" else 0
    assert rig.status.stack_cards == len(rig.device.cards) - len(at_exit) - in_entry
    assert rig.host.gaps == []
    assert rig.refused(ClearFault, mishap.code, mishap.module) is RefusalReason.BAD_VALUE


@pytest.mark.parametrize("name", [name for name in MISHAPS if name != "shuffler, exit"])
def test_after_the_fault_the_machine_works_again(name: str) -> None:
    mishap = MISHAPS[name]
    rig = Rig(mishap.kind)
    rig.ready()
    mishap.arrange(rig)
    mishap.do(rig)
    rig.rest()
    rig.clear_all()
    rig.draw_all(3)  # what lies at the exit
    told = len(rig.events)
    if mishap.kind == "shoe":
        rig.do(Unlock, 2)
    else:
        if mishap.kind == "shuffler":
            rig.do(Shuffle)
            rig.rest()
        rig.do(Dispense, 2)
    rig.rest()
    drawn = rig.draw_all(2)
    assert [one.card for one in drawn] == told_cards(rig.events[told:])
    assert len(drawn) == 2
    assert rig.hands.cards_are_complete


@pytest.mark.parametrize("kind", ["shoe", "shuffler_dealer", "shuffler"])
def test_too_hot_ends_by_waiting(kind: TdpKind) -> None:
    rig = Rig(kind)
    rig.ready()
    rig.device.mishaps.overheat()
    rig.rest()
    assert faults(rig) == [F.OVER_TEMPERATURE]
    with pytest.raises(ShoeMisuse, match="cooled down"):
        rig.hands.remedy(F.OVER_TEMPERATURE)
    rig.device.press_clear()
    assert faults(rig)
    rig.clock.advance(COOLING_S)
    rig.device.press_clear()
    rig.rest()
    assert shape(rig.events[-1:]) == [("FaultCleared", 13, 1)]


def test_a_spoilt_memory_ends_by_a_restart_and_is_no_affair_of_a_dead_device() -> None:
    rig = Rig()
    rig.device.mishaps.spoil_memory()
    rig.device.mishaps.spoil_memory()
    rig.rest()
    with pytest.raises(ShoeMisuse, match="off and on"):
        rig.hands.remedy(F.MEMORY_ERROR)
    rig.device.power_cycle()
    rig.rest()
    assert faults(rig) == [F.MEMORY_ERROR]
    rig.clear_all()
    rig.device.power_off()
    rig.device.mishaps.spoil_memory()
    rig.device.power_on()
    rig.rest()
    assert faults(rig) == []
    assert [one[0] for one in shape(rig.events)] == ["PowerRestored", "Fault", "PowerRestored", "Fault", "FaultCleared",
                                                     "PowerRestored"]  # fmt: skip


def test_what_went_wrong_without_power_is_seen_when_it_comes() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.device.power_off()
    rig.device.mishaps.block_sensor()
    rig.hands.open_cover()
    rig.hands.turn_key(3)
    rig.device.power_on()
    rig.rest()
    assert shape(rig.events[-3:]) == [("CoverOpened", 0), ("KeyTurned", 3), ("Fault", 10, 2)]
    rig.hands.close_cover()
    rig.hands.turn_key(0)
    rig.clear_all()
    rig.do(Dispense, 1)
    rig.rest()
    assert len(rig.draw_all(1)) == 1


def test_what_was_unlocked_before_a_fault_is_locked_after_it() -> None:
    rig = Rig()
    rig.ready()
    rig.do(Unlock, 5)
    rig.device.mishaps.overheat()
    rig.clock.advance(COOLING_S)
    rig.device.press_clear()
    rig.rest()
    assert rig.status.conditions == Condition.LOCKED
    assert rig.hands.draw().cards == ()


def test_a_fault_holds_over_a_restart() -> None:
    rig = Rig()
    rig.ready()
    rig.device.mishaps.block_sensor()
    rig.device.power_cycle()
    rig.rest()
    assert rig.status.fault_code == F.SENSOR_BLOCKED
    assert shape(rig.events[-2:]) == [("PowerRestored", 1, 5, 1), ("Fault", 10, 2)], "the host forgets it at a start"
    rig.do(ReadMeters)
    assert rig.said(Meters)[-1].misfeeds == 0


def test_two_faults_are_cleared_one_by_one() -> None:
    rig = Rig()
    rig.ready()
    rig.device.mishaps.block_sensor()
    rig.device.mishaps.overheat()
    rig.rest()
    assert (rig.status.fault_code, rig.status.fault_module) == (F.SENSOR_BLOCKED, 2)
    rig.clock.advance(COOLING_S)
    rig.hands.open_cover()
    rig.device.press_clear()
    assert len(faults(rig)) == 2, "not under an open cover"
    rig.hands.close_cover()
    rig.device.press_clear()
    assert faults(rig) == [F.SENSOR_BLOCKED]
    rig.clear_all()
    assert rig.status.conditions == Condition.LOCKED

"""Mishaps that are no faults, or only of some machines: wrong counts, cut packets, cards that stick together."""

import pytest

from protocols.tdp.codes import Condition, DeviceState, Face, RefusalReason
from protocols.tdp.commands import AcceptReturn, ClearFault, Dispense, ReadMeters, Shuffle, Unlock
from protocols.tdp.events import CardDrawn, PacketDispensed, ShuffleDone, StackLoaded
from protocols.tdp.messages import Meters
from regulations.events.cards import DECK
from sim.draws import ShoeMisuse
from sim.tdp.hands import TdpKind
from sim.tdp.machine_faults import JamPlace, Module
from sim.tdp.settings import TdpMachineSettings
from sim.tdp.shuffler_dealer import ShufflerDealer
from tests.sim.tdp.mishap_acts import F, blind, faults, state, take_back
from tests.sim.tdp.rig import Rig, shape, told_cards


def test_an_unread_and_a_misread_card_are_no_faults() -> None:
    rig = Rig()
    rig.ready()
    rig.device.reader.fail_next()
    rig.device.misread_next("TH")
    rig.do(Unlock, 3)
    drawn = rig.draw_all()
    assert [one.told for one in drawn] == [None, "TH", "3S"]
    assert [one.card for one in drawn] == ["AS", "2S", "3S"]
    assert [(one[1:3], one[4]) for one in shape(rig.events[-3:])] == [((1, None), 0), ((2, "TH"), 62), ((3, "3S"), 99)]
    assert not faults(rig)


def test_two_cards_together_noticed_and_not() -> None:
    rig = Rig()
    rig.ready()
    rig.do(Unlock, 20)
    rig.device.double_feed_next(noticed=False)
    assert [(one.card, one.told) for one in rig.hands.draw().cards] == [("AS", "AS"), ("2S", None)]
    rig.rest()
    assert (rig.status.count, rig.status.stack_cards, rig.device.cards_left) == (1, 51, 50)
    rig.device.double_feed_next()
    assert len(rig.hands.draw().cards) == 2
    rig.rest()
    assert shape(rig.events[-2:]) == [("CardDrawn", 3, "3S", 1, 99, 0), ("Fault", 4, 2)], "both count, one was read"
    rig.clear_all()
    assert rig.status.stack_cards == rig.device.cards_left == 48


def test_two_cards_together_need_two_cards() -> None:
    rig = Rig()
    rig.hands.place_cut_card(51)
    rig.ready()
    rig.do(Unlock, 20)
    rig.device.double_feed_next()
    assert len(rig.hands.draw().cards) == 1, "the cut card does not come along"
    assert rig.hands.draw().cut_card
    assert len(rig.hands.draw().cards) == 2


def test_a_dealer_gives_a_card_too_many_and_does_not_notice() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.device.double_feed_next(noticed=False)
    rig.do(Dispense, 3)
    rig.rest()
    assert len(rig.draw_all()) == 4
    assert len(told_cards(rig.events)) == 3
    assert rig.status.stack_cards == rig.device.cards_left + 1
    rig.device.double_feed_next(noticed=False)
    rig.do(Unlock, 1)
    assert len(rig.hands.draw().cards) == 2


def test_the_count_of_a_stack_may_be_wrong() -> None:
    rig = Rig()
    rig.device.mishaps.miscount_next(+1)
    rig.load()
    assert shape(rig.events[-1:]) == [("StackLoaded", 53)]
    rig.do(Unlock, 60)
    assert len(rig.draw_all()) == 52
    assert shape(rig.events[-1:]) == [("Fault", 12, 2)], "by its count a card should be there"
    with pytest.raises(ShoeMisuse, match="put cards in"):
        rig.hands.remedy(F.OUT_OF_CARDS)
    rig.hands.collect()
    rig.hands.felt.gather(())
    rig.load()
    rig.clear_all()
    assert rig.status.stack_cards == 52


def test_the_count_of_returned_cards_may_be_wrong() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.device.mishaps.miscount_next(-2)
    take_back(rig)
    rig.rest()
    assert shape(rig.events[-1:]) == [("CardsReturned", 8)]
    assert rig.status.stack_cards == 50


def test_a_dealer_runs_out_in_the_middle_of_a_packet() -> None:
    rig = Rig("shuffler_dealer")
    rig.device.mishaps.miscount_next(+2)
    rig.ready()
    rig.do(Dispense, 32)
    rig.rest()
    rig.draw_all()
    rig.do(Dispense, 22)
    rig.rest()
    assert len(told_cards(rig.events)) == 52
    assert shape(rig.events[-1:]) == [("Fault", 12, 2)]
    assert len(rig.draw_all()) == 20, "what was there was told and may be taken"
    assert rig.refused(ClearFault, F.OUT_OF_CARDS, Module.EXIT) is RefusalReason.FAULT
    rig.hands.collect()
    rig.hands.return_cards()
    rig.clear_all()
    rig.do(AcceptReturn)
    rig.rest()
    assert rig.status.stack_cards == rig.device.cards_left == 52


def test_a_shuffler_runs_out_before_a_packet() -> None:
    rig = Rig("shuffler")
    rig.ready()
    rig.device.double_feed_next(noticed=False)
    rig.do(Dispense, 31)
    rig.rest()
    rig.draw_all()
    rig.do(Dispense, 20)
    rig.rest()
    rig.draw_all()
    rig.do(Dispense, 1)
    rig.rest()
    assert shape(rig.events[-1:]) == [("Fault", 12, 2)]


def test_a_stack_that_sticks_on_its_way_in_is_completed() -> None:
    rig = Rig("shuffler_dealer")
    rig.device.mishaps.jam(JamPlace.CAROUSEL)
    rig.load()
    assert faults(rig) == [F.STUCK_IN_CAROUSEL]
    rig.hands.remedy(F.STUCK_IN_CAROUSEL)
    assert rig.hands.return_cards() == 1
    rig.clear_all()
    rig.rest()
    assert [one.cards for one in rig.events if isinstance(one, StackLoaded)] == [52]


def test_motors_are_only_in_machines_that_have_some() -> None:
    rig = Rig()
    mishaps = rig.device.mishaps
    for act in (mishaps.stall_motor, mishaps.lose_home, lambda: mishaps.jam(JamPlace.ENTRY)):
        with pytest.raises(ShoeMisuse):
            act()
    with pytest.raises(ShoeMisuse, match="256"):
        rig.hands.turn_key(256)


def test_an_open_cover_stops_nothing_that_does_not_move() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.hands.open_cover()
    rig.hands.open_cover()
    rig.rest()
    assert rig.status.conditions & Condition.COVER_OPEN
    rig.hands.close_cover()
    rig.hands.close_cover()
    rig.rest()
    assert shape(rig.events[-2:]) == [("CoverOpened", 0), ("CoverClosed", 0)]


def test_a_shuffle_that_fails_is_counted() -> None:
    rig = Rig("shuffler")
    rig.load()
    rig.device.mishaps.jam(JamPlace.ENTRY)
    rig.do(Shuffle)
    rig.rest()
    rig.do(ReadMeters)
    (meters,) = rig.said(Meters)
    assert (meters.shuffles_done, meters.shuffles_failed, meters.misfeeds) == (0, 1, 1)
    rig.device.power_cycle()
    rig.rest()
    rig.do(ReadMeters)
    assert rig.said(Meters)[-1].shuffles_failed == 1, "once is once"


@pytest.mark.parametrize(
    ("kind", "cards", "cut"), [("shuffler_dealer", 0, 3), ("shuffler", 0, 3), ("shoe", 2, 3), ("shoe", 0, None)]
)
def test_what_does_not_fit_is_not_loaded(kind: TdpKind, cards: int, cut: int | None) -> None:
    rig = Rig(kind)
    rig.load()
    with pytest.raises(ValueError, match="card"):
        rig.device.load(["AS"] * cards, cut)
    assert not rig.device.is_cover_open
    assert rig.device.cards_left == 52


def test_a_carousel_takes_what_it_has_room_for() -> None:
    rig = Rig("shuffler_dealer")
    with pytest.raises(ValueError, match="do not fit"):
        rig.device.load(["AS"] * 500, None)
    assert rig.device.unload() == []
    rig.hands.load()
    rig.clock.advance(1.0)
    assert state(rig) is DeviceState.SHUFFLING
    rig.rest()
    assert len(rig.events) == 2, "nobody opened a cover"
    with pytest.raises(ValueError, match="take them out"):
        rig.device.load(["AS"], None)


def test_a_cover_opened_while_it_looks_for_zero_is_no_fault() -> None:
    rig = Rig("shuffler", on=False)
    rig.hands.make_ready()
    rig.clock.advance(0.3)
    assert rig.device.is_busy
    rig.hands.open_cover()
    assert not rig.device.is_moving
    rig.clock.advance(2.0)
    rig.hands.close_cover()
    assert rig.device.is_busy, "it looks again"
    rig.ready()
    assert rig.events[-1] == ShuffleDone(1, 8, 52)
    assert not faults(rig)


def test_a_packet_that_is_cut_short_is_told_as_far_as_it_came() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.do(Dispense, 5)
    rig.clock.advance(0.4)
    rig.device.mishaps.jam(JamPlace.EXIT)
    rig.rest()
    packet, fault = rig.events[-2:]
    assert isinstance(packet, PacketDispensed)
    assert packet.cards == tuple(one.told for one in rig.draw_all())
    assert packet.count == len(packet.cards) == rig.status.count == 2
    assert shape([fault]) == [("Fault", 3, 2)]


def test_two_cards_in_a_packet_that_were_noticed_are_both_told() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.device.double_feed_next()
    rig.do(Dispense, 3)
    rig.rest()
    packet = rig.events[-2]
    assert isinstance(packet, PacketDispensed)
    assert (packet.count, len(packet.cards), packet.cards[1]) == (2, 2, None)
    assert [one.told for one in rig.draw_all()] == list(packet.cards)


def test_a_dispenser_that_is_opened_while_it_fills_its_buffer_has_a_fault() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.do(Unlock, 40)
    rig.draw_all(7)
    rig.hands.draw()
    assert rig.device.is_moving
    rig.hands.open_cover()
    rig.rest()
    assert faults(rig) == [F.COVER_OPEN]


def test_an_unread_card_lies_nobody_knows_how() -> None:
    rig = Rig()
    rig.ready()
    rig.device.reader.fail_next()
    rig.do(Unlock, 1)
    rig.draw_all()
    event = rig.events[-1]
    assert isinstance(event, CardDrawn)
    assert (event.card, event.face, event.confidence) == (None, Face.UNKNOWN, 0)


def test_a_clean_eye_may_miss_a_card_again() -> None:
    rig = Rig()
    rig.ready()
    blind(rig)
    rig.do(Unlock, 5)
    rig.draw_all()
    rig.clear_all()
    rig.device.reader.fail_next()
    rig.do(Unlock, 1)
    assert [one.told for one in rig.draw_all()] == [None]
    assert not faults(rig)


def test_two_cards_stick_together_at_the_entry_if_there_are_two() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.do(Unlock, 3)
    rig.draw_all()
    assert isinstance(rig.device, ShufflerDealer)
    felt = rig.hands.felt
    for cards, told in ((1, [("CardsReturned", 1)]), (2, [("CardsReturned", 0), ("Fault", 4, 0)])):
        rig.device.double_feed_next()
        rig.device.return_cards([felt.laid.pop() for _ in range(cards)])
        rig.do(AcceptReturn)
        rig.rest()
        assert shape(rig.events[-len(told) :]) == told


def test_all_cards_can_be_taken_out_while_a_packet_lies_behind_the_shutter() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.do(Dispense, 3)
    rig.wait(lambda: rig.device.electronics.memory.counts.packet_told)
    rig.device.power_off()
    assert not rig.hands.can_draw
    assert sorted(rig.device.unload()) == sorted(DECK)
    assert rig.device.cards == ()
    rig.device.power_on()
    rig.rest()
    assert shape(rig.events[-1:]) == [("StackLoaded", 0)]
    assert not rig.hands.can_draw


def test_a_jam_at_the_mouth_stops_the_filling_behind_it() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.do(Unlock, 40)
    rig.draw_all(7)
    rig.hands.draw()
    was_moving = rig.device.is_moving
    rig.device.mishaps.jam(JamPlace.EXIT)
    assert rig.hands.draw().cards == ()
    assert (was_moving, rig.device.is_moving) == (True, False)
    assert faults(rig) == [F.STUCK_AT_EXIT]


def test_a_blocked_motor_is_seen_while_the_buffer_is_filled() -> None:
    rig = Rig("shuffler_dealer", TdpMachineSettings(shelves=60, shelf_cards=1))
    rig.ready()
    rig.device.mishaps.stall_motor()
    rig.do(Unlock, 3)
    rig.draw_all(1)
    assert shape(rig.events[-1:]) == [("Fault", 9, 1)]
    assert not rig.hands.can_draw

"""Events counted once, commands done once: the two ends' parts, alone."""

import pytest

from protocols.tdp.codes import BootReason, RefusalReason
from protocols.tdp.commands import Dispense, EventAcknowledged, Shuffle
from protocols.tdp.events import EventKey, PowerRestored, ShuffleStarted
from protocols.tdp.exactly_once import (
    ANSWERS_MAX,
    NEVER,
    OUTBOX_MAX,
    RESERVE,
    CommandMemory,
    EventDeduplicator,
    EventOrder,
    EventOutbox,
    OutboxRefused,
)
from protocols.tdp.messages import Done, Refused


def outbox_of(count: int) -> EventOutbox:
    outbox = EventOutbox(1)
    for number in range(1, count + 1):
        outbox.put(ShuffleStarted(1, number))
    return outbox


def test_events_wait_until_acknowledged_and_are_sent_again_in_a_new_session() -> None:
    outbox = outbox_of(5)
    assert [event.number for event in outbox.to_send(3)] == [1, 2, 3]
    assert [event.number for event in outbox.to_send(9)] == [4, 5]
    assert outbox.to_send(9) == []
    assert outbox.acknowledged(EventAcknowledged(1, 2)) == 2
    assert outbox.acknowledged(EventAcknowledged(1, 2)) == 0
    outbox.session_opened()
    assert [event.number for event in outbox.to_send(9)] == [3, 4, 5]
    assert [event.number for event in outbox.pending] == [3, 4, 5]


def test_an_acknowledgement_before_sending_does_not_confuse_the_place() -> None:
    outbox = outbox_of(4)
    outbox.to_send(1)
    assert outbox.acknowledged(EventAcknowledged(1, 3)) == 3
    assert [event.number for event in outbox.to_send(9)] == [4]


def test_an_acknowledgement_of_what_never_was_forgets_nothing() -> None:
    outbox = outbox_of(2)
    assert outbox.acknowledged(EventAcknowledged(1, 3)) == 0
    assert outbox.acknowledged(EventAcknowledged(9, 1)) == 0
    assert len(outbox.pending) == 2


def test_events_of_the_boot_before_come_first() -> None:
    kept = outbox_of(2).pending
    outbox = EventOutbox(2, kept)
    outbox.put(PowerRestored(2, 1, 1, 2, BootReason.BROWN_OUT))
    assert [event.key for event in outbox.to_send(9)] == [EventKey(1, 1), EventKey(1, 2), EventKey(2, 1)]
    assert outbox.acknowledged(EventAcknowledged(1, 2)) == 2


def test_an_event_out_of_turn_or_too_many_are_refused() -> None:
    outbox = outbox_of(1)
    for event in (ShuffleStarted(1, 1), ShuffleStarted(1, 3), ShuffleStarted(2, 2)):
        with pytest.raises(OutboxRefused, match="the next is"):
            outbox.put(event)
    outbox = outbox_of(OUTBOX_MAX)
    assert outbox.full
    with pytest.raises(OutboxRefused) as caught:
        outbox.put(ShuffleStarted(1, OUTBOX_MAX + 1))
    assert caught.value.waiting == OUTBOX_MAX
    assert caught.value.key == caught.value.expected == EventKey(1, OUTBOX_MAX + 1)


def test_a_start_names_the_last_event_that_was_none() -> None:
    outbox = EventOutbox(1)
    assert outbox.power_restored(BootReason.POWER_ON) == PowerRestored(1, 1, 0, 0, BootReason.POWER_ON)
    assert outbox.last_other == NEVER
    outbox = EventOutbox(2, (), outbox.last_other)
    assert outbox.power_restored(BootReason.POWER_ON) == PowerRestored(2, 1, 0, 0, BootReason.POWER_ON)
    outbox.put(ShuffleStarted(2, 2))
    outbox = EventOutbox(3, (), outbox.last_other)
    outbox.power_restored(BootReason.CRASH)
    outbox = EventOutbox(4, (), outbox.last_other)
    assert outbox.power_restored(BootReason.CRASH) == PowerRestored(4, 1, 2, 2, BootReason.CRASH)
    with pytest.raises(OutboxRefused):
        outbox.power_restored(BootReason.CRASH)


def test_cards_leave_a_reserve_for_everything_else() -> None:
    outbox = outbox_of(OUTBOX_MAX - RESERVE - 1)
    assert (outbox.free, outbox.has_room_for_cards) == (RESERVE + 1, True)
    outbox.put(ShuffleStarted(1, OUTBOX_MAX - RESERVE))
    assert (outbox.free, outbox.has_room_for_cards, outbox.full) == (RESERVE, False, False)
    for number in range(OUTBOX_MAX - RESERVE + 1, OUTBOX_MAX + 1):
        outbox.put(ShuffleStarted(1, number))
    assert (outbox.free, outbox.has_room_for_cards, outbox.full) == (0, False, True)
    outbox.acknowledged(EventAcknowledged(1, RESERVE))
    assert not outbox.has_room_for_cards
    outbox.acknowledged(EventAcknowledged(1, RESERVE + 1))
    assert outbox.has_room_for_cards


def test_gate_takes_each_event_once_and_shows_gaps() -> None:
    gate = EventDeduplicator(EventKey(3, 7))
    assert gate.acknowledgement == EventAcknowledged(3, 7)
    assert gate.judge(ShuffleStarted(3, 7)) is EventOrder.REPEATED
    assert gate.judge(ShuffleStarted(2, 99)) is EventOrder.REPEATED
    assert gate.judge(ShuffleStarted(3, 9)) is EventOrder.GAP
    assert gate.judge(ShuffleStarted(3, 8)) is EventOrder.NEW
    assert gate.judge(ShuffleStarted(3, 8)) is EventOrder.NEW, "judging alone makes nothing durable"
    assert gate.made_durable(ShuffleStarted(3, 8)) == EventAcknowledged(3, 8)
    assert gate.judge(ShuffleStarted(3, 8)) is EventOrder.REPEATED


def test_gate_sees_what_was_lost_with_the_boot_before() -> None:
    gate = EventDeduplicator(EventKey(3, 7))
    assert gate.judge(PowerRestored(4, 1, 3, 7, 1)) is EventOrder.NEW
    assert gate.judge(PowerRestored(4, 1, 3, 8, 1)) is EventOrder.GAP
    assert gate.judge(PowerRestored(4, 1, 3, 6, 1)) is EventOrder.GAP
    assert gate.judge(PowerRestored(5, 1, 4, 1, 1)) is EventOrder.GAP
    assert gate.judge(PowerRestored(4, 2, 3, 7, 1)) is EventOrder.GAP, "it is event 1 or none"
    assert gate.judge(PowerRestored(3, 8, 3, 7, 1)) is EventOrder.GAP, "it begins a boot"
    assert gate.judge(ShuffleStarted(4, 1)) is EventOrder.GAP


def test_starts_that_were_lost_are_no_gap_if_nothing_happened_in_them() -> None:
    gate = EventDeduplicator(EventKey(3, 7))
    gate.made_durable(PowerRestored(4, 1, 3, 7, 1))
    assert (gate.last, gate.last_other) == (EventKey(4, 1), EventKey(3, 7))
    assert gate.judge(PowerRestored(6, 1, 3, 7, 1)) is EventOrder.NEW, (
        "boot 5 told nothing but its start, and that is lost"
    )
    assert gate.judge(PowerRestored(6, 1, 5, 2, 1)) is EventOrder.GAP, "boot 5 told something"
    assert gate.judge(PowerRestored(6, 1, 4, 1, 1)) is EventOrder.GAP, "a PowerRestored is never named"
    gate.made_durable(ShuffleStarted(4, 2))
    assert gate.judge(PowerRestored(5, 1, 3, 7, 1)) is EventOrder.GAP, "4·2 is durable here, and unknown there"
    assert gate.judge(PowerRestored(5, 1, 4, 2, 1)) is EventOrder.NEW


def test_gate_goes_on_with_what_a_start_names() -> None:
    begun = EventDeduplicator(None)
    begun.made_durable(PowerRestored(5, 1, 4, 9, 1))
    assert begun.judge(PowerRestored(6, 1, 4, 9, 1)) is EventOrder.NEW, "what was before belongs to no history here"
    decided = EventDeduplicator(EventKey(3, 7))
    assert decided.judge(PowerRestored(5, 1, 4, 9, 1)) is EventOrder.GAP
    decided.made_durable(PowerRestored(5, 1, 4, 9, 1))  # a person has let it pass
    assert decided.judge(PowerRestored(6, 1, 4, 9, 1)) is EventOrder.NEW
    first = EventDeduplicator(None)
    first.made_durable(PowerRestored(1, 1, 0, 0, 1))
    assert first.judge(PowerRestored(2, 1, 0, 0, 1)) is EventOrder.NEW
    assert EventDeduplicator(EventKey(4, 1), EventKey(3, 7)).judge(PowerRestored(5, 1, 3, 7, 1)) is EventOrder.NEW


def test_gate_without_history_begins_with_what_comes() -> None:
    gate = EventDeduplicator(None)
    assert gate.acknowledgement is None
    assert gate.judge(ShuffleStarted(3, 7)) is EventOrder.NEW


def test_a_command_is_answered_alike_and_done_once() -> None:
    memory = CommandMemory()
    assert memory.recall(Dispense(1, 3)) is None
    memory.remember(Dispense(1, 3), Done(1))
    assert memory.recall(Dispense(1, 3)) == Done(1)
    assert memory.recall(Dispense(1, 4)) == Refused(1, RefusalReason.CONFLICTING_ID)
    assert memory.recall(Shuffle(1)) == Refused(1, RefusalReason.CONFLICTING_ID)


def test_a_refusal_is_remembered_too_and_id_0_is_none() -> None:
    memory = CommandMemory()
    assert memory.recall(Shuffle(0)) == Refused(0, RefusalReason.OLD_ID)
    memory.remember(Shuffle(1), Refused(1, RefusalReason.BUSY))
    assert memory.recall(Shuffle(1)) == Refused(1, RefusalReason.BUSY)


def test_a_command_too_old_to_be_remembered_is_not_done_again() -> None:
    memory = CommandMemory(highest=4)
    assert memory.recall(Shuffle(4)) == Refused(4, RefusalReason.OLD_ID)
    for number in range(5, 5 + ANSWERS_MAX + 1):
        assert memory.recall(Shuffle(number)) is None
        memory.remember(Shuffle(number), Done(number))
    assert memory.recall(Shuffle(5)) == Refused(5, RefusalReason.OLD_ID)
    assert memory.recall(Shuffle(6)) == Done(6)

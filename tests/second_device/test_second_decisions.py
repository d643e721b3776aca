"""Each decision of the page that a first reader had to guess: section 12 above all, and what commands mean."""

from pathlib import Path

import pytest

from tests.second_device.mechanism import UnableError
from tests.second_device.messages import Type, encode
from tests.second_device.outbox import CAPACITY, RESERVE, Memory
from tests.second_device.room import COVER, DISPENSING, FAULT, FULL, IN_FAULT, LOADED, LOCKED, Room, last
from tests.second_device.session import State

# --- the outbox -------------------------------------------------------------------------------------------------------


def test_full_outbox_lets_no_card_out(loaded: Room) -> None:
    loaded.acknowledges = False
    mechanism = loaded.station.device.mechanism
    mechanism.load(1000)
    loaded.command(Type.UNLOCK, cards=1000)
    while not loaded.outbox.is_full:
        mechanism.draw()
        loaded.station.tick(loaded.now_s)
    assert loaded.outbox.free == RESERVE
    with pytest.raises(UnableError, match="locked"):
        mechanism.draw()
    loaded.run(1.0)
    assert loaded.status.number("conditions") == LOCKED | FULL
    for kind, fields in MOVING.items():
        assert loaded.command(kind, 0.05, **fields) == 8
    assert loaded.command(Type.LOCK) == 0
    mechanism.turn_key(1)
    loaded.run(0.05)
    assert last(loaded).type is Type.KEY_TURNED, "what is no card is told still"
    assert len(loaded.application.of(Type.CARD_DRAWN)) == CAPACITY - RESERVE - 3 + 2
    loaded.acknowledges = True
    boot, number = loaded.application.last
    loaded.say(encode(Type.EVENT_ACKNOWLEDGED, boot=boot, number=number))
    assert loaded.status.number("conditions") == LOCKED, "the host unlocks anew"
    assert loaded.command(Type.UNLOCK, cards=1) == 0


MOVING: dict[Type, dict[str, int]] = {
    Type.UNLOCK: {"cards": 1},
    Type.DISPENSE: {"cards": 1},
    Type.SHUFFLE: {},
    Type.EJECT: {},
    Type.ACCEPT_RETURN: {},
}


def test_a_device_without_a_place_for_an_event_stops_and_says_so(loaded: Room) -> None:
    loaded.acknowledges = False
    mechanism = loaded.station.device.mechanism
    while loaded.outbox.free:
        mechanism.turn_key(1 - mechanism.key)
    loaded.run(1.0)
    assert loaded.status.number("state") == LOADED, "all of it could be told"
    mechanism.cover(is_open=True)
    loaded.run(0.1)
    status = loaded.status
    assert (status.number("state"), status.number("fault"), status.number("module")) == (FAULT, 14, 0)
    assert status.number("conditions") == LOCKED | COVER | IN_FAULT | FULL
    mechanism.cover(is_open=False)
    assert loaded.command(Type.CLEAR_FAULT, code=14, module=0) == 5, "its cause is still there"
    with pytest.raises(UnableError, match="no event can be kept"):
        mechanism.clear_fault()
    mechanism.cover(is_open=True)
    before = len(loaded.application.journal)
    loaded.acknowledges = True
    boot, number = loaded.application.last
    loaded.say(encode(Type.EVENT_ACKNOWLEDGED, boot=boot, number=number), for_s=0.2)
    told = [(event.type, event.fields.get("code")) for event in loaded.application.journal[before:]]
    assert told == [(Type.FAULT, 14), (Type.COVER_OPENED, None)], "what holds, not what passed meanwhile"
    assert loaded.application.gaps == []
    mechanism.cover(is_open=False)
    loaded.run(0.05)
    assert loaded.command(Type.CLEAR_FAULT, code=14, module=0) == 0
    assert loaded.command(Type.UNLOCK, cards=1) == 0


def test_a_start_that_finds_no_place_is_told_later_as_event_1(loaded: Room) -> None:
    room = loaded
    room.outbox.keeps_events = True
    room.acknowledges = False
    mechanism = room.station.device.mechanism
    while room.outbox.free:
        mechanism.turn_key(1 - mechanism.key)
    before = room.outbox.memory.other
    room.run(1.0)
    room.station.power_off()
    room.station.power_on(room.now_s)
    room.run(2.5)
    assert room.application.of(Type.HELLO)[-1].number("boot") == 2
    assert room.status.number("fault") == 14
    room.acknowledges = True
    room.lose_session()
    room.run(2.0)
    restored = next(event for event in room.application.journal if event.number("boot") == 2)
    assert (restored.type, restored.number("number")) == (Type.POWER_RESTORED, 1)
    assert (restored.number("previous_boot"), restored.number("previous_last")) == before
    assert room.application.gaps == []


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "reason"),
    [("7A 00 00 00 50", 1), ("53 00 00 00 50 00", 2), ("51 00 00 00 50 00", 2), ("57 00 00 00 50 03 00", 2)],
    ids=["unknown type", "too long", "dispense 0", "no such lamp"],
)
def test_a_command_that_cannot_be_read_is_refused_and_its_id_is_not_used_up(room: Room, body: str, reason: int) -> None:
    raw = bytes.fromhex(body)
    assert room.answer(len(raw).to_bytes(2) + raw) == reason
    assert room.answer(encode(Type.LOCK, id=0x50)) == 0


def test_an_unlock_repeated_in_the_next_session_tells_what_was_done_and_unlocks_nothing(loaded: Room) -> None:
    unlock = encode(Type.UNLOCK, id=30, cards=5)
    assert loaded.answer(unlock) == 0
    loaded.lose_session()
    loaded.run(0.2)
    assert loaded.answer(unlock) == 0
    assert loaded.status.number("conditions") & LOCKED, "Status says what holds now"
    assert loaded.answer(encode(Type.UNLOCK, id=31, cards=5)) == 0
    assert not loaded.status.number("conditions") & LOCKED


def test_ids_of_another_host_were_higher(loaded: Room) -> None:
    assert loaded.answer(encode(Type.LOCK, id=1000)) == 0
    assert loaded.answer(encode(Type.DISPENSE, id=3, cards=1), 0.2) == 9
    assert loaded.application.of(Type.PACKET_DISPENSED) == [], "refused with 9 at the first time: not done"
    assert loaded.answer(encode(Type.DISPENSE, id=3 + (1 << 20), cards=1), 0.2) == 0
    assert loaded.answer(encode(Type.LOCK, id=0)) == 9


def test_a_new_host_finds_out_that_its_ids_are_new(loaded: Room) -> None:
    assert loaded.answer(encode(Type.DISPENSE, id=7, cards=1), 0.2) == 0
    assert loaded.answer(encode(Type.DISPENSE, id=7, cards=1), 0.2) == 0, "as it was then: a new host would wait"
    assert len(loaded.application.of(Type.PACKET_DISPENSED)) == 1
    for number, answer in ((7, 10), (6, 9), (7 + (1 << 20), 1)):
        assert loaded.answer(encode(Type.ATTEST, id=number, nonce=bytes(range(32)))) == answer
    assert loaded.answer(encode(Type.DISPENSE, id=8 + (1 << 20), cards=1), 0.2) == 0
    assert len(loaded.application.of(Type.PACKET_DISPENSED)) == 2


def test_meters_asked_for_again_are_those_of_now(loaded: Room) -> None:
    ask = encode(Type.READ_METERS, id=40)
    first, done = loaded.say(ask)
    assert loaded.answer(encode(Type.DISPENSE, id=41, cards=3), 0.2) == 0
    second, done_again = (report for report in loaded.say(ask) if report.type in {Type.METERS, Type.DONE})
    assert (first.number("cards_read"), second.number("cards_read")) == (0, 3)
    assert done == done_again


def test_unlock_replaces_and_nothing_moves_while_a_hand_may_draw(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    assert loaded.command(Type.UNLOCK, cards=5) == 0
    assert loaded.command(Type.UNLOCK, cards=60) == 0, "more than there are: until they are out"
    assert mechanism.permit == 60
    assert loaded.command(Type.UNLOCK, cards=2) == 0
    assert mechanism.permit == 2
    for kind, fields in MOVING.items():
        assert loaded.command(kind, 0.05, **fields) == (0 if kind is Type.UNLOCK else 3)
    assert loaded.command(Type.LOCK) == 0
    assert loaded.command(Type.DISPENSE, cards=1) == 0


def test_a_fault_and_an_open_cover_end_the_permit(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    loaded.command(Type.UNLOCK, cards=5)
    mechanism.cover(is_open=True)
    mechanism.cover(is_open=False)
    loaded.run(0.05)
    assert loaded.status.number("conditions") == LOCKED
    loaded.command(Type.UNLOCK, cards=5)
    mechanism.jam()
    mechanism.free()
    mechanism.clear_fault()
    loaded.run(0.05)
    assert loaded.status.number("conditions") == LOCKED


def test_a_fault_is_named_before_a_cover_and_the_cover_before_too_few_cards(room: Room) -> None:
    mechanism = room.station.device.mechanism
    assert room.command(Type.DISPENSE, cards=1) == 7
    mechanism.cover(is_open=True)
    assert room.command(Type.DISPENSE, cards=1) == 6
    mechanism.jam()
    assert room.command(Type.DISPENSE, cards=1) == 5
    mechanism.free()
    assert room.command(Type.CLEAR_FAULT, code=3, module=2) == 2
    assert room.command(Type.CLEAR_FAULT, code=3, module=1) == 6
    mechanism.cover(is_open=False)
    assert room.command(Type.CLEAR_FAULT, code=3, module=1) == 0
    assert room.command(Type.CLEAR_FAULT, code=3, module=1) == 2


def test_an_open_cover_is_a_fault_only_while_cards_move(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    mechanism.cover(is_open=True)
    loaded.run(0.05)
    assert loaded.status.number("state") == LOADED
    mechanism.cover(is_open=False)
    assert loaded.command(Type.DISPENSE, cards=10, for_s=0.02) == 0
    assert loaded.status.number("state") == DISPENSING
    mechanism.cover(is_open=True)
    loaded.run(0.05)
    opened, packet, fault = loaded.application.journal[-3:]
    assert opened.type is Type.COVER_OPENED
    assert len(packet.raw("cards")) == packet.number("count") == 5
    assert (fault.type, fault.number("code")) == (Type.FAULT, 8)
    assert loaded.status.number("state") == FAULT


# --- starts -----------------------------------------------------------------------------------------------------------


def restart(room: Room, times: int = 1) -> None:
    for _ in range(times):
        room.station.power_off()
        room.station.power_on(room.now_s)


def test_a_start_tells_anew_what_holds(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    mechanism.jam()
    mechanism.cover(is_open=True)
    mechanism.turn_key(2)
    loaded.run(0.05)
    openings = loaded.outbox.memory.meters.cover_openings
    restart(loaded)
    loaded.run(2.5)
    told = [(event.type, event.number("number")) for event in loaded.application.journal[-4:]]
    assert told == [
        (Type.POWER_RESTORED, 1),
        (Type.COVER_OPENED, 2),
        (Type.FAULT, 3),
        (Type.KEY_TURNED, 4),
    ]
    assert loaded.outbox.memory.meters.cover_openings == openings, "it was opened once"
    assert loaded.status.number("stack") == 52, "the stack is where it was"


def test_starts_that_no_host_heard_are_no_gap_without_capability_9(loaded: Room) -> None:
    assert not loaded.application.of(Type.HELLO)[-1].number("capabilities") & 1 << 9
    restart(loaded, times=3)
    loaded.run(2.5)
    assert loaded.application.gaps == []
    restored = last(loaded)
    assert (restored.number("boot"), restored.number("previous_boot"), restored.number("previous_last")) == (4, 1, 2)
    restart(loaded, times=2)
    loaded.run(2.5)
    assert loaded.application.gaps == []
    assert last(loaded).number("boot") == 6


def test_an_event_lost_between_two_starts_is_a_gap_without_capability_9(loaded: Room) -> None:
    loaded.station.power_off()
    loaded.station.power_on(loaded.now_s)
    loaded.station.device.mechanism.turn_key(1)
    loaded.station.device.mechanism.turn_key(0)
    restart(loaded)
    loaded.run(2.5)
    (gap,) = loaded.application.gaps
    assert (gap.number("boot"), gap.number("previous_boot"), gap.number("previous_last")) == (3, 2, 3)


def test_the_first_heartbeat_stands_behind_what_was_kept(seed: int) -> None:
    room = Room(seed)
    mechanism = room.station.device.mechanism
    for _ in range(40):
        mechanism.turn_key(1 - mechanism.key)
    room.host.open(room.now_s)
    room.run(0.5)
    kinds = [message.type for message in room.application.heard]
    assert kinds == [Type.HELLO, Type.STATUS, Type.POWER_RESTORED, *[Type.KEY_TURNED] * 40, Type.HEARTBEAT]


# --- what the host sees and decides -----------------------------------------------------------------------------------


def forget(room: Room) -> None:
    """The device's memory is lost: another board with the same serial number, or its flash was wiped."""
    room.station.power_off()
    room.station.device.mechanism.load(0)
    room.outbox.memory = Memory()
    room.station.power_on(room.now_s)


def test_a_boot_count_that_went_back_is_a_gap(loaded: Room) -> None:
    restart(loaded, times=2)
    loaded.run(2.5)
    forget(loaded)
    loaded.run(2.5)
    assert [gap.type for gap in loaded.application.gaps] == [Type.HELLO]
    assert len(loaded.outbox.pending) > 0, "nothing was acknowledged"


def test_other_bytes_under_a_known_number_are_a_gap(loaded: Room) -> None:
    forget(loaded)
    loaded.station.device.mechanism.turn_key(3)  # 1·2, as the loaded stack was
    loaded.station.device.mechanism.turn_key(0)
    loaded.run(2.5)
    assert [gap.type for gap in loaded.application.gaps] == [Type.KEY_TURNED]
    assert loaded.outbox.memory.events[-1][:2] == (1, 3), "it is kept, for nothing of it was acknowledged"


def test_a_heartbeat_behind_what_is_durable_is_a_gap(loaded: Room) -> None:
    before = list(loaded.application.journal)
    forget(loaded)
    loaded.run(2.5)
    assert {gap.type for gap in loaded.application.gaps} == {Type.HEARTBEAT}, "1·1 is the same as it was"
    loaded.station.device.mechanism.turn_key(3)
    loaded.run(0.1)
    assert loaded.application.journal == before, "and nothing is taken from then on"
    assert len(loaded.outbox.pending) == 1


def test_a_lost_memory_is_decided_by_a_person_and_no_card_is_missing(loaded: Room) -> None:
    assert loaded.command(Type.DISPENSE, cards=2, for_s=0.2) == 0
    forget(loaded)
    mechanism = loaded.station.device.mechanism
    mechanism.load(52)
    mechanism.permit = 3
    drawn = [int(mechanism.draw(), 16) for _ in range(3)]
    loaded.run(2.5)
    assert loaded.application.gaps
    loaded.application.decide(anew=True)
    loaded.lose_session()
    loaded.run(1.0)
    assert loaded.application.gaps == []
    assert [event.number("card") for event in loaded.application.of(Type.CARD_DRAWN)] == drawn
    assert loaded.outbox.pending == []


def test_after_a_gap_a_person_lets_the_history_go_on(loaded: Room) -> None:
    memory = loaded.outbox.memory
    memory.last += 3  # as if three events had been lost in the device
    loaded.station.device.mechanism.turn_key(1)
    loaded.run(0.05)
    assert [gap.type for gap in loaded.application.gaps] == [Type.KEY_TURNED]
    loaded.station.device.mechanism.turn_key(0)
    loaded.run(0.05)
    assert len(loaded.outbox.pending) == 2
    loaded.application.decide()
    loaded.lose_session()
    loaded.run(1.0)
    assert [event.number("number") for event in loaded.application.journal[-2:]] == [6, 7]
    assert loaded.outbox.pending == []
    loaded.station.device.mechanism.turn_key(1)
    loaded.run(0.05)
    assert last(loaded).number("number") == 8
    assert loaded.application.gaps == []


def test_another_device_is_acknowledged_nothing(seed: int, tmp_path: Path) -> None:
    room = Room(seed, tmp_path / "memory", serial="ANOTHER-2")
    room.connect()
    assert room.application.of(Type.HELLO)[0].fields["serial"] == "SECOND-1"
    assert room.application.journal == []
    assert len(room.outbox.pending) == 1


def test_only_what_came_in_this_session_is_acknowledged_and_by_its_own_number(loaded: Room) -> None:
    loaded.acknowledges = False
    loaded.station.device.mechanism.turn_key(1)
    loaded.station.device.mechanism.turn_key(0)
    loaded.run(0.1)
    loaded.acknowledgements.clear()
    loaded.acknowledges = True
    loaded.lose_session()
    loaded.run(0.5)
    keys = [(each.number("boot"), each.number("number")) for each in loaded.acknowledgements]
    assert keys == [(1, 3), (1, 4)]
    loaded.acknowledgements.clear()
    loaded.lose_session()
    loaded.run(0.5)
    assert loaded.acknowledgements == [], "nothing came: what is durable is not acknowledged on trust"
    assert loaded.station.link.state is State.OPEN

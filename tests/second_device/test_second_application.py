"""The second device's application against sections 8 to 12, over a sound line in virtual time."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.second_device.mechanism import UnableError
from tests.second_device.messages import Type, encode
from tests.second_device.room import (
    COVER,
    CUT_SEEN,
    DISPENSING,
    FAULT,
    IDLE,
    IN_FAULT,
    LOADED,
    LOCKED,
    RETURNING,
    SHUFFLING,
    Room,
    last,
)
from tests.second_device.session import State


def test_hello_then_status_then_events(seed: int) -> None:
    room = Room(seed)
    room.station.device.mechanism.load(416)
    room.connect()
    reports = [message.type for message in room.application.reports]
    assert reports[:2] == [Type.HELLO, Type.STATUS]
    assert [(event.type, event.number("number")) for event in room.application.journal] == [
        (Type.POWER_RESTORED, 1),
        (Type.STACK_LOADED, 2),
    ]
    hello = room.application.reports[0]
    assert hello.number("boot") == 1
    assert hello.number("capabilities") == 0x4FF
    assert room.status.fields == {
        "state": LOADED, "conditions": LOCKED, "key": 0, "stack": 416, "count": 0, "fault": 0, "module": 0,
    }  # fmt: skip


def test_heartbeat_every_second_with_last_and_pending(room: Room) -> None:
    before = len(room.application.of(Type.HEARTBEAT))
    room.acknowledges = False
    room.station.device.mechanism.turn_key(2)
    room.run(3.0)
    heartbeats = room.application.of(Type.HEARTBEAT)
    assert len(heartbeats) - before == 3
    assert heartbeats[0].number("uptime_s") == 0, "the first at once"
    assert [heartbeats[-1].fields[name] for name in ("uptime_s", "boot", "last", "pending")] == [4, 1, 2, 1]


def test_draws_as_many_as_unlocked_then_locks(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    with pytest.raises(UnableError, match="locked"):
        mechanism.draw()
    assert loaded.command(Type.UNLOCK, cards=2) == 0
    assert not loaded.status.number("conditions") & LOCKED
    drawn = [int(mechanism.draw(), 16)]
    mechanism.next_unread()
    drawn.append(int(mechanism.draw(), 16))
    loaded.run(0.05)
    events = loaded.application.of(Type.CARD_DRAWN)
    assert [event.number("card") for event in events] == drawn
    assert [event.number("count") for event in events] == [1, 2]
    assert [(event.number("face"), event.number("confidence")) for event in events] == [(1, 99), (0, 0)]
    assert drawn[1] == 0
    assert loaded.status.number("conditions") & LOCKED
    assert (loaded.status.number("stack"), loaded.status.number("count")) == (50, 2)


def test_locks_by_command_and_with_the_session(loaded: Room) -> None:
    assert loaded.command(Type.UNLOCK, cards=2) == 0
    assert loaded.command(Type.LOCK) == 0
    assert loaded.station.device.mechanism.permit == 0
    assert loaded.command(Type.UNLOCK, cards=2) == 0
    loaded.lose_session()
    loaded.run(0.1)
    assert loaded.station.device.mechanism.permit == 0


def test_dispenses_a_packet_even_if_the_session_goes(loaded: Room) -> None:
    assert loaded.command(Type.DISPENSE, cards=3) == 0
    loaded.run(0.1)
    packet = last(loaded)
    assert packet.type is Type.PACKET_DISPENSED
    assert packet.number("count") == 3
    assert len(packet.raw("cards")) == 3
    assert loaded.command(Type.DISPENSE, cards=32) == 0
    assert loaded.command(Type.DISPENSE, cards=1) == 3  # busy
    loaded.lose_session()
    loaded.run(1.0)
    assert len(last(loaded).raw("cards")) == 32
    assert last(loaded).number("count") == 35
    assert loaded.command(Type.DISPENSE, cards=18) == 7  # 17 are left
    assert loaded.application.gaps == []


def test_every_card_of_a_deck_comes_once(loaded: Room) -> None:
    for cards in (32, 20):
        assert loaded.command(Type.DISPENSE, cards=cards, for_s=0.5) == 0
    packets = b"".join(packet.raw("cards") for packet in loaded.application.of(Type.PACKET_DISPENSED))
    assert sorted(packets) == [suit << 4 | rank for suit in range(1, 5) for rank in range(1, 14)]


def test_shuffles_and_counts(loaded: Room) -> None:
    assert loaded.command(Type.SHUFFLE) == 0
    assert last(loaded).type is Type.SHUFFLE_STARTED
    assert loaded.status.number("state") == SHUFFLING
    loaded.run(0.5)
    assert (last(loaded).type, last(loaded).number("cards")) == (Type.SHUFFLE_DONE, 52)
    assert loaded.status.number("state") == LOADED


def test_returned_cards_are_in_the_device_again(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    with pytest.raises(UnableError, match="only 0 cards are out"):
        mechanism.put_back(1)
    assert loaded.command(Type.DISPENSE, cards=5, for_s=0.2) == 0
    mechanism.put_back(3)
    assert loaded.status.number("stack") == 47, "what lies in the tray is not in it yet"
    assert loaded.command(Type.ACCEPT_RETURN, for_s=0.02) == 0
    assert loaded.status.number("state") == RETURNING
    loaded.run(0.2)
    assert (last(loaded).type, last(loaded).number("cards")) == (Type.CARDS_RETURNED, 3)
    assert (loaded.status.number("stack"), loaded.status.number("count")) == (50, 5)
    assert loaded.command(Type.ACCEPT_RETURN, for_s=0.2) == 0
    assert (last(loaded).type, last(loaded).number("cards")) == (Type.CARDS_RETURNED, 0), "nothing was in the tray"


def test_ejects_everything(loaded: Room) -> None:
    assert loaded.command(Type.EJECT, for_s=0.02) == 0
    assert loaded.status.number("state") == DISPENSING
    loaded.run(0.2)
    assert (last(loaded).type, last(loaded).number("cards")) == (Type.STACK_LOADED, 0)
    assert (loaded.status.number("state"), loaded.status.number("stack")) == (IDLE, 0)
    assert loaded.command(Type.UNLOCK, cards=1) == 7


def test_cut_card_does_not_count(loaded: Room) -> None:
    loaded.command(Type.UNLOCK, cards=2)
    mechanism = loaded.station.device.mechanism
    mechanism.draw()
    mechanism.draw_cut_card()
    mechanism.draw()
    loaded.run(0.05)
    counts = [(event.type, event.number("count")) for event in loaded.application.journal[-3:]]
    assert counts == [(Type.CARD_DRAWN, 1), (Type.CUT_CARD_DRAWN, 1), (Type.CARD_DRAWN, 2)]
    assert loaded.status.number("conditions") & CUT_SEEN


def test_fault_until_cleared(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    loaded.command(Type.UNLOCK, cards=5)
    mechanism.jam()
    loaded.run(0.05)
    assert (last(loaded).type, last(loaded).number("code")) == (Type.FAULT, 3)
    assert loaded.status.number("state") == FAULT
    assert loaded.status.number("conditions") == LOCKED | IN_FAULT
    assert loaded.command(Type.DISPENSE, cards=1) == 5
    assert loaded.command(Type.CLEAR_FAULT, code=4, module=1) == 2
    assert loaded.command(Type.CLEAR_FAULT, code=3, module=1) == 5  # it is still stuck
    mechanism.free()
    assert loaded.command(Type.CLEAR_FAULT, code=3, module=1) == 0
    assert last(loaded).type is Type.FAULT_CLEARED
    assert loaded.status.number("fault") == 0


def test_jam_of_a_packet_tells_what_left(loaded: Room) -> None:
    loaded.command(Type.DISPENSE, cards=10, for_s=0.02)
    loaded.station.device.mechanism.jam()
    loaded.run(0.05)
    packet, fault = loaded.application.journal[-2:]
    assert len(packet.raw("cards")) == packet.number("count") == 5
    assert fault.type is Type.FAULT


def test_jam_of_a_shuffle(loaded: Room) -> None:
    loaded.command(Type.SHUFFLE)
    loaded.station.device.mechanism.jam()
    loaded.run(1.0)
    assert (last(loaded).type, last(loaded).number("code")) == (Type.FAULT, 2)
    (meters, _) = loaded.say(encode(Type.READ_METERS, id=50))
    assert [meters.number(name) for name in ("shuffles_done", "shuffles_failed", "misfeeds")] == [0, 1, 1]


def test_power_cut_while_shuffling_and_jammed(loaded: Room) -> None:
    loaded.command(Type.SHUFFLE)
    loaded.station.power_off()
    loaded.station.power_on(loaded.now_s)
    loaded.run(2.5)
    assert loaded.status.number("state") == LOADED
    assert loaded.outbox.memory.meters.shuffles_failed == 1
    loaded.station.device.mechanism.jam()
    loaded.run(0.05)
    loaded.station.power_off()
    loaded.station.power_on(loaded.now_s)
    loaded.run(2.5)
    assert [event.type for event in loaded.application.journal[-2:]] == [Type.POWER_RESTORED, Type.FAULT]
    assert loaded.status.number("state") == FAULT


def test_what_a_hand_cannot_do(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    for action, why in (
        (mechanism.free, "nothing is stuck"),
        (mechanism.clear_fault, "no fault"),
        (lambda: mechanism.cover(is_open=False), "so already"),
        (mechanism.draw_cut_card, "locked"),
    ):
        with pytest.raises(UnableError, match=why):
            action()
    loaded.command(Type.UNLOCK, cards=60)
    for _ in range(52):
        mechanism.draw()
    with pytest.raises(UnableError, match="empty"):
        mechanism.draw()
    mechanism.cover(is_open=True)
    with pytest.raises(UnableError, match="cover"):
        mechanism.draw()
    mechanism.cover(is_open=False)
    mechanism.jam()
    stuck: tuple[Callable[[], object], ...] = (mechanism.jam, mechanism.clear_fault, mechanism.draw)
    for attempt in stuck:
        with pytest.raises(UnableError, match=r"fault|stuck"):
            attempt()
    mechanism.free()
    mechanism.clear_fault()
    mechanism.load(52)
    loaded.command(Type.SHUFFLE, for_s=0.02)
    with pytest.raises(UnableError, match="moves"):
        mechanism.load(52)


def test_cover_and_key(loaded: Room) -> None:
    mechanism = loaded.station.device.mechanism
    mechanism.cover(is_open=True)
    mechanism.turn_key(2)
    loaded.run(0.05)
    assert loaded.status.number("conditions") & COVER
    assert loaded.status.number("key") == 2
    assert loaded.command(Type.UNLOCK, cards=1) == 6
    mechanism.cover(is_open=False)
    loaded.run(0.05)
    assert [event.type for event in loaded.application.journal[-3:]] == [
        Type.COVER_OPENED,
        Type.KEY_TURNED,
        Type.COVER_CLOSED,
    ]


def test_meters_lamp_and_attestation(loaded: Room) -> None:
    loaded.command(Type.SHUFFLE, for_s=0.5)
    loaded.command(Type.DISPENSE, cards=4, for_s=0.2)
    meters, done = loaded.say(encode(Type.READ_METERS, id=50))
    assert (meters.type, done.type) == (Type.METERS, Type.DONE)
    assert {name: value for name, value in meters.fields.items() if value} == {
        "id": 50, "shuffles_done": 1, "cards_per_shuffle": 52, "cards_read": 4, "power_cycles": 1,
    }  # fmt: skip
    assert loaded.answer(encode(Type.SET_LAMP, id=51, lamp=2, mode=1)) == 0
    assert loaded.station.device.lamps == [0, 0, 1]
    assert loaded.answer(encode(Type.ATTEST, id=52, nonce=bytes(32))) == 1


def test_same_id_same_answer_not_done_again(loaded: Room) -> None:
    dispense = encode(Type.DISPENSE, id=9, cards=1)
    assert loaded.answer(dispense, 0.2) == 0
    loaded.lose_session()
    loaded.run(0.1)
    assert loaded.answer(dispense, 0.2) == 0
    assert len(loaded.application.of(Type.PACKET_DISPENSED)) == 1
    assert loaded.answer(encode(Type.DISPENSE, id=9, cards=2)) == 10
    assert loaded.answer(encode(Type.LOCK, id=9)) == 10
    assert loaded.answer(encode(Type.LOCK, id=8)) == 9
    for number in range(10, 26):
        assert loaded.answer(encode(Type.LOCK, id=number)) == 0
    assert loaded.answer(encode(Type.LOCK, id=10)) == 0  # the sixteenth back


def test_highest_id_outlives_a_power_cut(loaded: Room) -> None:
    loaded.answer(encode(Type.LOCK, id=40))
    loaded.station.power_off()
    loaded.station.power_on(loaded.now_s)
    loaded.run(2.5)
    assert loaded.answer(encode(Type.LOCK, id=40)) == 9
    assert loaded.answer(encode(Type.LOCK, id=41)) == 0


def test_invalid_messages_are_skipped(loaded: Room) -> None:
    wrong = bytes.fromhex("00 05 99 00 00 00 01 00 06 51 00 00 00 63 00 00 04 04 00 00 00 00 05 04 00 00 00 09")
    assert loaded.answer(encode(Type.LOCK, id=70)) == 0
    refused = [report.fields for report in loaded.say(wrong) if report.type is Type.REFUSED]
    assert refused == [{"id": 1, "reason": 1}, {"id": 0x63, "reason": 2}], "what has no command's number is skipped"
    assert loaded.answer(encode(Type.LOCK, id=71)) == 0
    assert len(loaded.station.device.invalid) == 4


def test_impossible_length_ends_the_session(loaded: Room) -> None:
    sessions = loaded.host.sessions
    loaded.host.write(b"\xff\xff", loaded.now_s)
    loaded.run(1.0)
    assert [reason for _, reason in loaded.host.resets] == [2]
    assert loaded.host.sessions == sessions + 1
    assert loaded.station.link.state is State.OPEN


def test_an_acknowledgement_of_what_never_was_is_ignored(room: Room) -> None:
    room.acknowledges = False
    room.station.device.mechanism.turn_key(1)
    room.run(0.05)
    assert room.outbox.memory.last == 2
    for boot, number in ((1, 3), (2, 1), (0, 1), (1, 0)):
        room.say(encode(Type.EVENT_ACKNOWLEDGED, boot=boot, number=number))
        assert len(room.outbox.pending) == 1
    room.say(encode(Type.EVENT_ACKNOWLEDGED, boot=1, number=2))
    assert room.outbox.pending == []


@pytest.mark.parametrize("keeps", [True, False])
def test_power_cut_with_events_pending(seed: int, tmp_path: Path, keeps: bool) -> None:
    room = Room(seed, tmp_path / "memory" if keeps else None)
    room.connect()
    room.acknowledges = False
    room.station.device.mechanism.load(52)
    room.command(Type.DISPENSE, cards=2, for_s=0.2)
    room.application.journal.pop()  # it was on its way only
    room.station.power_off()
    room.acknowledges = True
    room.station.power_on(room.now_s)
    room.run(2.5)
    if keeps:
        assert room.application.gaps == []
        assert [event.type for event in room.application.journal[-2:]] == [
            Type.PACKET_DISPENSED,
            Type.POWER_RESTORED,
        ]
    else:
        (gap,) = room.application.gaps
        assert (gap.number("previous_boot"), gap.number("previous_last")) == (1, 3)


def test_memory_outlives_the_process(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "memory"
    first = Room(seed, path)
    first.station.device.mechanism.load(52)
    first.outbox.memory.highest_id = 77
    first.outbox.save()
    second = Room(seed, path)
    second.connect()
    assert [(event.type, event.number("boot")) for event in second.application.journal] == [
        (Type.POWER_RESTORED, 1),
        (Type.STACK_LOADED, 1),
        (Type.POWER_RESTORED, 2),
        (Type.STACK_LOADED, 2),  # made empty: the cards went with the process
    ]
    assert [event.number("number") for event in second.application.journal] == [1, 2, 1, 2]
    assert second.application.journal[-1].number("cards") == 0
    assert second.answer(encode(Type.LOCK, id=77)) == 9


def test_exactly_once_however_often_the_session_goes(seed: int) -> None:
    rng = random.Random(seed)
    room = Room(seed)
    room.connect()
    mechanism = room.station.device.mechanism
    mechanism.load(1000)
    drawn = []
    for _ in range(150):
        room.acknowledges = rng.random() < 0.7
        mechanism.permit = 4  # the host's command is not what is tested here
        drawn.append(int(mechanism.draw(), 16))
        if rng.random() < 0.2:
            room.station.tick(room.now_s)  # told, and lost on the way
            room.lose_session()
        room.run(rng.choice((0.01, 0.05, 0.3)))
    room.acknowledges = True
    room.lose_session()
    room.run(1.0)
    assert room.application.gaps == []
    assert [event.number("card") for event in room.application.of(Type.CARD_DRAWN)] == drawn
    assert room.application.repeated > 0
    assert room.outbox.pending == []

"""The meaning of each line of a Bee-Tek shoe for the table, asked of a real regulation where that matters."""

import pytest

from firmware_bridge.bee_tek.session import DAMAGED, HALVES_WINDOW_S, BeeTekSession
from protocols.bee_tek.codec import decode_frame
from protocols.garbage import Garbage
from regulations.events.inputs import AnyInput, CardDrawn, DeviceBack, DeviceLost, Fault, FaultCleared
from tests.firmware_bridge.desk import SHOE, Regulated

NOT_READ = b"[Game]<Game>"
ALARM_3 = b"[GameAlarm]<Alarm:E3 Card Not Read>"
DAMAGE = Garbage(b"[Game]<Cbrd:4S>", "type")


class Desk(Regulated):
    """A table and the session of its shoe."""

    def __init__(self) -> None:
        super().__init__()
        self.session = BeeTekSession(SHOE)

    def hear(self, frame: bytes, now_s: float = 0.0) -> list[AnyInput]:
        return self.take(self.session.translate(decode_frame(frame), now_s))

    def damage(self) -> list[AnyInput]:
        return self.take(self.session.translate_damage(DAMAGE))

    def take(self, events: list[AnyInput]) -> list[AnyInput]:
        for event in events:
            self.apply(event)
        return events


def cards(events: list[AnyInput]) -> list[str | None]:
    return [event.card for event in events if isinstance(event, CardDrawn)]


@pytest.mark.parametrize("frame", [b"[Game]<Card:10S>TS", b"[Manual Burn Cards]<Card:TS>"])
def test_a_card_in_either_mode_comes_face_down_with_its_bytes(frame: bytes) -> None:
    assert Desk().hear(frame) == [CardDrawn(card="TS", face="down", device=SHOE, raw=frame.hex())]


def test_the_same_line_again_is_another_card() -> None:
    desk = Desk()
    assert cards(desk.hear(b"[Game]<Card:4S>") + desk.hear(b"[Game]<Card:4S>")) == ["4S", "4S"]
    assert not desk.is_blocked


def test_a_card_that_was_not_read_blocks_until_it_is_named() -> None:
    desk = Desk()
    assert desk.hear(NOT_READ) == [CardDrawn(card=None, face="down", device=SHOE, raw=NOT_READ.hex())]
    assert desk.irregularities == ["unread_card"]
    desk.resolve("identify", card="4S")
    assert not desk.is_blocked


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ([(NOT_READ, 0), (ALARM_3, 0.2)], 1),
        ([(ALARM_3, 0), (NOT_READ, 0.2)], 1),
        ([(ALARM_3, 0), (NOT_READ, HALVES_WINDOW_S)], 1),
        ([(ALARM_3, 0), (NOT_READ, HALVES_WINDOW_S + 0.1)], 2),
        ([(ALARM_3, 0)], 1),
        ([(ALARM_3, 0), (ALARM_3, 0.2)], 2),
        ([(NOT_READ, 0), (NOT_READ, 0.2)], 2),
        ([(NOT_READ, 0), (ALARM_3, 0.1), (NOT_READ, 0.2), (ALARM_3, 0.3)], 2),
        ([(NOT_READ, 0), (ALARM_3, 0.1), (ALARM_3, 0.2)], 2),
        ([(NOT_READ, 0), (b"[Game]<Card:4S>", 0.1), (ALARM_3, 0.2)], 3),
    ],
)
def test_line_and_alarm_of_a_card_that_was_not_read_are_one_card(frames: list[tuple[bytes, float]], told: int) -> None:
    session = BeeTekSession(SHOE)
    events = [event for frame, now_s in frames for event in session.translate(decode_frame(frame), now_s)]
    assert len(cards(events)) == len(events) == told


def test_another_alarm_is_a_fault_that_a_person_looks_at() -> None:
    desk = Desk()
    frame = b"[GameAlarm]<Alarm:E5 Door Open>"
    assert desk.hear(frame) == [
        Fault(device=SHOE, code="E5 Door Open", raw=frame.hex()),
        FaultCleared(device=SHOE, code="E5 Door Open", raw=frame.hex()),
    ]
    assert desk.irregularities == ["device_fault"]
    desk.resolve("continue")
    assert not desk.is_blocked


def test_a_warning_is_counted_and_disturbs_nobody() -> None:
    desk = Desk()
    assert desk.hear(b"<W0x01>") == []
    assert desk.session.warnings == 1


def test_damage_is_a_fault_once_until_a_whole_line_is_heard() -> None:
    desk = Desk()
    assert desk.damage() == []
    desk.hear(b"[Game]<Card:4S>")
    told = desk.damage()
    assert [type(event) for event in told] == [Fault, FaultCleared]
    assert told[0] == Fault(device=SHOE, code=DAMAGED, raw=DAMAGE.raw.hex())
    assert desk.damage() == []
    desk.resolve("continue")
    desk.hear(b"<W0x01>")
    assert len(desk.damage()) == 2
    assert desk.session.damaged == 4


def test_a_loss_is_told_and_damage_right_after_it_is_not() -> None:
    session = BeeTekSession(SHOE)
    assert session.back() == []
    session.translate(decode_frame(ALARM_3), 0.0)
    assert session.lost() == [DeviceLost(device=SHOE)]
    assert session.back() == [DeviceBack(device=SHOE)]
    assert session.translate_damage(DAMAGE) == []
    # Nor is the other half of a card from before the loss expected any more.
    assert cards(session.translate(decode_frame(NOT_READ), 0.1)) == [None]


def test_after_a_restart_a_link_that_was_lost_is_told_to_be_back() -> None:
    session = BeeTekSession(SHOE)
    session.replay(DeviceLost(device="other"))
    assert session.back() == []
    session.replay(DeviceLost(device=SHOE))
    assert session.back() == [DeviceBack(device=SHOE)]
    session.replay(DeviceLost(device=SHOE))
    session.replay(DeviceBack(device=SHOE))
    assert session.back() == []

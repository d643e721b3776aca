"""Acts of persons over the live socket: their outcome by device, and what is answered while one is under way."""

from concurrent.futures import Future
from pathlib import Path
from typing import Final

from cardshoe.table.live import connection, messages
from cardshoe.table.log.table_journal import OpenLog
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from tests.cardshoe.table.live.support import Bare, ServedTable
from tests.kit.desk import Device
from tests.kit.waiting import eventually


class SlowDevice(Device):
    """A device whose acts end when the test says so."""

    def __init__(self, log: OpenLog) -> None:
        super().__init__(log, DeviceActionKind.CLEAR_ERROR)
        self.asked: Final[list[Future[None]]] = []

    def perform(self, act: DeviceAction) -> "Future[None]":
        self.interlock.use(act)
        self.asked.append(Future())
        return self.asked[-1]


def acts(*names: str) -> bytes:
    return b"".join(b'{"type":"act","id":"%s","act":"clear_error","number":2}\n' % one.encode() for one in names)


SHUFFLED = b'{"type":"input","id":"input","line":{"event":"shuffled","by":"croupier"}}\n'


def test_acts_are_asked_of_the_devices_and_answered_by_device(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, table.client() as client:
        assert client.act(messages.SayAct(id="1", act="shuffle")) == messages.ActOutcome(id="1", devices={})
        told = client.act(messages.SayAct(id="2", act="clear_error"))
        assert isinstance(told, messages.RequestDeclined)
        assert told.reason == "clear_error takes the error's number, such as `clear_error 2`"


def test_a_slow_act_delays_no_other_message_of_its_client(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        device = SlowDevice(table.log)
        table.controller.attach(device)
        bare.say(acts("slow") + SHUFFLED)
        assert bare.next()["id"] == "input"
        (act,) = device.asked  # the table took both in their order
        act.set_result(None)
        assert bare.next() == {"type": "acted", "id": "slow", "devices": {"shoe": None}}


def test_a_client_has_a_limit_of_acts(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare, table.client() as other:
        device = SlowDevice(table.log)
        table.controller.attach(device)
        bare.say(acts(*map(str, range(connection.ACTS))) + SHUFFLED)
        eventually(lambda: len(device.asked) == connection.ACTS, "all acts are under way")
        other.say(b'{"event":"shuffled","by":"croupier"}')  # the table has answered all that was read before
        device.asked[0].set_result(None)
        assert [bare.next()["id"] for _ in range(2)] == ["0", "input"]
        for act in device.asked[1:]:
            act.set_result(None)
        assert {bare.next()["id"] for _ in device.asked[1:]} == {*map(str, range(1, connection.ACTS))}

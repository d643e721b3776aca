"""A device that repeats an event of the log before: it is taken once, whatever came in between."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from cardshoe.table.log.journal_names import journals_of
from firmware_bridge.report import Inbox
from firmware_bridge.tdp.bridge import TdpBridge
from protocols.tdp.codes import Capability
from protocols.tdp.messages import Message
from regulations.events.inputs import AnyInput, Fault
from regulations.events.notices import DeviceIdentified, DeviceNoted
from tests.firmware_bridge.tdp.device import Device, hello
from tests.kit.table_log import AT, INPUTS, TABLE
from tests.kit.timed_table import NEXT_DAY, TimedTable

BY_HAND: Final = hello(capabilities=Capability(0))
"""A device that reads no card; of a stack in it, it gives a notice."""


def tdp(inbox: Inbox) -> list[TdpBridge]:
    return [TdpBridge("shuffler", "socket://127.0.0.1:1", {"security": "plain"}, [], inbox)]


class Reporting:
    """A table with a device whose messages come one by one."""

    def __init__(self, folder: Path, at: str = AT) -> None:
        self.table: Final = TimedTable(folder, at=at, devices=tdp)
        self.bridge: Final = self.table.bridges[0]

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.table.then(partial(self.bridge.message, message, 1.0))

    @property
    def reported(self) -> list[AnyInput]:
        """What the table took of the device."""
        return [one.event for one in self.table.taken if getattr(one.event, "device", None) == "shuffler"]


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def gone_over(tmp_path: Path, device: Device) -> Callable[[bool], Message]:
    """Plays a shoe game with a stack that the device loaded, goes over to the next log, and is stopped."""

    def play(with_shoe: bool) -> Message:
        desk = Reporting(tmp_path)
        table, loaded = desk.table, device.loaded(416)
        desk.say(BY_HAND)
        table.play()
        desk.say(loaded, device.beat())
        table.quiet(NEXT_DAY)
        desk.say(loaded)
        if with_shoe:
            table.play(INPUTS[:5])
        table.run()
        assert len(journals_of(tmp_path, TABLE.table_id)) == 2
        assert [type(one) for one in desk.reported] == [
            DeviceIdentified,
            DeviceNoted,
            # The next log is told as well who is here; what is repeated, it is not.
            DeviceIdentified,
        ]
        return loaded

    return play


@pytest.mark.parametrize("with_shoe", [False, True], ids=["before its first shoe game", "within it"])
def test_an_event_of_the_log_before_is_known_after_a_crash(
    tmp_path: Path, gone_over: Callable[[bool], Message], device: Device, *, with_shoe: bool
) -> None:
    loaded = gone_over(with_shoe)
    desk = Reporting(tmp_path, at=NEXT_DAY)
    desk.say(BY_HAND, loaded, device.beat())
    desk.table.quiet()
    desk.table.run()
    assert desk.reported == []
    assert desk.bridge.counters() == {"repeats": 1, "gaps": 0}


@pytest.mark.parametrize("with_shoe", [False, True], ids=["before its first shoe game", "within it"])
def test_without_the_log_before_a_person_looks(
    tmp_path: Path, gone_over: Callable[[bool], Message], *, with_shoe: bool
) -> None:
    loaded = gone_over(with_shoe)
    journals_of(tmp_path, TABLE.table_id)[0].unlink()
    desk = Reporting(tmp_path, at=NEXT_DAY)
    desk.say(BY_HAND, loaded)
    desk.table.quiet()
    desk.table.run()
    if with_shoe:
        assert [one.code for one in desk.reported if isinstance(one, Fault)] == ["event_differs"]
    else:
        assert [type(one) for one in desk.reported] == [DeviceNoted]

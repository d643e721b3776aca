"""The guard and a table's thread: nothing passes a device that is still a keyboard, whatever a person settles."""

from pathlib import Path
from typing import Final

import pytest

from cardshoe.table.setup.config import DeviceSection
from cardshoe.table.setup.usb_opening import Reminder, check_usb, found_on_usb
from drivers.hotplug import HotplugWatcher
from drivers.usb_devices import UsbBus
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.usb_guard.guard import UsbGuard
from firmware_bridge.usb_guard.policy import allowed
from regulations.events.inputs import Fault, FaultCleared, Resolve
from regulations.events.outputs import Irregularity, Refused
from sim.usb.hostile import KEYBOARD
from tests.firmware_bridge.usb_guard.sockets import NOWHERE, Unit, in_process
from tests.kit.desk import Desk
from tests.kit.table_log import INPUTS

CODE: Final = "usb_forbidden_interface"
UNLOCK: Final = DeviceAction(DeviceActionKind.UNLOCK)


@pytest.fixture
def unit() -> Unit:
    return Unit("SN-1")


def way_out(irregularity: int, action: str) -> Resolve:
    return Resolve(irregularity=irregularity, action=action, by=[101, 102])  # type: ignore[arg-type]  # a word of them


def doing(desk: Desk) -> str:
    return desk.taken[-1][0].prompt.do


def test_void_and_end_of_the_shoe_do_not_settle_a_keyboard(tmp_path: Path, unit: Unit) -> None:
    desk = Desk(tmp_path, DeviceActionKind.UNLOCK, DeviceActionKind.LOCK)
    bus = in_process(unit)
    guard = UsbGuard([allowed("shoe", "bulk:1209:0001")], desk.inbox.put, bus=bus, hotplug=HotplugWatcher())
    check_usb(guard)
    guard.attach("shoe", desk.device.interlock)
    desk.controller.listen(Reminder(guard))

    def settle(*events: Resolve) -> None:
        desk.run(*events)
        desk.run()

    with desk.log.journal:
        desk.run(*INPUTS[:-1])
        unit.function.wear(KEYBOARD)
        unit.replug()
        guard.poll()
        desk.run()
        assert doing(desk) == "resolve"

        settle(way_out(1, "continue"))
        (refused,) = [one for one in desk.taken[-1][0].outputs if isinstance(one, Refused)]
        assert refused.detail == "the device has not reported the fault cleared"

        desk.device.heard.clear()
        settle(way_out(1, "end_shoe"))
        last = desk.taken[-1][0]
        assert isinstance(last.event, Fault)
        assert (last.event.device, last.event.code) == ("shoe", CODE)
        assert [one.irregularity for one in last.outputs if isinstance(one, Irregularity)] == [2]
        assert not desk.device.interlock.grant(UNLOCK)
        assert str(UNLOCK) not in [what for what, _ in desk.device.heard]

        unit.function.wear()
        unit.replug()
        guard.poll()
        settle(way_out(2, "continue"))
        assert isinstance(desk.taken[-2][0].event, FaultCleared)
        assert doing(desk) == "close_round"  # the round is finished, and was the last (reading G13)
        assert desk.device.interlock.grant(UNLOCK)
        assert desk.inbox.empty()


def test_rules_are_made_of_the_configuration_where_nothing_can_be_seen() -> None:
    class Refusing:
        """A backend that cannot list."""

        def enumerate_devices(self) -> object:
            raise OSError(13, "no")

    shuffler = DeviceSection(name="shuffler", family="tdp", port="bulk:1209:0001:SN-1")
    ((may_be, found),) = found_on_usb([shuffler], UsbBus(NOWHERE, Refusing()))
    assert (may_be.serial_number, found) == ("SN-1", None)

"""The guard at work: hostile devices on a bus, the faults that the table hears of, and the interlock."""

import contextlib
import logging
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from drivers.hotplug import Hear, HotplugWatcher, PlugEvent
from drivers.usb_devices import UsbBus
from firmware_bridge.interlock import DeviceAction, DeviceActionKind, Interlock
from firmware_bridge.report import Report
from firmware_bridge.usb_guard.guard import UsbGuard
from firmware_bridge.usb_guard.policy import UsbPolicy, allowed
from firmware_bridge.usb_guard.refusals import RefusalCode
from regulations.events.inputs import AnyInput, Fault, FaultCleared
from sim.usb.hostile import DISK, KEYBOARD, NETWORK, ExtraInterface
from tests.firmware_bridge.usb_guard.sockets import Tree, Unit, in_process
from tests.kit.waiting import PATIENCE_S, eventually

BULK: Final = "bulk:1209:0001:SN-1"
UNLOCK: Final = DeviceAction(DeviceActionKind.UNLOCK)
LOCK: Final = DeviceAction(DeviceActionKind.LOCK)
NEVER_S: Final = 3600.0


@dataclass
class Desk:
    """A guard, what it has told the table, and the shoe's interlock."""

    bus: UsbBus
    may_be: UsbPolicy = field(default_factory=lambda: allowed("shoe", BULK))
    told: list[AnyInput | Report] = field(default_factory=list)
    interlock: Interlock = field(default_factory=lambda: Interlock(list(DeviceActionKind)))

    def __post_init__(self) -> None:
        self.guard = UsbGuard([self.may_be], self.told.append, bus=self.bus, every_s=NEVER_S, hotplug=HotplugWatcher())
        self.guard.attach("shoe", self.interlock)

    def refused(self) -> list[RefusalCode]:
        return [one.code for one in self.guard.approve().get("shoe", ())]

    def look(self) -> list[tuple[str, str]]:
        """The words of one look."""
        self.told.clear()
        self.guard.poll()
        return self.said()

    def said(self) -> list[tuple[str, str]]:
        events = [one for one in self.told if isinstance(one, Fault | FaultCleared)]
        assert len(events) == len(self.told)
        assert all(one.device == "shoe" for one in events)
        return [("fault" if isinstance(one, Fault) else "cleared", str(one.code)) for one in events]


def test_a_shoe_as_it_should_be_is_approved_and_nothing_is_told() -> None:
    desk = Desk(in_process(Unit("SN-1"), Unit("SN-2")))
    assert desk.refused() == []
    assert desk.look() == []
    assert desk.interlock.latched is None


@pytest.mark.parametrize(
    ("guise", "what"),
    [(KEYBOARD, "keyboard or mouse (03:01:01)"), (DISK, "storage (08:06:50)"), (NETWORK, "network (02:06:00)")],
)
@pytest.mark.parametrize("kind", ["bulk", "cdc"])
def test_a_card_device_that_grows_after_a_replug_blocks_until_a_person_continues(
    kind: str, guise: ExtraInterface, what: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    unit = Unit("SN-1", "bulk" if kind == "bulk" else "cdc")
    tree = Tree(tmp_path)
    tree.plug(unit, "1-1")
    desk = Desk(tree.bus, allowed("shoe", f"{'bulk' if kind == 'bulk' else 'usb'}:1209:{unit.function.product_id:04x}"))
    assert desk.refused() == []
    assert desk.look() == []
    assert desk.interlock.grant(UNLOCK)

    tree.pull("1-1")
    assert desk.look() == []  # the lost link is the driver's to tell
    unit.function.wear(guise)
    unit.replug()
    tree.plug(unit, "1-1")
    assert desk.look() == [("fault", "usb_forbidden_interface")]
    assert f"is also: {what}" in caplog.text
    assert "the technician together with surveillance" in caplog.text
    assert desk.look() == []  # told once
    assert not desk.interlock.grant(UNLOCK)
    assert desk.interlock.grant(LOCK)

    desk.interlock.clear()  # a person has settled it, and yet it is still there
    desk.guard.settled()
    assert desk.said() == [("fault", "usb_forbidden_interface")]
    assert not desk.interlock.grant(UNLOCK)

    tree.pull("1-1")
    assert desk.look() == [("cleared", "usb_forbidden_interface")]
    unit.function.wear()
    unit.replug()
    tree.plug(unit, "1-1")
    assert desk.look() == []
    desk.interlock.clear()
    assert desk.interlock.grant(UNLOCK)


def test_a_disk_in_a_second_configuration_is_refused_at_the_start() -> None:
    unit = Unit("SN-1")
    unit.function.hide(DISK)
    unit.replug()
    desk = Desk(in_process(unit))
    (refusal,) = desk.guard.approve()["shoe"]
    assert refusal.code is RefusalCode.FORBIDDEN_INTERFACE
    assert "1209:0001, serial number SN-1, at 1-1 is also: storage (08:06:50)" in refusal.problem
    assert "find out what it is and who plugged it in" in str(refusal)


def test_one_interface_more_of_its_own_kind_is_a_change() -> None:
    unit = Unit("SN-1")
    desk = Desk(in_process(unit))
    assert desk.refused() == []
    unit.function.wear(ExtraInterface((0xFF, 0, 0)))
    unit.replug()
    assert desk.look() == [("fault", "usb_interface_changed")]
    fresh = Desk(desk.bus)
    assert fresh.refused() == [RefusalCode.UNEXPECTED_INTERFACE]  # before it was approved: too many


def test_a_serial_number_that_is_there_twice() -> None:
    real, copy = Unit("SN-1"), Unit("SN-1")
    copy.device.unplug()
    desk = Desk(in_process(real, copy))
    assert desk.refused() == []
    copy.device.plug()
    assert desk.look() == [("fault", "usb_serial_cloned")]
    real.device.unplug()  # which of the two it was nobody can say; what is left is what its port leads to
    assert desk.look() == [("cleared", "usb_serial_cloned")]
    real.device.plug()
    assert Desk(desk.bus).refused() == [RefusalCode.SERIAL_CLONED]


def test_a_device_without_serial_number_is_bound_to_its_socket() -> None:
    bus = in_process(Unit("SN-7"), Unit(""))
    port = "bulk:1209:0001"
    other = in_process(Unit(""))
    (refusal,) = Desk(other, allowed("shoe", port)).guard.approve()["shoe"]
    assert refusal.code is RefusalCode.SERIAL_MISSING
    assert '`path = "1-1"`' in refusal.remedy
    assert Desk(other, allowed("shoe", port, path="1-1")).refused() == []
    assert Desk(bus, allowed("shoe", port, path="1-2")).refused() == []


def test_in_another_socket_than_its_own() -> None:
    desk = Desk(in_process(Unit("SN-9"), Unit("SN-1")), allowed("shoe", BULK, path="1-1"))
    (refusal,) = desk.guard.approve()["shoe"]
    assert refusal.code is RefusalCode.WRONG_PORT_PATH
    assert "at 1-2 is not in its socket 1-1" in refusal.problem
    assert "Who can resolve it: the technician." in str(refusal)


def test_moved_while_the_table_runs(tmp_path: Path) -> None:
    unit, tree = Unit("SN-1"), Tree(tmp_path)
    tree.plug(unit, "1-1")
    bound = Desk(tree.bus, allowed("shoe", BULK, path="1-1"))
    free = Desk(tree.bus)
    assert bound.refused() == free.refused() == []
    tree.pull("1-1")
    tree.plug(unit, "1-2.4")
    assert bound.look() == [("fault", "usb_wrong_port_path")]
    assert free.look() == []  # its serial number is enough
    tree.pull("1-2.4")
    tree.plug(unit, "1-1")
    assert bound.look() == [("cleared", "usb_wrong_port_path")]


def test_another_unit_behind_the_same_port_name(tmp_path: Path) -> None:
    ours, other, tree = Unit("SN-1"), Unit("SN-2"), Tree(tmp_path)
    tree.plug(ours, "1-1")
    desk = Desk(tree.bus, allowed("shoe", "bulk:1209:0001"))
    assert desk.refused() == []
    tree.pull("1-1")
    tree.plug(other, "1-3")
    assert desk.look() == [("fault", "usb_unknown_device")]
    tree.plug(ours, "1-1")
    assert desk.look() == [("cleared", "usb_unknown_device")]


def test_something_else_in_its_socket(tmp_path: Path) -> None:
    ours, other, tree = Unit("SN-1"), Unit("SN-2", "cdc"), Tree(tmp_path)
    tree.plug(ours, "1-1")
    desk = Desk(tree.bus)
    assert desk.refused() == []
    tree.pull("1-1")
    other.function.wear(KEYBOARD)
    other.replug()
    tree.plug(other, "1-1")
    assert desk.look() == [("fault", "usb_forbidden_interface"), ("fault", "usb_unknown_device")]


def test_a_serial_port_by_its_file_is_followed_to_its_device(tmp_path: Path) -> None:
    unit, tree = Unit("SN-2", "cdc"), Tree(tmp_path)
    tree.plug(unit, "1-1.2", tty="ttyACM7")
    link = tmp_path / "shoe"
    link.symlink_to("/dev/ttyACM7")
    desk = Desk(tree.bus, allowed("shoe", str(link)))
    assert desk.refused() == []
    tree.pull("1-1.2", tty="ttyACM7")
    unit.function.wear(NETWORK)
    unit.replug()
    tree.plug(unit, "1-1.3")  # with no serial port any more: found by what it was
    assert desk.look() == [("fault", "usb_forbidden_interface")]
    expecting = Desk(tree.bus, allowed("shoe", str(link), usb_id=(0x0403, 0x6001), serial_number="A10"))
    tree.pull("1-1.3")
    unit.function.wear()
    unit.replug()
    tree.plug(unit, "1-1.2", tty="ttyACM7")
    expecting = Desk(tree.bus, allowed("shoe", str(link), usb_id=(0x0403, 0x6001), serial_number="A10"))
    (refusal,) = expecting.guard.approve()["shoe"]
    assert "expected is 0403:6001 with serial number A10" in refusal.problem


def test_descriptors_that_make_no_sense(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    folder = tree.plug(Unit("SN-1"), "1-1")
    whole = (folder / "descriptors").read_bytes()
    (folder / "descriptors").write_bytes(whole[:-1])
    (refusal,) = Desk(tree.bus).guard.approve()["shoe"]
    assert refusal.code is RefusalCode.DESCRIPTORS_UNREADABLE
    assert "byte 18: a configuration of 39 bytes, 38 are there" in refusal.problem


def test_what_the_log_has_as_open_is_over_once_it_is_right_again() -> None:
    desk = Desk(in_process(Unit("SN-1")))
    assert desk.refused() == []
    for event in (
        Fault(device="shoe", code="usb_forbidden_interface", origin="table"),
        FaultCleared(device="shoe", code="usb_forbidden_interface", origin="device"),
        Fault(device="shoe", code="usb_serial_cloned", origin="table"),
        FaultCleared(device="shoe", code="usb_serial_cloned", origin="table"),
        Fault(device="shoe", code="jam", origin="device"),
        Fault(device="other", code="usb_serial_cloned", origin="table"),
    ):
        desk.guard.replay(event)
    assert desk.look() == [("cleared", "usb_forbidden_interface")]


def test_ports_that_are_not_on_usb_are_left_alone(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "sys")
    for port in ("socket://192.0.2.7:4001", "/dev/pts/3", str(tmp_path / "shoe")):
        desk = Desk(tree.bus, allowed("shoe", port))
        assert desk.refused() == []
        desk.guard.start()
        assert desk.look() == []
        desk.guard.stop()


def test_a_stranger_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    stranger = Unit("SN-66", "cdc")
    stranger.function.wear(KEYBOARD)
    desk = Desk(in_process(Unit("SN-1"), stranger))
    assert desk.refused() == []
    with caplog.at_level(logging.WARNING):
        assert desk.look() == []
        assert caplog.text == ""  # it was there before
        stranger.replug()
        assert desk.look() == []
        assert desk.look() == []
    (line,) = caplog.messages
    assert line == (
        "a USB device was plugged in that is no card device: 1209:0002, serial number SN-66, at 1-2 (keyboard or mouse)"
    )


def test_blind_is_said_once_and_what_stands_stays(caplog: pytest.LogCaptureFixture) -> None:
    class Refusing:
        """A backend that cannot list."""

        def enumerate_devices(self) -> Iterator[object]:
            raise OSError(13, "no")

    unit = Unit("SN-1")
    bus = in_process(unit)
    desk = Desk(bus)
    assert desk.refused() == []
    unit.function.wear(DISK)
    unit.replug()
    assert desk.look() == [("fault", "usb_forbidden_interface")]
    object.__setattr__(bus, "backend", Refusing())
    assert desk.look() == desk.look() == []
    (line,) = [line for line in caplog.messages if "are not guarded" in line]
    assert line.startswith("USB devices are not guarded: USB: USB devices cannot be listed: [Errno 13]")
    assert not desk.interlock.grant(UNLOCK)


class Bell:
    """Plug events that a test makes: a source of ``HotplugWatcher``."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[PlugEvent] = queue.SimpleQueue()

    def ring(self) -> None:
        self._events.put(PlugEvent("plugged", "/dev/bus/usb/001/002"))

    def watch(self, hear: Hear, stopping: threading.Event) -> None:
        while not stopping.is_set():
            with contextlib.suppress(queue.Empty):
                hear(self._events.get(timeout=0.01))


@contextlib.contextmanager
def watching(bus: UsbBus, bell: Bell) -> Iterator[tuple[queue.SimpleQueue[AnyInput | Report], Interlock]]:
    """A guard on its own thread, which looks once and then when the bell rings."""
    told: queue.SimpleQueue[AnyInput | Report] = queue.SimpleQueue()
    may_be = [allowed("shoe", BULK)]
    guard = UsbGuard(may_be, told.put, bus=bus, every_s=NEVER_S, hotplug=HotplugWatcher(bell))
    assert guard.approve() == {}
    interlock = Interlock(list(DeviceActionKind))
    guard.attach("shoe", interlock)
    guard.start()
    try:
        yield told, interlock
    finally:
        guard.stop()


def test_the_thread_hears_of_a_plug() -> None:
    unit, bell = Unit("SN-1"), Bell()
    with watching(in_process(unit), bell) as (told, interlock):
        unit.function.wear(DISK)
        unit.replug()
        bell.ring()
        assert told.get(timeout=PATIENCE_S) == Fault(device="shoe", code="usb_forbidden_interface", origin="table")
        unit.function.wear()
        unit.replug()
        bell.ring()
        assert told.get(timeout=PATIENCE_S) == FaultCleared(
            device="shoe", code="usb_forbidden_interface", origin="table"
        )
        assert interlock.latched is not None  # until a person clears it


def test_a_defect_ends_no_guard(caplog: pytest.LogCaptureFixture) -> None:
    unit, bell = Unit("SN-1"), Bell()
    bus = in_process(unit)
    whole = bus.backend

    class Defective:
        """A backend with a defect."""

        def enumerate_devices(self) -> Iterator[object]:
            raise RuntimeError("a defect")

    with watching(bus, bell) as (told, _):
        object.__setattr__(bus, "backend", Defective())
        bell.ring()
        eventually(lambda: "defect in the USB guard; it looks again" in caplog.text, "it is said")
        unit.function.wear(DISK)
        unit.replug()
        object.__setattr__(bus, "backend", whole)
        bell.ring()
        assert told.get(timeout=PATIENCE_S) == Fault(device="shoe", code="usb_forbidden_interface", origin="table")

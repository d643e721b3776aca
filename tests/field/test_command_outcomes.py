"""Each command's outcome is reported, and a busy shoe does not keep its interlock latched."""

import queue
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final

import pytest

from drivers.angel_eye_commands import BUSY_MAX_S, RETRY_S, CommandResult
from drivers.tdp_commands import TdpResult
from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from firmware_bridge.tdp.bridge import TdpBridge
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import DeviceCommand
from regulations.events.inputs import AnyInput
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.tdp.card_reader import CardReader
from sim.tdp.electronics import Electronics
from sim.tdp.identity import SimIdentity
from sim.tdp.memory import DeviceMemory
from sim.tdp.settings import TdpMachineSettings
from sim.tdp.shoe import TdpShoe
from sim.wires.pty import PtyWire
from tests.field.peers import ShoeByHand, shoe_by_hand
from tests.firmware_bridge.desk import brief
from tests.firmware_bridge.tdp.device import brief as told_by_tdp
from tests.kit.far_ends import PtyEnd
from tests.kit.waiting import PATIENCE_S, Log, eventually

CLEAR_2: Final = DeviceAction(DeviceActionKind.CLEAR_ERROR, 2)
CLEAR_2_FRAME: Final = bytes.fromhex("02 4F 50 45 43 30 32 03 31 41")
LOCK_FRAME: Final = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
UNLOCK_FRAME: Final = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")
BUSY: Final = b"\x15\x32\x31"


def asked(shoe: ShoeByHand, act: DeviceAction) -> Callable[[], Any]:
    """A person asks for an act; what is called then waits for the outcome."""
    outcomes: queue.SimpleQueue[Any] = queue.SimpleQueue()
    shoe.table.ask(act, outcomes.put)
    return lambda: outcomes.get(timeout=PATIENCE_S)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        pytest.param(b"\x06", None, id="done"),
        pytest.param(CLEAR_2_FRAME, None, id="an answer with data"),
        pytest.param(b"\x15\x31\x34", "refused: type", id="refused"),
        pytest.param(b"\x15\x14", "refused: type", id="refused by one byte"),
    ],
)
def test_a_person_receives_the_outcome(tmp_path: Path, answer: bytes, outcome: str | None) -> None:
    with shoe_by_hand(tmp_path, commands=("clear_error",)) as shoe:
        outcome_of = asked(shoe, CLEAR_2)
        assert shoe.receive(10) == CLEAR_2_FRAME
        shoe.send(answer, copies=1)
        assert outcome_of() == {"shoe": outcome}
        assert shoe.table.bridges[0].interlock.latched is None


def test_no_answer_is_an_outcome_and_a_person_can_go_on(tmp_path: Path) -> None:
    with shoe_by_hand(tmp_path, commands=("clear_error",)) as shoe:
        outcome_of = asked(shoe, CLEAR_2)
        assert shoe.receive(30) == CLEAR_2_FRAME * 3
        assert outcome_of() == {"shoe": "no answer: outcome unknown"}
        fault = shoe.table.answer()
        assert (fault[0]["event"], fault[0]["code"]) == ("fault", "clear_error_not_answered")
        over = shoe.table.answer()
        number = over[-1]["irregularity"]
        shoe.table.tell({"event": "resolve", "irregularity": number, "action": "continue", "by": [7]})
        assert shoe.table.bridges[0].interlock.latched is None


class StillClock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class Rig:
    """A bridge with a clock that stands still, and the shoe's end of its line."""

    def __init__(self, folder: Path) -> None:
        self.end = PtyEnd(folder / "shoe")
        self.clock = StillClock()
        self.log = Log()
        self.bridge = ShoeBridge("shoe", self.end.url, {}, tuple(DeviceActionKind), self.log.add, clock=self.clock)
        self._refusals = 0
        self.bridge.start()
        eventually(lambda: self.bridge.health().connections == 1, "the port is open")

    def perform(self, kind: DeviceActionKind) -> Future[CommandResult]:
        act = DeviceAction(kind)
        assert self.bridge.interlock.grant(act)
        return self.bridge.perform(act)

    def refuse(self) -> None:
        """The shoe is busy, and the bridge has heard so."""
        self._refusals += 1
        self.end.send(BUSY)
        eventually(lambda: self.bridge.health().replies == self._refusals, "the refusal is heard")

    def outcome(self, ends: Future[CommandResult]) -> str | None:
        eventually(ends.done, "the command has ended")
        return self.bridge.outcome(ends)

    def told(self) -> list[str]:
        reports = [entry for entry in self.log.entries() if isinstance(entry, Report)]
        return brief([event for report in reports for event in report.events])


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    rig.bridge.stop()
    rig.end.vanish()


def test_a_shoe_that_was_busy_does_what_it_is_told_a_moment_later(rig: Rig) -> None:
    ends = rig.perform(DeviceActionKind.LOCK)
    assert rig.end.receive(10) == LOCK_FRAME
    rig.refuse()
    rig.clock.now_s += RETRY_S
    assert rig.end.receive(10) == LOCK_FRAME
    rig.end.send(b"\x06")
    assert rig.outcome(ends) is None
    assert (rig.bridge.interlock.latched, rig.told()) == (None, [])


def test_a_shoe_that_stays_busy_is_a_fault_that_a_person_ends(rig: Rig) -> None:
    ends = rig.perform(DeviceActionKind.LOCK)
    for _ in range(int(BUSY_MAX_S / RETRY_S) + 1):
        assert rig.end.receive(10) == LOCK_FRAME
        rig.refuse()
        rig.clock.now_s += RETRY_S
    assert rig.outcome(ends) == "refused: busy"
    eventually(lambda: len(rig.told()) == 2, "it is told")
    assert rig.told() == ["fault lock_refused_busy", "fault_cleared lock_refused_busy"]
    assert rig.bridge.interlock.latched == "lock: refused: busy"
    rig.bridge.settled()
    assert rig.bridge.interlock.latched is None


def test_another_command_takes_the_place_of_one_that_a_busy_shoe_put_off(rig: Rig) -> None:
    unlock = rig.perform(DeviceActionKind.UNLOCK)
    assert rig.end.receive(10) == UNLOCK_FRAME
    rig.refuse()
    lock = rig.perform(DeviceActionKind.LOCK)
    assert rig.end.receive(10) == LOCK_FRAME
    rig.end.send(b"\x06")
    assert rig.outcome(lock) is None
    assert "another command took its place" in str(rig.outcome(unlock))
    assert rig.bridge.interlock.latched is None
    assert rig.told() == []


class BusyShoe(TdpShoe):
    """A TDP shoe that is busy for the next so many commands."""

    busy_for = 0

    def why_not(self, command: DeviceCommand) -> RefusalReason | None:
        if self.busy_for > 0:
            self.busy_for -= 1
            return RefusalReason.BUSY
        return super().why_not(command)


class TdpRig:
    """A TDP shoe that may be busy, and its bridge, whose clock runs three times as fast."""

    def __init__(self, folder: Path) -> None:
        clock, settings, wire = RealClock(), TdpMachineSettings(), PtyWire(folder / "shoe")
        electronics = Electronics(clock, wire.send, DeviceMemory(), settings, SimIdentity(), random.Random(4))
        wire.listen(electronics.receive)
        self.shoe = BusyShoe(electronics, clock, CardReader(reads=settings.reads))
        self.station = SimulatorThread(clock, [wire])
        self.said = Log()
        self.bridge = TdpBridge(
            "shoe",
            str(wire.path),
            {"security": "plain"},
            tuple(DeviceActionKind),
            self.take,
            clock=lambda: 3 * time.monotonic(),
        )
        self.station.start()
        self.station.call(self.shoe.power_on)
        self.bridge.start()
        self.said.wait_for(bool)
        assert self.outcome(self.perform(DeviceActionKind.LOCK)) is None

    def take(self, said: AnyInput | Report) -> None:
        assert isinstance(said, Report)
        for word in told_by_tdp(list(said.events)):
            self.said.add(word)
        self.bridge.made_durable(said)

    def busy_for(self, commands: int) -> None:
        def change() -> None:
            self.shoe.busy_for = commands

        self.station.call(change)

    def perform(self, kind: DeviceActionKind, number: int = 0) -> Future[TdpResult]:
        act = DeviceAction(kind, number)
        assert self.bridge.interlock.grant(act)
        return self.bridge.perform(act)

    def outcome(self, ends: Future[TdpResult]) -> str | None:
        eventually(ends.done, "the command has ended")
        return self.bridge.outcome(ends)


@pytest.fixture
def tdp(tmp_path: Path) -> Iterator[TdpRig]:
    rig = TdpRig(tmp_path)
    yield rig
    rig.bridge.stop()
    rig.station.stop()


def test_a_tdp_device_that_was_busy_does_what_it_is_told_a_moment_later(tdp: TdpRig) -> None:
    tdp.busy_for(2)
    assert tdp.outcome(tdp.perform(DeviceActionKind.LOCK)) is None
    tdp.busy_for(2)
    assert tdp.outcome(tdp.perform(DeviceActionKind.CLEAR_ERROR, 2)) == "refused: bad_value", "there is no fault 2"
    assert tdp.station.call(lambda: tdp.shoe.busy_for) == 0


def test_a_tdp_device_that_stays_busy_for_a_person_latches_nothing(tdp: TdpRig) -> None:
    tdp.busy_for(1000)
    assert tdp.outcome(tdp.perform(DeviceActionKind.CLEAR_ERROR, 2)) == "refused: busy"
    tdp.said.wait_for(lambda entries: "note clear_error_refused_busy" in entries)
    assert tdp.bridge.interlock.latched is None

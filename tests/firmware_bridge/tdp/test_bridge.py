"""The bridge of a TDP device over a real pty: events up, permits and acknowledgements down."""

import random
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Final

import pytest

from drivers.tdp_commands import NoAnswer, TdpResult
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from firmware_bridge.tdp.bridge import TdpBridge
from firmware_bridge.tdp.command_sender import reason_name
from protocols.tdp.codes import FaultCode, RefusalReason
from protocols.tdp.messages import Done, Refused
from regulations.events.inputs import AnyInput, CardDrawn
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.tdp.hands import TdpHands, TdpKind, tdp_at
from sim.wires.pty import PtyWire
from tests.firmware_bridge.tdp.device import HELLO, STATUS, Device, brief
from tests.kit.waiting import PATIENCE_S, Log, eventually

PLAIN: Final = {"security": "plain"}
ONE, LOCK = DeviceAction(DeviceActionKind.LET_DRAW, 1), DeviceAction(DeviceActionKind.LOCK)
ALL: Final = tuple(DeviceActionKind)


class Bench:
    """A simulated device, its bridge, and a journal that makes durable what it is told to."""

    def __init__(self, folder: Path, kind: TdpKind, commands: Sequence[DeviceActionKind] = ALL) -> None:
        clock = RealClock()
        self.wire = PtyWire(folder / "device")
        self.hands: TdpHands = tdp_at(kind, self.wire, clock, 1, random.Random(4))
        self.station = SimulatorThread(clock, [self.wire])
        self.said = Log()
        self.keeps = True
        self.acts: tuple[DeviceAction, ...] = ()
        self.bridge = TdpBridge("device", str(self.wire.path), PLAIN, commands, self.take)
        self.station.start()
        self.station.call(self.hands.make_ready)

    def take(self, said: AnyInput | Report) -> None:
        assert isinstance(said, Report), "what is durable must come back to be acknowledged"
        for event in said.events:
            self.said.add(brief([event])[0])
        if self.keeps:
            self.bridge.made_durable(said)
            if not any(isinstance(event, CardDrawn) for event in said.events):
                # The table calls anew after all that it takes; what is due after a card, the test says.
                self.bridge.call(self.acts)

    def start(self) -> None:
        """Loaded, and heard so far."""
        self.station.call(self.hands.put_in_all if self.hands.shuffles_itself else self.hands.load)
        self.bridge.start()
        self.wait_for("loaded 52")

    def wait_for(self, *wanted: str) -> list[object]:
        return self.said.wait_for(lambda entries: all(one in entries for one in wanted))

    def call(self, *acts: DeviceAction) -> None:
        """As the controller does."""
        self.acts = acts
        self.bridge.call(acts)

    @property
    def pending(self) -> int:
        return self.station.call(lambda: len(self.hands.device.electronics.memory.outbox.pending))

    def draw(self) -> int:
        """Pull once; return how many cards came."""
        return len(self.station.call(self.hands.draw).cards)

    def can_draw(self) -> bool:
        return self.station.call(lambda: self.hands.can_draw)

    def stop(self) -> None:
        self.bridge.stop()
        self.station.stop()


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path, "shoe")
    bench.start()
    yield bench
    bench.stop()


def test_a_card_is_let_out_when_it_is_called_for_and_only_then(shoe: Bench) -> None:
    assert shoe.draw() == 0
    shoe.call(ONE)
    shoe.call(ONE)  # another answer of the regulation that calls for the same card
    eventually(shoe.can_draw, "one may be drawn")
    assert (shoe.draw(), shoe.draw()) == (1, 0)
    assert any(str(entry).startswith("1: ") for entry in shoe.said.wait_for(lambda e: str(e[-1]).startswith("1: ")))
    eventually(lambda: shoe.pending == 0, "all is acknowledged")
    shoe.call(ONE)
    eventually(shoe.can_draw, "the next may be drawn")


def test_what_is_not_durable_is_kept_by_the_device(shoe: Bench) -> None:
    eventually(lambda: shoe.pending == 0, "all is acknowledged")
    shoe.keeps = False
    shoe.call(ONE)
    eventually(shoe.can_draw, "one may be drawn")
    shoe.draw()
    shoe.said.wait_for(lambda entries: str(entries[-1]).startswith("1: "))
    assert shoe.pending == 1
    shoe.station.call(shoe.wire.unplug)
    shoe.wait_for("device_lost")
    shoe.station.call(shoe.wire.replug)
    shoe.wait_for("device_back")
    eventually(lambda: shoe.bridge.counters() == {"repeats": 1, "gaps": 0}, "it came again, and was not passed on")


def test_a_lost_link_latches_and_nothing_is_let_out_until_a_person_has_looked(shoe: Bench) -> None:
    shoe.call(ONE)
    eventually(shoe.can_draw, "one may be drawn")
    shoe.station.call(shoe.wire.unplug)
    shoe.wait_for("device_lost")
    shoe.station.call(shoe.wire.replug)
    shoe.wait_for("device_back")
    eventually(lambda: not shoe.can_draw(), "it locks with the session")
    shoe.call(ONE)
    assert shoe.bridge.interlock.latched is not None
    shoe.bridge.settled()
    shoe.call(ONE)
    eventually(shoe.can_draw, "after a person has looked")


def test_when_nothing_is_due_any_more_it_is_locked(shoe: Bench) -> None:
    shoe.call(ONE)
    eventually(shoe.can_draw, "one may be drawn")
    shoe.call()
    eventually(lambda: not shoe.can_draw(), "locked")
    shoe.call(ONE)
    eventually(shoe.can_draw, "and called for again")


def test_nothing_is_told_that_the_profile_does_not_allow(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "shoe", [DeviceActionKind.LOCK])
    try:
        bench.start()
        bench.call(ONE)
        with pytest.raises(Denied, match="does not allow it"):
            bench.bridge.perform(ONE)
        with pytest.raises(Denied, match="no such command"):
            bench.bridge.perform(DeviceAction(DeviceActionKind.CONFIRM_ROUND))
        assert bench.bridge.interlock.grant(LOCK)
        assert isinstance(bench.bridge.perform(LOCK).result(PATIENCE_S), Done)
        assert not bench.can_draw()
    finally:
        bench.stop()


def test_a_shuffle_asked_for_twice_is_noted_and_blocks_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "shuffler", [DeviceActionKind.SHUFFLE])
    bench.start()
    try:
        shuffle = DeviceAction(DeviceActionKind.SHUFFLE)
        answers: list[object] = []
        for _ in range(2):
            assert bench.bridge.interlock.grant(shuffle)
            answers.append(bench.bridge.perform(shuffle).result(PATIENCE_S))
        assert isinstance(answers[-1], Refused), "it shuffles, or still looks for its zero mark"
        bench.wait_for("note shuffle_refused_busy")
        assert bench.bridge.interlock.latched is None
    finally:
        bench.stop()


def test_a_command_that_is_refused_blocks_the_table(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "shuffler_dealer")
    try:
        bench.start()
        device = bench.hands.device
        bench.station.call(device.open_cover)
        bench.wait_for("fault cover_open")
        bench.bridge.interlock.grant(DeviceAction(DeviceActionKind.EJECT))
        refused = bench.bridge.perform(DeviceAction(DeviceActionKind.EJECT)).result(PATIENCE_S)
        assert isinstance(refused, Refused)
        assert refused.reason == RefusalReason.FAULT, "an open cover is a fault until a person clears it"
        bench.wait_for(f"fault eject_refused_{reason_name(refused.reason)}")
        assert f"refused, {reason_name(refused.reason)}" in str(bench.bridge.interlock.latched)
    finally:
        bench.stop()


def test_a_card_that_was_called_for_before_the_device_was_there_is_let_out_when_it_is(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "shoe")
    try:
        bench.station.call(bench.hands.load)
        bench.call(ONE)
        bench.bridge.start()
        bench.wait_for("loaded 52")
        eventually(bench.can_draw, "once all before is heard")
        assert (bench.draw(), bench.draw()) == (1, 0)
    finally:
        bench.stop()


def test_a_command_without_answer_is_nobody_s_knowledge(shoe: Bench) -> None:
    shoe.bridge.interlock.grant(LOCK)
    # The first command of a session waits until an id is known to be new; the next is to be on its way.
    assert isinstance(shoe.bridge.perform(LOCK).result(PATIENCE_S), Done)

    def cut_and_ask() -> "Future[TdpResult]":
        # In one go: a busy machine must not let the session end in between.
        shoe.hands.device.power_off()
        shoe.bridge.interlock.grant(LOCK)
        return shoe.bridge.perform(LOCK)

    result = shoe.station.call(cut_and_ask).result(PATIENCE_S)
    assert isinstance(result, NoAnswer)
    assert result.is_lost
    entries = shoe.wait_for("device_lost")
    assert not any("not_answered" in str(entry) for entry in entries), "one reason is enough"
    shoe.bridge.settled()
    shoe.bridge.interlock.grant(LOCK)
    with pytest.raises(Denied, match="without one the device is locked"):
        shoe.bridge.perform(LOCK)


def test_the_journal_is_taken_up(shoe: Bench) -> None:
    shoe.call(ONE)
    eventually(shoe.can_draw, "one may be drawn")
    shoe.draw()
    shoe.said.wait_for(lambda entries: str(entries[-1]).startswith("1: "))
    eventually(lambda: shoe.pending == 0, "all is acknowledged")
    shoe.bridge.stop()
    again = TdpBridge("device", str(shoe.wire.path), PLAIN, ALL, shoe.take)
    shoe.bridge = again
    again.replay(CardDrawn(card="8S", device="device", count=1, boot=1, number=9))
    before = len(shoe.said.entries())
    again.start()
    entries = shoe.said.wait_for(lambda entries: len(entries) > before + 1)
    # Event 9 of boot 1 never was: the device's numbers are behind.
    assert [str(entry) for entry in entries[before:]][-2:] == [
        "fault event_numbers_back",
        "cleared event_numbers_back",
    ]


def test_a_fault_is_cleared_by_its_number(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "shuffler_dealer")
    try:
        bench.start()
        act = DeviceAction(DeviceActionKind.CLEAR_ERROR, int(FaultCode.DOUBLE_FEED))
        bench.bridge.interlock.grant(act)
        refused = bench.bridge.perform(act).result(PATIENCE_S)
        assert isinstance(refused, Refused), "there is no such fault"
        assert refused.reason == RefusalReason.BAD_VALUE
    finally:
        bench.stop()


def test_at_the_end_of_a_shoe_game_the_device_tells_what_is_left(shoe: Bench) -> None:
    shoe.call(ONE)
    eventually(shoe.can_draw, "one may be drawn")
    shoe.draw()
    shoe.said.wait_for(lambda entries: str(entries[-1]).startswith("1: "))
    eventually(lambda: shoe.bridge.health().events > 0 and shoe.pending == 0, "all is acknowledged")
    shoe.bridge.shoe_over()
    shoe.wait_for("stack_counted 51")


class _Passage:
    """The lock itself; ``waits`` is set when a thread finds it taken."""

    def __init__(self, lock: "threading.RLock", waits: threading.Event) -> None:
        self._lock = lock
        self._waits = waits

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self._waits.set()
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_a_new_card_does_not_overtake_those_that_were_held(monkeypatch: pytest.MonkeyPatch) -> None:
    device, numbers = Device(), list[object]()
    comes, came_or_waits = threading.Event(), threading.Event()

    def take(said: AnyInput | Report) -> None:
        assert isinstance(said, Report)
        numbers.extend(event.number for event in said.events if isinstance(event, CardDrawn))
        if len(numbers) == 2 and not comes.is_set():  # one of three is in the inbox: now the port's thread runs
            comes.set()
            assert came_or_waits.wait(PATIENCE_S)

    bridge = TdpBridge("shoe", "/dev/null", PLAIN, ALL, take)
    monkeypatch.setattr(bridge, "_in_order", _Passage(bridge._in_order, came_or_waits))  # noqa: SLF001  to see who waits
    for message in (HELLO, STATUS, device.loaded(416), device.card(None)):
        bridge.message(message, 1.0)
    device.number += 1  # one is lost on the way: what follows is held
    for _ in range(3):
        bridge.message(device.card(None), 1.0)
    new = device.card(None)

    def port() -> None:
        assert comes.wait(PATIENCE_S)
        bridge.message(new, 1.0)
        came_or_waits.set()

    thread = threading.Thread(target=port)
    thread.start()
    bridge.settled()
    thread.join(PATIENCE_S)
    assert numbers == [2, 4, 5, 6, 7]

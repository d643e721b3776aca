"""The bridge on a real pty: telegrams up, commands down, and not a byte written that was not permitted."""

import os
import select
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from drivers.angel_eye_commands import CommandResult, NoReply
from drivers.errors import BadSetting, CommandOutstanding, PortLost
from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from protocols.angel_eye.messages import Ack, Nak, NakCode
from regulations.events.inputs import AnyInput, CardDrawn, Loaded, Shuffled
from tests.firmware_bridge.desk import brief
from tests.firmware_bridge.pen import Pen
from tests.kit.far_ends import PtyEnd
from tests.kit.waiting import PATIENCE_S, Log, eventually

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
PLAYER_WINS = bytes.fromhex("05 32 47 91 03 45 37")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")
COMMANDS = {
    DeviceAction(DeviceActionKind.LOCK): bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42"),
    DeviceAction(DeviceActionKind.UNLOCK): bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38"),
    DeviceAction(DeviceActionKind.CLEAR_ERROR, 7): bytes.fromhex("02 4F 50 45 43 30 37 03 31 46"),
    DeviceAction(DeviceActionKind.CONFIRM_ROUND): bytes.fromhex("02 4F 50 47 50 30 30 03 30 39"),
}
ALL = tuple(DeviceActionKind)
LOCK = DeviceAction(DeviceActionKind.LOCK)
UNLOCK = DeviceAction(DeviceActionKind.UNLOCK)


class Inbox:
    """Where the bridge puts what the table must know."""

    def __init__(self) -> None:
        self.log = Log()

    def put(self, said: AnyInput | Report) -> None:
        for entry in brief(list(said.events) if isinstance(said, Report) else [said]):
            self.log.add(entry)

    def wait_for_number(self, number: int) -> None:
        self.log.wait_for(lambda entries: len(entries) >= number)

    def wait_for(self, *wanted: str) -> None:
        self.wait_for_number(len(wanted))
        assert self.log.entries() == list(wanted)


class StillClock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


class Bridges:
    """Makes bridges on the pty and lets go of them at the end."""

    def __init__(self, pty: PtyEnd, inbox: Inbox, clock: StillClock) -> None:
        self._pty, self._inbox, self._clock = pty, inbox, clock
        self.made: list[ShoeBridge] = []

    def make(self, commands: Collection[DeviceActionKind] = ALL) -> ShoeBridge:
        bridge = ShoeBridge("shoe", self._pty.url, {}, commands, self._inbox.put, clock=self._clock)
        self.made.append(bridge)
        return bridge

    def started(self, commands: Collection[DeviceActionKind] = ALL) -> ShoeBridge:
        bridge = self.make(commands)
        bridge.stack_loaded()
        bridge.start()
        eventually(lambda: bridge.health().connections == 1, "the port is open")
        return bridge


@pytest.fixture
def bridges(pty: PtyEnd, inbox: Inbox, clock: StillClock) -> Iterator[Bridges]:
    bridges = Bridges(pty, inbox, clock)
    yield bridges
    for bridge in bridges.made:
        bridge.stop()


def written(pty: PtyEnd) -> bytes:
    """The bytes that the host has written and nobody has read yet."""
    got = b""
    while select.select([pty.master], [], [], 0)[0]:
        got += os.read(pty.master, 4096)
    return got


def ended(future: Future[CommandResult]) -> CommandResult:
    return future.result(PATIENCE_S)


# --- up --------------------------------------------------------------------------------------------------------------


def test_telegrams_become_events_in_their_order(pty: PtyEnd, inbox: Inbox, bridges: Bridges) -> None:
    bridge = bridges.started()
    for frame in (EIGHT_OF_SPADES, PLAYER_WINS, CUT_CARD):
        pty.send(frame * 3)
    inbox.wait_for("1: 8S player 1", "result player player", "cut_card")
    eventually(lambda: bridge.counters()["repeats"] == 6, "all copies are in")
    assert bridge.counters() == {"repeats": 6, "gaps": 0}
    assert bridge.health().frames == 9


def test_a_lost_link_latches_and_is_an_event(pty: PtyEnd, inbox: Inbox, bridges: Bridges) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(UNLOCK)
    pty.vanish()
    inbox.wait_for("device_lost")
    assert str(bridge.interlock.latched).startswith("link lost")
    pty.plug_in()
    inbox.wait_for("device_lost", "device_back")
    with pytest.raises(Denied, match="a fault is latched"):
        bridge.perform(UNLOCK)
    bridge.interlock.clear()
    with pytest.raises(Denied, match="has not granted it"):
        bridge.perform(UNLOCK)
    assert written(pty) == b""


def test_a_shoe_that_is_not_there_at_first(tmp_path: Path, inbox: Inbox, clock: StillClock) -> None:
    bridge = ShoeBridge("shoe", str(tmp_path / "later"), {}, (), inbox.put, clock=clock)
    bridge.start()
    inbox.wait_for("device_lost")
    pty = PtyEnd(tmp_path / "later")
    inbox.wait_for("device_lost", "device_back")
    bridge.stop()
    pty.vanish()


def test_the_journal_is_taken_up(pty: PtyEnd, inbox: Inbox, bridges: Bridges) -> None:
    bridge = bridges.make()
    pen = Pen()
    bridge.replay(Shuffled(by="croupier"))
    bridge.replay(Loaded(cards=416))
    bridge.replay(CardDrawn(card="4S", device="shoe", count=1, raw=pen.write("P1 4S").hex()))
    bridge.replay(CardDrawn(card="KD", device="another", count=7, raw=Pen().write("P1 KD").hex()))
    bridge.replay(CardDrawn(card="KD"))
    for unreadable in ("no hex", "05"):
        bridge.replay(CardDrawn(card="KD", device="shoe", raw=unreadable))
    bridge.start()
    pty.send(pen.write("B1 9D") * 3)
    inbox.wait_for("3: 9D banker 1")


def test_a_person_enters_a_card(pty: PtyEnd, inbox: Inbox, bridges: Bridges) -> None:
    bridge = bridges.started()
    bridge.card_entered()
    pty.send(EIGHT_OF_SPADES)
    inbox.wait_for("2: 8S player 1")


def test_the_table_may_call_while_telegrams_come(pty: PtyEnd, inbox: Inbox, bridges: Bridges) -> None:
    bridge = bridges.started()
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            bridge.counters()
            bridge.shoe_over()
            bridge.health()

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    pen = Pen()
    for number in range(1, 201):
        pty.send(pen.write(f"{'BP'[number % 2]}1 {'A23456789TJQK'[number % 13]}H") * 3)
        inbox.wait_for_number(number)
    stop.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    counts = [int(str(entry).split(":")[0]) for entry in inbox.log.entries()]
    assert counts == list(range(1, 201))
    assert bridge.counters()["gaps"] == 0


def test_an_impossible_line_is_refused_at_once(inbox: Inbox) -> None:
    with pytest.raises(BadSetting):
        ShoeBridge("shoe", "/dev/shoe", {"boud": 9600}, (), inbox.put)


# --- down ------------------------------------------------------------------------------------------------------------


def test_silent_whatever_the_shoe_says_and_the_table_asks(pty: PtyEnd, inbox: Inbox, bridges: Bridges) -> None:
    """Telegrams of every kind, errors, restarts, noise, a loss; permits granted, taken back, and denied acts."""
    bridge = bridges.started(commands=[DeviceActionKind.LOCK, DeviceActionKind.CLEAR_ERROR])
    for frame in Pen().script("S, P, P1 8S, d12, R P1 QH, G player, C, E1, E2, e2, L1, L0, M, X, B1 9D"):
        pty.send(frame * 3 + b"\x00\xff\x06\x15\x02")
    last = Pen(9).write("P")
    pty.send(last)
    for act in COMMANDS:
        with pytest.raises(Denied):
            bridge.perform(act)
    bridge.interlock.grant(LOCK)
    bridge.interlock.revoke(LOCK)
    bridge.interlock.grant(DeviceAction(DeviceActionKind.CLEAR_ERROR, 2))
    for act in (LOCK, UNLOCK, DeviceAction(DeviceActionKind.CLEAR_ERROR, 5)):
        with pytest.raises(Denied):
            bridge.perform(act)
    eventually(lambda: bridge.health().frames == 14 * 3 + 1, "everything is heard")
    assert written(pty) == b""
    pty.vanish()
    inbox.log.wait_for(lambda entries: "device_lost" in entries)
    pty.plug_in()
    inbox.log.wait_for(lambda entries: "device_back" in entries)
    assert written(pty) == b""
    bridge.stop()
    assert written(pty) == b""


@pytest.mark.parametrize("act", COMMANDS, ids=str)
def test_a_permit_writes_its_command_once(pty: PtyEnd, bridges: Bridges, act: DeviceAction) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(act)
    future = bridge.perform(act)
    assert pty.receive(10) == COMMANDS[act]
    pty.send(b"\x06")
    assert ended(future) == Ack()
    assert bridge.interlock.latched is None
    with pytest.raises(Denied):
        bridge.perform(act)
    assert written(pty) == b""


def test_a_permit_for_one_error_does_not_clear_another(pty: PtyEnd, bridges: Bridges) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(DeviceAction(DeviceActionKind.CLEAR_ERROR, 2))
    with pytest.raises(Denied):
        bridge.perform(DeviceAction(DeviceActionKind.CLEAR_ERROR, 5))
    assert written(pty) == b""


@pytest.mark.parametrize("number", [-1, 100])
def test_there_is_no_such_error(pty: PtyEnd, bridges: Bridges, number: int) -> None:
    bridge = bridges.started()
    act = DeviceAction(DeviceActionKind.CLEAR_ERROR, number)
    bridge.interlock.grant(act)
    with pytest.raises(Denied, match=r"no such error\. Give a number of 0 to 99"):
        bridge.perform(act)
    assert written(pty) == b""


def test_a_refusal_latches(pty: PtyEnd, bridges: Bridges) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(LOCK)
    bridge.interlock.grant(UNLOCK)
    future = bridge.perform(LOCK)
    assert pty.receive(10) == COMMANDS[LOCK]
    pty.send(b"\x1514")
    assert ended(future) == Nak(NakCode.TYPE)
    eventually(lambda: bridge.interlock.latched == "lock: refused: type", "it latches")
    with pytest.raises(Denied, match="a fault is latched"):
        bridge.perform(UNLOCK)
    assert written(pty) == b""


def test_silence_latches(pty: PtyEnd, bridges: Bridges, clock: StillClock) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(LOCK)
    future = bridge.perform(LOCK)
    for _ in range(3):
        assert pty.receive(10) == COMMANDS[LOCK]
        clock.now_s += 0.5
    assert ended(future) == NoReply(3)
    eventually(lambda: bridge.interlock.latched == "lock: no answer: outcome unknown", "it latches")


def test_a_loss_with_a_command_outstanding_latches(pty: PtyEnd, inbox: Inbox, bridges: Bridges) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(LOCK)
    future = bridge.perform(LOCK)
    assert pty.receive(10) == COMMANDS[LOCK]
    pty.vanish()
    assert isinstance(future.exception(PATIENCE_S), PortLost)
    inbox.wait_for("device_lost")
    assert str(bridge.interlock.latched).startswith("link lost")
    pty.plug_in()
    inbox.wait_for("device_lost", "device_back")
    assert written(pty) == b""


def test_one_command_at_a_time_and_the_permit_is_used_up(pty: PtyEnd, bridges: Bridges) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(LOCK)
    bridge.interlock.grant(UNLOCK)
    future = bridge.perform(LOCK)
    with pytest.raises(CommandOutstanding):
        bridge.perform(UNLOCK)
    assert pty.receive(10) == COMMANDS[LOCK]
    pty.send(b"\x06")
    assert ended(future) == Ack()
    with pytest.raises(Denied):
        bridge.perform(UNLOCK)
    assert written(pty) == b""


def test_of_many_threads_one_command_is_written(pty: PtyEnd, bridges: Bridges) -> None:
    bridge = bridges.started()
    bridge.interlock.grant(LOCK)
    barrier = threading.Barrier(8)
    done: list[str] = []

    def perform() -> None:
        barrier.wait(PATIENCE_S)
        try:
            bridge.perform(LOCK)
        except Denied:
            done.append("denied")
        else:
            done.append("sent")

    threads = [threading.Thread(target=perform) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(done) == ["denied"] * 7 + ["sent"]
    assert pty.receive(10) == COMMANDS[LOCK]
    pty.send(b"\x06")
    eventually(lambda: bridge.health().replies == 1, "the answer is in")
    assert written(pty) == b""

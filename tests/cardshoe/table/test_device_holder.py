"""A device as a witness: a real journal, bridge and pty, and a simulated shoe that remembers."""

import os
import queue
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring, WitnessFailed
from cardshoe.journal.witness.witness import NoteSender, PendingNotes
from cardshoe.table.device_witness import ASK_S, DeviceHolder, devices_that_remember, log_of
from firmware_bridge.families import family_named
from firmware_bridge.report import Report
from firmware_bridge.tdp.faults import JOURNAL_DISAGREES
from protocols.tdp.commands import RecallRoot
from regulations.events.inputs import AnyInput, DeviceLost, Fault
from sim.tdp.settings import TdpMachineSettings
from tests.cardshoe.cli.support import cardshoe
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT, play, sealed_journal
from tests.firmware_bridge.tdp.roots import Desk, desk_at
from tests.kit.command import assert_message
from tests.kit.running_table import RunningTable, journal_of
from tests.kit.waiting import PATIENCE_S, eventually
from tests.scenarios.linked import at
from tests.scenarios.process import write_config


class Room:
    """A folder with a journal of two shoes, and a shoe at the table."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self.folder, self.desk = folder, desk
        self.path = folder / "a.journal"
        sealed_journal(self.path, shoes=2)
        self.said: list[str] = []

    @contextmanager
    def table(self, wait_s: float = PATIENCE_S) -> Iterator[tuple[Journal, NoteSender]]:
        """The journal and its witness, from a start to a stop."""
        with Journal.open(self.path, Keyring(self.path)) as journal:
            witness = NoteSender(DeviceHolder("shoe", self.desk.roots, self.said.append, lambda: wait_s), retry_s=0.01)
            try:
                witness.start(journal)
                yield journal, witness
            finally:
                witness.stop()

    def copy(self, name: str) -> Path:
        """The journal with its keys as they are now."""
        shutil.copytree(self.folder, self.folder.parent / name)
        return self.folder.parent / name

    def put_back(self, copy: Path) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(copy, self.folder)

    def remembered(self) -> tuple[int, bytes]:
        """The shoe's memory, looked at from inside."""
        with Journal.open(self.path) as journal:
            log = log_of(journal.origin)
        told = self.desk.station.call(
            lambda: self.desk.hands.device.electronics.memory.roots.message(RecallRoot(1, log))
        )
        return told.size, told.root

    def as_it_stands(self) -> tuple[int, bytes]:
        """The content to be remembered of the journal as it lies there."""
        with Journal.open(self.path) as journal:
            return journal.last + 1, journal.root


def is_dispute(event: object) -> bool:
    return isinstance(event, Fault) and event.code == JOURNAL_DISAGREES


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    (tmp_path / "journals").mkdir()
    with desk_at(tmp_path) as desk:
        yield Room(tmp_path / "journals", desk)


def test_it_catches_up_goes_along_and_stands_for_all_before(room: Room) -> None:
    with room.table() as (journal, witness):
        eventually(lambda: witness.window() == PendingNotes(0, 0.0), "it is told the newest")
        play(journal, 2)
    assert room.remembered() == room.as_it_stands()
    size = room.as_it_stands()[0]
    with room.table() as (_, witness):
        assert witness.window() == PendingNotes(0, 0.0), "nothing is to be told"
    assert room.said == [
        (
            "device shoe: has no record of this journal, and 0 in its life: it is another device, was "
            "never here, lost its memory, or recorded too many others"
        ),
        f"device shoe: remembers this journal up to entry {size - 1}",
    ]


def test_a_new_journal_needs_no_word(room: Room) -> None:
    path = room.folder / "b.journal"
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        witness = NoteSender(DeviceHolder("shoe", room.desk.roots, room.said.append, lambda: PATIENCE_S))
        witness.start(journal)
        witness.stop()
    assert room.said == []


@pytest.mark.parametrize("grows", [0, 2], ids=["as it was", "grown again beyond it"])
def test_a_journal_that_was_cut_back_does_not_go_on(grows: int, room: Room) -> None:
    old = room.copy("old")
    with room.table() as (journal, _):
        play(journal, 1)
    signed = room.as_it_stands()[0] - 1
    room.put_back(old)
    with Journal.open(room.path, Keyring(room.path)) as journal:
        play(journal, grows, entries=8)
    last = room.as_it_stands()[0] - 1
    wanted = f"up to entry {signed}, and the journal is signed up to {last}: it was cut off, or is an old copy"
    altered = f"remembers a signature over entries up to {signed} that the journal lacks: the journal was altered"
    with pytest.raises(JournalBroken, match=altered if grows else wanted), room.table():
        pass


def test_a_journal_with_another_root_does_not_go_on(room: Room) -> None:
    old = room.copy("old")
    with room.table() as (journal, _):
        play(journal, 1, entries=1)
    signed = room.as_it_stands()[0] - 1
    room.put_back(old)
    with Journal.open(room.path, Keyring(room.path)) as journal:
        journal.append([entry(journal.last_seq + 1, 2, padding=80)], AT)
    assert room.as_it_stands()[0] - 1 == signed
    wanted = f"remembers another root over the journal's entries up to {signed}: the journal was altered"
    with pytest.raises(JournalBroken, match=wanted), room.table():
        pass


def test_a_device_that_comes_late_and_remembers_more_blocks_the_table_once(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    old = room.copy("old")
    with room.table() as (journal, _):
        play(journal, 1)
    room.put_back(old)
    room.desk.power(room.desk.hands.device.power_off)
    room.desk.said.wait_for(lambda said: any(isinstance(event, DeviceLost) for event in said))
    with room.table(0.0) as (journal, witness):
        assert "cannot be asked: no session with the device" in room.said[-1]
        play(journal, 2, entries=4)  # it has grown beyond what the device remembers, and would be taken
        room.desk.power(room.desk.hands.device.power_on)
        room.desk.said.wait_for(lambda said: any(is_dispute(event) for event in said))
        play(journal, 1)
        assert witness.window().notes > 0
    assert sum(is_dispute(event) for event in room.desk.said.entries()) == 1
    assert caplog.text.count("tell the supervisor") == 1
    assert room.remembered()[0] < room.as_it_stands()[0]


def test_a_device_that_cannot_remember_is_no_witness(tmp_path: Path) -> None:
    (tmp_path / "journals").mkdir()
    with desk_at(tmp_path, TdpMachineSettings(remembers_roots=False)) as desk:
        room = Room(tmp_path / "journals", desk)
        with room.table() as (journal, witness):
            play(journal, 1)
            eventually(lambda: witness.window() == PendingNotes(0, 0.0), "nothing waits for it")
    assert room.said == []


def test_another_host_has_told_it_of_this_journal_meanwhile(room: Room) -> None:
    with Journal.open(room.path, Keyring(room.path)) as journal:
        device = DeviceHolder("shoe", room.desk.roots, room.said.append, lambda: PATIENCE_S)
        assert len(device.missing(journal)) == 1
        device.append(list(journal.notes()))
        room.desk.roots.remember(log_of(journal.origin), journal.last + 100, bytes(32), room.desk.roots.session)
        with pytest.raises(WitnessFailed, match=r"refuses \d+ entries") as caught:
            device.append(list(journal.notes()))
    assert "tell the supervisor" in caught.value.remedy
    room.desk.said.wait_for(lambda said: any(is_dispute(event) for event in said))


def test_a_whole_table_whose_journal_was_cut_back(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.bridge.stop()  # the table's own takes the port
        config = write_config(tmp_path, at("baccarat", "shoe", {}), {"shoe": (desk.wire.path, ())})
        assert cardshoe("run", config, stdin=b"quit\n").returncode == 0
        shutil.copytree(tmp_path / "journals", tmp_path / "old")
        roots = desk.hands.device.electronics.memory.roots
        with Journal.open(journal_of(tmp_path)) as journal:
            ask = RecallRoot(1, log_of(journal.origin))
        before = desk.station.call(lambda: roots.message(ask)).size
        assert before > 1
        with RunningTable(config) as table:
            table.prompt()
            table.wait_for_error(f"device shoe: remembers this journal up to entry {before - 1}")
            desk.station.call(desk.hands.device.mishaps.spoil_memory)  # a fault, which is signed at once
            eventually(lambda: desk.station.call(lambda: roots.message(ask)).size > before, "it is told what is signed")
            os.kill(table.process.pid, signal.SIGKILL)
            table.end()
        shutil.rmtree(tmp_path / "journals")
        shutil.move(tmp_path / "old", tmp_path / "journals")
        done = cardshoe("run", config)
        assert_message(
            done.returncode, done.stderr.decode(), 4, "device shoe remembers the journal up to entry", "it was cut off"
        )


def test_the_devices_of_a_table_share_the_time_in_which_they_are_asked(tmp_path: Path) -> None:
    inbox: queue.SimpleQueue[AnyInput | Report] = queue.SimpleQueue()
    settings = {"bee_tek": {}, "tdp": {"security": "plain"}}
    bridges = [
        family_named(family).part("make")(name, str(tmp_path / name), settings[family], (), inbox.put)
        for name, family in (("a", "tdp"), ("b", "bee_tek"), ("c", "tdp"))
    ]
    sealed_journal(tmp_path / "a.journal", shoes=1)
    said: list[str] = []
    now = [100.0]
    devices = devices_that_remember(bridges, said.append, lambda: now[0])
    now[0] += ASK_S + 1
    with Journal.open(tmp_path / "a.journal") as journal:
        newest = list(journal.notes())[-1]
        assert [device.missing(journal) for device in devices] == [[newest]] * 2, "nobody has started them"
    assert [line.partition(". ")[0] for line in said] == [
        f"device {name}: the witness cannot be asked: no session with it yet" for name in "ac"
    ]

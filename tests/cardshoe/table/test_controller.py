"""The table thread: what is durable before whom, and what happens when the disk fails."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec import UNSET

from cardshoe.journal import JournalFailed
from cardshoe.table.log.table_journal import open_log
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from regulations.events.cards import Card
from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    Closed,
    DeviceBack,
    DeviceLost,
    Fault,
    FaultCleared,
    Loaded,
    Misdeal,
    Resolve,
    RoundClosed,
    Shuffled,
    Void,
)
from regulations.events.outputs import Irregularity
from tests.cardshoe.cli.journals import entries_of
from tests.cardshoe.cli.support import cardshoe
from tests.kit.command import PATIENCE_S, Line, assert_message
from tests.kit.desk import Desk, Device
from tests.kit.forked import CARDSHOE
from tests.kit.running_table import journal_of, lines_of, write_config
from tests.kit.sealed import verified
from tests.kit.table_log import AT, INPUTS, TABLE
from tests.kit.waiting import eventually

CARDS: Final[tuple[Card, ...]] = ("2C", "3C", "4C")


def test_whoever_listens_hears_what_is_durable(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.run(*INPUTS)
        assert len(desk.taken) == len(INPUTS)
        for taken, durable in desk.taken:
            assert taken.outputs[-1].seq == durable


def test_devices_hear_of_it_once_it_is_durable(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *DeviceActionKind)
    with desk.log.journal:
        desk.run(*INPUTS)
        by_hand = len([event for event in INPUTS if isinstance(event, CardDrawn)])
        assert [what for what, _ in desk.device.heard] == ["loaded", *["entered"] * by_hand, "confirm_round"]
        loaded = next(taken.outputs[-1].seq for taken, _ in desk.taken if taken.event == desk.taken[3][0].event)
        assert desk.device.heard[0] == ("loaded", loaded)


def test_what_is_refused_changes_nothing_at_the_devices(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.run(*INPUTS[3:4], Closed(at=AT))
        assert [taken.is_refused for taken, _ in desk.taken] == [True, False]
        assert desk.device.heard == []


def test_a_card_of_the_device_is_not_one_entered_by_hand(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.run(*INPUTS[:4], CardDrawn(card="2C", device="shoe", count=1), CardDrawn(card="3C"))
        assert [what for what, _ in desk.device.heard] == ["loaded", "durable: 1", "entered"]


def test_what_one_message_means_is_durable_together_and_acknowledged_before_anybody_hears(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.run(*INPUTS[:4])
        before = desk.log.journal.last_seq
        cards = tuple(CardDrawn(card=card, device="shoe", count=n) for n, card in enumerate(CARDS, 1))
        desk.inbox.put(Report("shoe", cards))
        desk.run()
        after = desk.log.journal.last_seq
        assert desk.device.heard[-1] == ("durable: 3", after)
        assert desk.device.entries == [taken.event.seq for taken, _ in desk.taken[-3:]]
        assert tuple(taken.opened.card for taken, _ in desk.taken[-3:] if isinstance(taken.opened, CardDrawn)) == CARDS
        assert {durable for _, durable in desk.taken[-3:]} == {after}
        assert after > before + 6


def test_of_a_packet_no_card_shows_another(tmp_path: Path) -> None:
    # The last card of the round lies open, the one after it is not due, and both have the packet's frame.
    desk, raw = Desk(tmp_path), "c0ffee4c5d"
    with desk.log.journal:
        cards = [CardDrawn(card=card, device="shoe", raw=raw, boot=1, number=1) for card in ("4C", "5C")]
        desk.run(*INPUTS[:16], Report("shoe", tuple(cards)))
        told = "\n".join(line.decode() for taken, _ in desk.taken for line in taken.lines)
        assert '"card":"4C","to":"banker"' in told
        assert raw not in told
        assert '"card":"5C"' not in told
        assert [taken.opened.raw for taken, _ in desk.taken[-2:] if isinstance(taken.opened, CardDrawn)] == [raw] * 2
    assert verified(desk.log.journal.path).entries == len(desk.taken) + 1
    # Who imports what was opened gets no card in clear that the table had sealed.
    log, again = tmp_path / "opened.jsonl", desk.log.journal.path.with_name("again.journal")
    log.write_bytes(cardshoe("log", "--open", desk.log.journal.path).stdout)
    assert log.read_bytes().count(raw.encode()) == 2
    assert cardshoe("journal", "import", log, again).returncode == 0
    before, after = (
        [line for entry in entries_of(path) for line in entry.lines] for path in (desk.log.journal.path, again)
    )
    assert [b'"sealed"' in line for line in after] == [b'"sealed"' in line for line in before]
    assert raw.encode() not in b"".join(after)


def test_a_report_of_a_device_that_is_not_at_the_table_is_taken_all_the_same(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.inbox.put(Report("another", (DeviceLost(device="another"),)))
        desk.run()
        assert isinstance(desk.taken[-1][0].event, DeviceLost)
        assert desk.device.heard == []


def test_the_devices_hear_what_the_prompt_calls_for(tmp_path: Path) -> None:
    desk = Desk(tmp_path, DeviceActionKind.LET_DRAW, DeviceActionKind.LOCK)
    with desk.log.journal:
        desk.run(*INPUTS[:4])
        permit = desk.taken[-1][0].prompt.seq
        assert isinstance(permit, int)
        both = [DeviceAction(DeviceActionKind.LET_DRAW, 1, permit), DeviceAction(DeviceActionKind.DISPENSE, 1, permit)]
        assert desk.device.called == [[]] * 4 + [both], "at the start, and after each input"
        desk.run(Fault(device="another", code="jam"))
        assert desk.device.called[-1] == []


def test_a_device_that_counts_has_not_seen_what_a_person_entered(tmp_path: Path) -> None:
    desk = Desk(tmp_path)

    def drawn(number: int, count: int) -> Report:
        return Report("shoe", (CardDrawn(card="9H", device="shoe", count=count, boot=1, number=number),))

    with desk.log.journal:
        desk.run(*INPUTS[:4], drawn(1, 1), CardDrawn(card="2C"), drawn(2, 2))
        assert [taken.event.count for taken, _ in desk.taken if isinstance(taken.event, CardDrawn)] == [1, UNSET, 3]
        assert not any(isinstance(one, Irregularity) for taken, _ in desk.taken for one in taken.outputs)
    again = open_log(tmp_path, TABLE, AT, lambda _: None)
    with again.journal:
        assert again.entered == 1


@pytest.mark.parametrize(("source", "is_called"), [("shoe", True), ("another", False), (None, True)])
def test_of_two_devices_the_one_is_called_whose_stack_is_dealt_from(
    tmp_path: Path, source: str | None, *, is_called: bool
) -> None:
    desk = Desk(tmp_path, DeviceActionKind.LET_DRAW)
    another = Device(desk.log, name="another")
    desk.controller.attach(another)
    loaded = Loaded(cards=416) if source is None else Loaded(cards=416, device=source)
    with desk.log.journal:
        desk.run(*INPUTS[:3], loaded)
        assert bool(desk.device.called[-1]) == is_called
    with open_log(tmp_path, TABLE, AT, lambda _: None).journal:
        pass
    assert desk.log.loaded_by == source


def test_commands_pass_only_if_the_configuration_allows_them(tmp_path: Path) -> None:
    wrong = [*INPUTS[:14], Misdeal(detail="x"), DeviceAction(DeviceActionKind.CLEAR_ERROR, 2)]
    for name, allowed in (("none", ()), ("lock", (DeviceActionKind.LOCK,)), ("clear", (DeviceActionKind.CLEAR_ERROR,))):
        desk = Desk(tmp_path / name, *allowed)
        with desk.log.journal:
            desk.run(*wrong)
            told = [what for what, _ in desk.device.heard if what not in {"loaded", "entered"}]
        assert told == {"none": [], "lock": ["lock"], "clear": ["clear_error 2"]}[name]


@pytest.mark.parametrize(
    "settles",
    [Resolve(irregularity=1, action="void", by=[1, 2]), Void(ground="malfunction", reason="x", by=[1, 2])],
)
def test_what_a_person_settles_clears_the_interlock(tmp_path: Path, settles: AnyInput) -> None:
    desk = Desk(tmp_path, *DeviceActionKind)
    with desk.log.journal:
        desk.run(*INPUTS[:14])
        desk.device.interlock.latch("link lost")
        desk.run(DeviceLost(device="shoe"))
        assert desk.device.interlock.latched == "link lost"
        desk.run(settles)
        assert desk.device.interlock.latched is None


def test_a_lock_that_finds_the_device_busy_is_told_once_it_is_not(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *DeviceActionKind)
    with desk.log.journal:
        desk.run(*INPUTS[:14])
        desk.device.busy_for = 2
        desk.device.heard.clear()
        desk.inbox.put(Misdeal(detail="x"))
        table = threading.Thread(target=desk.controller.run)
        table.start()
        eventually(lambda: desk.device.heard != [], "told")
        desk.controller.stop()
        table.join(PATIENCE_S)
        assert [what for what, _ in desk.device.heard] == ["lock"]


def test_a_lock_that_is_due_at_a_lost_device_is_said_once_and_told_when_it_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk(tmp_path, *DeviceActionKind)
    device, said = desk.device, "shoe: lock is not sent until the device is back: unplugged. Plug it in."
    with desk.log.journal:
        desk.run(*INPUTS[:14])
        device.is_unplugged = True
        device.interlock.latch("link lost")
        # The round is void, and the next one waits for the device: it stays locked, for the fault as well.
        desk.run(DeviceLost(device="shoe"), Resolve(irregularity=1, action="void", by=[1, 2]), RoundClosed())
        desk.run(Fault(device="shoe", code=1))
        assert caplog.messages == [said]
        device.is_unplugged = False
        device.heard.clear()
        table = threading.Thread(target=desk.controller.run)
        table.start()
        eventually(lambda: device.heard != [], "told")
        desk.controller.stop()
        table.join(PATIENCE_S)
        assert [what for what, _ in device.heard] == ["lock"]
        device.is_unplugged = True
        well = FaultCleared(device="shoe", code=1), DeviceBack(device="shoe")
        desk.run(*well, Resolve(irregularity=2, action="continue", by=[1]))
        assert len(caplog.messages) == 2, "another outage"


BOTH = [(DeviceActionKind.LET_DRAW, 1), (DeviceActionKind.DISPENSE, 1)]


class TestTwoDevicesThatMayHoldCards:
    """Both would let a card out: who loads one of them by hand says which."""

    @pytest.fixture
    def desk(self, tmp_path: Path) -> Iterator[Desk]:
        desk = Desk(tmp_path, DeviceActionKind.LET_DRAW)
        with desk.log.journal:
            yield desk

    @pytest.fixture
    def spare(self, desk: Desk) -> Device:
        spare = Device(desk.log, DeviceActionKind.LET_DRAW, name="spare")
        desk.controller.attach(spare)
        desk.run(*INPUTS[:3])
        return spare

    def test_which_is_asked_and_nothing_is_taken(
        self, desk: Desk, spare: Device, caplog: pytest.LogCaptureFixture
    ) -> None:
        desk.run(Loaded(cards=416))
        asked = "cards may lie in shoe and spare. Say which is dealt from, such as `loaded 416 device=shoe`"
        assert caplog.messages == [f"`loaded` was not taken: {asked}"]
        desk.run(Loaded(cards=416, device="spar"))
        assert caplog.messages[1:] == ["`loaded` was not taken: there is no device spar; there is shoe, spare"]
        assert (len(desk.taken), spare.called[-1]) == (3, [])

    def test_the_one_that_is_named_is_dealt_from(self, desk: Desk, spare: Device) -> None:
        desk.run(Loaded(cards=416, device="spare"))
        assert [(act.kind, act.number) for act in spare.called[-1]] == BOTH
        assert desk.device.called[-1] == []
        assert desk.log.loaded_by == "spare"

    def test_nobody_is_asked_where_the_other_is_empty(self, desk: Desk, spare: Device) -> None:
        spare.is_empty = True
        desk.run(Loaded(cards=416))
        assert [(act.kind, act.number) for act in desk.device.called[-1]] == BOTH


def test_cards_that_are_dealt_from_are_not_shuffled_whoever_asks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk(tmp_path, DeviceActionKind.SHUFFLE)
    shuffle = DeviceAction(DeviceActionKind.SHUFFLE)
    with desk.log.journal:
        desk.run(*INPUTS[:3], shuffle, Loaded(cards=416, device="shoe"), shuffle)
        assert [what for what, _ in desk.device.heard] == ["shuffle", "loaded"]
        assert caplog.messages == ["shoe: shuffle: its cards are being dealt. End the shoe game first."]


def test_what_belongs_to_its_moment_is_not_told_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(tmp_path, *DeviceActionKind)
    with desk.log.journal:
        desk.device.busy_for = 1
        desk.run(*INPUTS[:-1])
        desk.run(INPUTS[-1])
        assert "confirm_round was not sent: busy. Wait." in caplog.text
        assert "confirm_round" not in [what for what, _ in desk.device.heard]


def test_it_ends_when_the_table_is_closed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.inbox.put(Closed())
        desk.inbox.put(Shuffled(by="croupier"))
        desk.controller.run()
        assert [type(taken.event) for taken, _ in desk.taken] == [Closed]


def test_after_the_journal_failed_nothing_is_published(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.run(*INPUTS[:2])
    desk.log.journal.close()
    with pytest.raises(JournalFailed):
        desk.run(*INPUTS[2:])
    assert len(desk.taken) == 2


LIMITED = """
import os, sys
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
setrlimit(RLIMIT_FSIZE, (2_500_000, getrlimit(RLIMIT_FSIZE)[1]))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A file that would grow beyond this is not written: what every system can do to us without a special disk. The
journal's ballast fits, or the table would see a disk that is nearly full, and close."""


def test_a_disk_that_takes_no_more_stops_the_table(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    typed = "".join(f"misdeal 'number {number}'\n" for number in range(2000))
    # What measures the coverage must not write under the limit.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    command = [sys.executable, "-c", LIMITED, str(CARDSHOE), "run", "--json", str(config)]
    done = subprocess.run(
        command, input=typed.encode(), capture_output=True, timeout=PATIENCE_S, check=False, env=environment
    )
    errors = done.stderr.decode().partition(": begun\n")[2]
    assert_message(done.returncode, errors, 4, "Entries up to", "are safe")
    told: list[Line] = [json.loads(line) for line in done.stdout.splitlines()]
    assert 10 < len(told) < 6000
    stored = lines_of(journal_of(tmp_path))
    assert done.stdout.decode().splitlines() == stored[: len(told)]
    answered = sum(one["event"] == "next" for one in told)
    assert f"Entries up to {answered} are safe" in errors
    # With room again it goes on where it was.
    assert cardshoe("run", config, stdin=b"closed\n").returncode == 0

"""When the table signs, and what carries it outside."""

import queue
import threading
from pathlib import Path

import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring, WitnessFile, read_only
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Checkpoint, Takeover, read_statement
from cardshoe.journal.witness.targets import FileTarget
from cardshoe.journal.witness.witness import NoteSender, PendingNotes
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log.signing import SigningTimes
from cardshoe.table.log.table_journal import OpenLog, open_log
from regulations.events.inputs import AnyInput, DeviceLost, Misdeal
from tests.cardshoe.cli.support import answered, cardshoe
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT as SIGNED_AT
from tests.cardshoe.journal.sealed import play, sealed_journal
from tests.kit.running_table import journal_of, write_config
from tests.kit.table_log import AT, INPUTS, TABLE
from tests.kit.waiting import eventually


class Desk:
    """A controller with a real log, and the notes that are made while it takes events."""

    def __init__(self, folder: Path, sign_s: float = 3600) -> None:
        self.log: OpenLog = open_log(folder, TABLE, AT, lambda _: None)
        self.inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self.controller = Controller(self.log, self.inbox, lambda: AT, boot_s=lambda: 0.0, sign_s=sign_s)
        self.sizes: list[int] = []
        self.log.journal.listen(self.hear)

    def hear(self, note: bytes) -> None:
        assert isinstance(read_statement(Note(note)), Checkpoint | Takeover)
        self.sizes.append(read_statement(Note(note)).size)

    def take(self, event: AnyInput) -> bool:
        """True if an event is under a signature as soon as it is durable."""
        self.controller.take(event)
        return self.log.journal.unsigned == 0


def test_rounds_shoes_and_what_goes_wrong_are_signed_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    signed = {type(event).__name__ for event in INPUTS if desk.take(event)}
    assert "RoundClosed" in signed
    assert not signed & {"CardDrawn", "BetsClosed", "Cut"}
    assert desk.take(DeviceLost(device="shoe", origin="device"))
    desk.log.journal.close()


def test_an_irregularity_in_mid_round_is_signed_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    before_the_end = [desk.take(event) for event in INPUTS[:-4]]
    assert before_the_end.count(True) == 1  # a new shoe: the key that takes over signs
    assert desk.take(Misdeal(detail="a card fell"))
    desk.log.journal.close()


def test_start_and_stop_are_signed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.log.journal.unsigned
    for event in INPUTS[:2]:
        desk.inbox.put(event)
    desk.controller.stop()
    desk.controller.run()
    assert desk.log.journal.unsigned == 0
    assert len(desk.sizes) >= 2
    assert desk.sizes == sorted(desk.sizes)
    desk.log.journal.close()


def test_what_waits_is_signed_although_nothing_happens(tmp_path: Path) -> None:
    desk = Desk(tmp_path, sign_s=0.01)
    thread = threading.Thread(target=desk.controller.run)
    thread.start()
    try:
        eventually(lambda: len(desk.sizes) == 1, "signed at the start")
        desk.inbox.put(INPUTS[0])
        eventually(lambda: len(desk.sizes) == 2, "signed when due")
    finally:
        desk.controller.stop()
        thread.join()
    assert len(desk.sizes) == 3  # nothing is signed twice but at the stop
    desk.log.journal.close()


def test_when_it_is_due() -> None:
    now = [100.0]
    times = SigningTimes(lambda: now[0], 60)
    assert times.due_s(0) is None
    assert times.due_s(3) == 60
    now[0] = 130
    assert times.due_s(5) == 30
    assert times.due_s(0) is None
    assert times.due_s(1) == 60
    now[0] = 191
    assert times.due_s(9) == -1


def test_the_witness_catches_up_and_goes_along(tmp_path: Path) -> None:
    path, stick = tmp_path / "a.journal", tmp_path / "stick"
    sealed_journal(path)
    file = WitnessFile(stick / "notes")
    now = [5.0]
    witness = NoteSender(FileTarget(file.path), lambda: now[0], retry_s=0.01)
    with Journal.open(path, Keyring(path)) as journal:
        witness.start(journal)
        now[0] = 12.0
        assert witness.window() == PendingNotes(16, 7.0)  # the stick is not in
        stick.mkdir()
        eventually(lambda: witness.window() == PendingNotes(0, 0.0), "all is written")
        play(journal, 3)
        assert witness.stop() == PendingNotes(0, 0.0)
        assert set(file.read(journal.origin)) == set(journal.notes())
    with read_only(path) as evidence:
        assert evidence.verify(file).witnessed == evidence.verify().last


def test_a_witness_that_never_came(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "a.journal"
    witness = NoteSender(FileTarget(tmp_path / "gone" / "notes"))
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        witness.start(journal)
        journal.append([entry(1)], SIGNED_AT)
        assert witness.stop().notes == 2
    assert caplog.text.count("the witness cannot be written") == 1


def test_a_journal_that_lacks_what_its_witness_holds_does_not_go_on(tmp_path: Path) -> None:
    path, notes = tmp_path / "a.journal", tmp_path / "notes"
    sealed_journal(path, witness=notes)
    old = path.read_bytes()
    with Journal.open(path, Keyring(path)) as journal:
        witness = NoteSender(FileTarget(notes))
        witness.start(journal)
        play(journal, 1)
        assert witness.stop().notes == 0
    path.write_bytes(old)
    with (
        Journal.open(path, Keyring(path)) as journal,
        pytest.raises(JournalBroken, match="1 signature that the journal lacks"),
    ):
        NoteSender(FileTarget(notes)).start(journal)


def test_a_table_with_a_witness(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    text = config.read_text()
    assert text.count("[journal]\n") == 1
    config.write_text(text.replace("[journal]\n", '[journal]\nwitness = "stick.notes"\n'))
    done = cardshoe("run", config, stdin=b"misdeal 'a card fell'\nquit\n")
    assert done.returncode == 0
    assert b"first key (write it down and keep it off this computer): cardshoe/journal/" in done.stdout + done.stderr
    path = journal_of(tmp_path)
    said = answered("verify", path, "--witness", tmp_path / "stick.notes").stdout.decode()
    assert "\nsigned up to entry " in said
    assert said.split("\nsigned up to entry ")[1].split()[0] == said.split("\nwitnessed up to entry ")[1].split()[0]
    assert answered("verify", path, "--witness", tmp_path / "other.notes").returncode == 2
    assert answered("verify", path, "--first-key", "x").returncode == 2


def test_a_table_whose_key_is_gone_says_so(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    assert cardshoe("run", config, stdin=b"quit\n").returncode == 0
    path = journal_of(tmp_path)
    [epoch] = Keyring(path).held()
    Keyring(path).path(epoch).unlink()
    done = cardshoe("run", config, stdin=b"quit\n")
    assert done.returncode == 4
    assert f"{path}: its key {epoch} is missing" in done.stderr.decode()
    assert "keep all files as evidence" in done.stderr.decode()
    assert answered("verify", path).returncode == 0

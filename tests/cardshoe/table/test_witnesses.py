"""Several witnesses at once: who is behind, what the log hears of it, and what the metrics and QR codes say."""

import queue
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import zxingcpp
from prometheus_client.parser import text_string_to_metric_families

from cardshoe.journal import Journal, Keyring, WitnessFailed, WitnessFile, read_only
from cardshoe.journal.witness.qr import LINES_BELOW, QrScreen, code_of, columns_of, in_words
from cardshoe.journal.witness.targets import FileHolder, Holder
from cardshoe.journal.witness.tasks import Tasks
from cardshoe.journal.witness.witness import Window, Witness
from cardshoe.journal.witness.witnesses import BEHIND_S, Witnesses
from cardshoe.process.metrics_file import MetricsFile
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log.metrics import figures_of, metrics_of
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput
from regulations.events.notices import WitnessBehind, WitnessCurrent
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT as SIGNED_AT
from tests.cardshoe.journal.sealed import play, sealed_journal
from tests.kit.table_log import AT, TABLE
from tests.kit.waiting import eventually


class Drawer:
    """A holder in memory that can be shut: a stick that is pulled out."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.notes: list[bytes] = []
        self.shut = False

    def missing(self, journal: Journal) -> Sequence[bytes]:
        return list(journal.notes())

    def begin(self, journal: Journal) -> Sequence[bytes]:
        return self.missing(journal)

    def append(self, notes: Sequence[bytes]) -> None:
        if self.shut:
            raise WitnessFailed(self.name, "is shut")
        self.notes += notes

    def close(self) -> None:
        self.shut = True


class Watched:
    """Witnesses with a clock of their own, over a real journal."""

    def __init__(self, *holders: Holder) -> None:
        self.now = 1000.0
        self.said: list[AnyInput] = []
        self.witnesses = [Witness(holder, lambda: self.now, retry_s=0.005) for holder in holders]
        self.all = Witnesses(self.witnesses, Tasks(lambda _: None), self.said.append, lambda: self.now)


def test_the_log_hears_once_of_each_outage(tmp_path: Path) -> None:
    drawer, other = Drawer("stick"), Drawer("other")
    watched = Watched(drawer, other)
    path = tmp_path / "a.journal"
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        for witness in watched.witnesses:
            witness.start(journal)
        for _ in range(2):
            eventually(lambda: not watched.witnesses[0].window().notes, "all is held")
            watched.said.clear()
            drawer.shut = True
            journal.sign(SIGNED_AT)
            eventually(lambda: not watched.witnesses[1].window().notes, "the other one holds all")
            watched.now += BEHIND_S
            watched.all.look()
            assert watched.said == []
            watched.now += 1
            for _ in range(5):
                eventually(lambda: not watched.witnesses[1].window().notes, "the other one holds all")
                watched.all.look()
                # The event is signed, and its signature waits as well.
                journal.sign(SIGNED_AT)
                eventually(lambda: not watched.witnesses[1].window().notes, "the other one holds all")
                watched.now += 100
            assert watched.said == [WitnessBehind(witness="stick", notes=1, seconds=61)]
            drawer.shut = False
            eventually(lambda: not watched.witnesses[0].window().notes, "all is held again")
            for _ in range(3):
                watched.all.look()
            assert watched.said[1:] == [WitnessCurrent(witness="stick", seconds=500)]
        watched.all.stop()
    assert drawer.notes == other.notes


def test_the_event_stands_in_the_log_and_replays(tmp_path: Path) -> None:
    log = open_log(tmp_path, TABLE, AT, lambda _: None)
    inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
    controller = Controller(log, inbox)
    now = [0.0]
    drawer = Drawer("stick")
    drawer.shut = True
    witness = Witness(drawer, lambda: now[0], retry_s=0.005)
    tasks = Tasks(inbox.put)
    witnesses = Witnesses([witness], tasks, controller.note, lambda: now[0])
    witnesses.start(log.journal)
    thread = threading.Thread(target=controller.run)
    thread.start()
    now[0] = 61.0
    eventually(lambda: log.journal.last == 2, "the log was told")  # by the thread that looks
    drawer.shut = False
    eventually(lambda: log.journal.last == 3, "the log was told that it is over")
    assert tasks.ask(lambda: log.journal.last) == 3
    controller.stop()
    thread.join()
    assert witnesses.stop() == {"stick": Window(0, 0.0)}
    path = log.journal.path
    log.journal.close()
    with read_only(path) as evidence:
        lines = [line for entry in evidence.entries() for line in entry.lines]
    behind, current = decode_input(lines[2]), decode_input(lines[4])
    assert isinstance(behind, WitnessBehind)
    assert isinstance(current, WitnessCurrent)
    assert behind.origin == current.origin == "table"
    verify(path)


def test_one_that_fails_does_not_hold_up_another(tmp_path: Path) -> None:
    drawer, stick = Drawer("shut"), tmp_path / "notes"
    drawer.shut = True
    watched = Watched(drawer, FileHolder(stick, "stick"))
    path = tmp_path / "a.journal"
    sealed_journal(path)
    with Journal.open(path, Keyring(path)) as journal:
        watched.all.start(journal)
        play(journal, 2)
        eventually(lambda: not watched.all.windows()["stick"].notes, "the other one holds all")
        assert watched.all.stop() == {"shut": Window(18, 0.0), "stick": Window(0, 0.0)}
        assert set(WitnessFile(stick).read(journal.origin)) == set(journal.notes())


def test_the_figures(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, file = tmp_path / "a.journal", tmp_path / "metrics" / "t.prom"
    sealed_journal(path)
    windows = {'a "stick"\\': Window(3, 12.5), "http://w": Window(0, 0.0)}
    with Journal.open(path, Keyring(path)) as journal:
        metrics = MetricsFile(file, lambda: metrics_of("B-101", figures_of(journal, windows)))
        metrics.write()
        metrics.write()
        assert caplog.text.count("the metrics cannot be written: No such file or directory") == 1
        file.parent.mkdir()
        with metrics:
            before = file.read_text()
            play(journal, 1)
            journal.append([entry(journal.last_seq + 1)])
        found = {
            (sample.name, sample.labels.get("witness")): sample.value
            for family in text_string_to_metric_families(file.read_text())
            for sample in family.samples
        }
        free = found.pop(("cardshoe_journal_disk_free_bytes", None))
        size = found.pop(("cardshoe_journal_bytes", None))
        assert found == {
            ("cardshoe_journal_entries", None): 118,
            ("cardshoe_journal_unsigned_entries", None): 1,
            ("cardshoe_journal_last_checkpoint", None): 13,
            ("cardshoe_witness_waiting_notes", 'a "stick"\\'): 3,
            ("cardshoe_witness_waiting_seconds", 'a "stick"\\'): 12.5,
            ("cardshoe_witness_waiting_notes", "http://w"): 0,
            ("cardshoe_witness_waiting_seconds", "http://w"): 0,
        }
        assert size == sum(path.with_name(path.name + tail).stat().st_size for tail in ("", "-wal"))
        assert free > 0
        assert file.read_text() != before
        assert [one.name for one in file.parent.iterdir()] == ["t.prom"]


def seen_by_a_camera(shown: str) -> bytes:
    """The code that a telephone reads off the screen: half blocks, light on dark as a terminal has them."""
    rows: list[str] = []
    for line in shown.splitlines():
        rows += ["".join("1" if c in "█▀" else "0" for c in line), "".join("1" if c in "█▄" else "0" for c in line)]
    width, scale = len(rows[0]), 3
    image = b"".join(bytes(255 * (c == "1") for c in row for _ in range(scale)) * scale for row in rows)
    [code] = zxingcpp.read_barcodes(memoryview(image).cast("B", (len(rows) * scale, width * scale)))
    return code.bytes


def is_shown(shown: Sequence[str], wanted: int) -> bool:
    return len(shown) == wanted


def test_a_photo_of_the_screen_is_a_witness(tmp_path: Path) -> None:
    path, photos = tmp_path / "a.journal", tmp_path / "photos"
    shown: list[str] = []
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        screen = QrScreen(shown.append, lambda picture, below: shown.append(f"{picture}\n{below}"), lambda: None)
        screen.start(journal)
        for shoe in range(2):
            journal.begin_shoe(SIGNED_AT)
            eventually(partial(is_shown, shown, shoe + 1), "the key that takes over is shown")
            play(journal, 2)
        screen.show_newest()
        newest = journal.newest_note()
    read = []
    for text in shown:
        code, _, words = text.rpartition("\n")
        assert words.endswith("a photo of this is a witness (docs/journal.md)")
        read.append(seen_by_a_camera(code))
    assert read[-1] == newest
    photos.write_bytes(b"".join(note + b"\n" for note in read))
    with read_only(path) as evidence:
        assert evidence.verify(WitnessFile(photos)).witnessed == 36
    # As it comes out of a telephone, with any empty lines between.
    photos.write_bytes(b"\n\n\n".join(note.strip() for note in read) + b"\n")
    with read_only(path) as evidence:
        assert evidence.verify(WitnessFile(photos)).witnessed == 36


def test_a_key_that_takes_over_is_told_where_somebody_types_and_shown_on_request(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    said: list[str] = []
    shown: list[str] = []
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        screen = QrScreen(said.append, lambda picture, _: shown.append(picture), lambda: None, by_itself=False)
        screen.start(journal)
        screen.show_key()
        journal.begin_shoe(SIGNED_AT)
        key = journal.newest_note()
        journal.sign(SIGNED_AT)
        assert not shown
        screen.show_key()
    assert said == [
        "no key has taken over since this program started; `qr` shows the newest",
        "key 1 takes over at entry 0: `qr key` shows it, for a photo",
    ]
    assert seen_by_a_camera(shown[0]) == key


def test_a_terminal_that_is_too_narrow_is_told_how_wide_it_must_be(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    said: list[str] = []
    shown: list[str] = []
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        journal.sign(SIGNED_AT)
        code = code_of(journal.newest_note())
        needed, lines = columns_of(code), len(in_words(code).splitlines()) + LINES_BELOW
        size = [(needed - 1, lines)]
        screen = QrScreen(said.append, lambda picture, below: shown.append(f"{picture}\n{below}"), lambda: size[0])
        screen.show_newest()
        screen.start(journal)
        screen.show_newest()
        size[0] = (needed, lines - 1)
        screen.show_newest()
        assert not shown
        size[0] = (needed, lines)
        screen.show_newest()
    wanted = f"the QR code needs {needed} columns and {lines} lines, and here are"
    assert said[0] == "nothing is signed yet"
    assert said[1].startswith(f"{wanted} {needed - 1} and {lines}: make the window larger")
    assert said[2].startswith(f"{wanted} {needed} and {lines - 1}: ")
    assert max(map(len, shown[0].splitlines()[:-1])) == needed
    assert needed <= 80

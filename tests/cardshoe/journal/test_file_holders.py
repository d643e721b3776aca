"""One writer: a second one is told who has the journal."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardshoe.journal import Journal, JournalBroken, JournalBusy, JournalError, Keyring, read_only
from cardshoe.journal.file.file_holders import holder_of, readers_lock
from tests.cardshoe.journal.samples import HEADER, closed_journal, fill, stored

ON_LINUX = sys.platform == "linux"


def test_a_second_process_is_told_who_has_it(path: Path) -> None:
    command = [sys.executable, "-m", "tests.cardshoe.journal.writer", str(path), "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        for opener in (Journal.open, lambda p: read_only(p).__enter__()):
            with pytest.raises(JournalBusy) as caught:
                opener(path)
            assert caught.value.pid == (writer.pid if ON_LINUX else None)
            assert "A table that plays: leave it" in caught.value.remedy
            assert f"(ps {writer.pid})" in caught.value.remedy or not ON_LINUX
            assert str(writer.pid) in str(caught.value) or not ON_LINUX
        writer.kill()
        writer.stdout.read()
    assert holder_of(path) is None
    stored(path)


def test_a_second_opener_in_the_same_process(path: Path) -> None:
    with Journal.create(path, HEADER) as journal:
        fill(journal, 3)
        for _ in range(2):  # the refusal must not cost the first its lock
            with pytest.raises(JournalBusy) as caught:
                Journal.open(path)
            assert caught.value.pid == (os.getpid() if ON_LINUX else None)
            with pytest.raises(JournalBusy), read_only(path):
                pass
        locked_out = subprocess.run(
            [
                sys.executable,
                "-c",
                f"from pathlib import Path; from cardshoe.journal import *; Journal.open(Path({str(path)!r}))",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "JournalBusy" in locked_out.stderr
        fill(journal, 3)


def test_no_writer_while_it_is_being_copied(path: Path) -> None:
    closed_journal(path)
    # What read_only does while it copies, made to last: a lock for reading, held by another process.
    script = (
        "import sys; from pathlib import Path; from cardshoe.journal.file.file_holders import readers_lock\n"
        f"with readers_lock(Path({str(path)!r})): print(flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        assert reader.stdin is not None
        reader.stdout.readline()
        with pytest.raises(JournalBusy) as caught:
            Journal.open(path)
        assert caught.value.pid == (reader.pid if ON_LINUX else None)
        assert stored(path)  # two readers do not hinder each other
        reader.stdin.close()
    Journal.open(path).close()


def test_a_reader_in_this_process_keeps_off_a_journal_that_is_being_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, met = os.link, list[JournalError]()

    def linked(made: Path, name: Path) -> None:
        link(made, name)
        try:
            with readers_lock(name):
                pytest.fail("it was locked for reading")
        except JournalBusy as error:
            met.append(error)

    monkeypatch.setattr("cardshoe.journal.writing.journal.os.link", linked)
    with Journal.create(path, HEADER):
        assert len(met) == 1
        if ON_LINUX:
            assert holder_of(path) == os.getpid()
    with readers_lock(path):  # released
        assert holder_of(path) in {None, os.getpid()}


def test_a_journal_is_made_though_another_process_reads_it_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = (
        "import sys; from pathlib import Path; from cardshoe.journal.file.file_holders import readers_lock\n"
        f"with readers_lock(Path({str(path)!r})): print(flush=True); sys.stdin.read()"
    )
    link, opened, tried = os.link, Journal.open, list[int]()
    with contextlib.ExitStack() as held:

        def linked(made: Path, name: Path) -> None:
            link(made, name)
            reader = held.enter_context(
                subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            )
            assert reader.stdout is not None
            reader.stdout.readline()

        def busy_once(name: Path, keyring: Keyring | None = None) -> Journal:
            tried.append(1)
            try:
                return opened(name, keyring)
            finally:
                held.close()

        monkeypatch.setattr("cardshoe.journal.writing.journal.os.link", linked)
        monkeypatch.setattr(Journal, "open", busy_once)
        Journal.create(path, HEADER).close()
    assert len(tried) == 2


def test_no_writer_after_the_copied_file_was_closed(path: Path) -> None:
    """A process loses its own locks of a file with the first descriptor of it that it closes."""
    closed_journal(path)
    script = f"from pathlib import Path; from cardshoe.journal import *; Journal.open(Path({str(path)!r}))"
    command = [sys.executable, "-c", script]
    with readers_lock(path):
        path.read_bytes()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "JournalBusy" in done.stderr
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_broken_journal_is_not_left_locked(path: Path) -> None:
    closed_journal(path)
    path.write_bytes(path.read_bytes()[:-4096])
    for _ in range(2):
        with pytest.raises(JournalBroken):
            Journal.open(path)
    assert holder_of(path) is None


def test_nobody_holds_what_is_not_there(path: Path) -> None:
    assert holder_of(path) is None

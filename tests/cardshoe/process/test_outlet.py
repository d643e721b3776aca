"""Output that nobody takes holds up nobody: over a real pipe that is full."""

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

import pytest

from cardshoe.process.outlet import Outlet
from cardshoe.table.terminal.printing import JsonPrinter, write_out

PIPE_BYTES = 4096


class Pipe:
    """A pipe as small as can be, which nobody reads until asked to."""

    def __init__(self) -> None:
        self.far, near = os.pipe()
        fcntl.fcntl(near, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self.stream: IO[str] = os.fdopen(near, "w", encoding="utf-8")

    def read(self, size: int) -> bytes:
        got = b""
        while len(got) < size:
            got += os.read(self.far, size - len(got))
        return got


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.stream.close()
    os.close(made.far)


def blocked(pipe: Pipe, missed: Callable[[int], bool], *, limit: int) -> Outlet:
    """An outlet at work on more than its reader takes."""
    stuck = threading.Event()

    def block() -> None:
        stuck.set()
        write_out(pipe.stream, bytes(2 * PIPE_BYTES))

    outlet = Outlet("test", missed, limit=limit)
    outlet.start()
    outlet.put(block)
    assert stuck.wait(30)
    return outlet


def test_what_is_too_much_is_left_out_and_told_once_the_reader_is_back(pipe: Pipe) -> None:
    told: list[int] = []
    again = threading.Event()
    stuck = threading.Event()

    def missed(left_out: int) -> bool:
        told.append(left_out)
        again.set()
        return True

    def block() -> None:
        stuck.set()
        write_out(pipe.stream, bytes(2 * PIPE_BYTES))

    outlet = Outlet("test", missed, limit=3)
    outlet.start()
    outlet.put(block)
    assert stuck.wait(30)
    for number in range(10):  # three wait, and seven are left out
        outlet.put(partial(write_out, pipe.stream, str(number).encode()))
    pipe.read(2 * PIPE_BYTES)
    assert again.wait(30)
    outlet.put(lambda: write_out(pipe.stream, b"!"))
    assert outlet.close(30)
    assert told == [7]
    assert pipe.read(4) == b"012!"


def test_a_reader_that_must_not_go_on_with_a_gap_gets_nothing_more(pipe: Pipe) -> None:
    asked = threading.Event()

    def missed(_left_out: int) -> bool:
        asked.set()
        return False

    outlet = blocked(pipe, missed, limit=1)
    outlet.put(lambda: write_out(pipe.stream, b"1"))
    outlet.put(lambda: write_out(pipe.stream, b"2"))
    pipe.read(2 * PIPE_BYTES)
    assert asked.wait(30)
    assert outlet.close(30)
    outlet.put(lambda: write_out(pipe.stream, b"3"))
    pipe.stream.close()
    assert os.read(pipe.far, 10) == b"1"


def test_the_end_does_not_wait_for_a_reader_that_never_comes(pipe: Pipe) -> None:
    stuck = threading.Event()

    def block() -> None:
        stuck.set()
        write_out(pipe.stream, bytes(2 * PIPE_BYTES))

    outlet = Outlet("test", lambda _: True)
    outlet.start()
    outlet.put(block)
    assert stuck.wait(30)
    assert not outlet.close(0.01)
    pipe.read(2 * PIPE_BYTES)


def test_an_output_that_fails_ends_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        outlet = Outlet("test", lambda _: True)
        outlet.start()
        outlet.put(lambda: write_out(full, b"x"))
        assert outlet.close(30)
        outlet.put(lambda: write_out((tmp_path / "never").open("w"), b"x"))
    assert "the program goes on" in caplog.text
    assert not (tmp_path / "never").exists()


def test_json_with_a_gap_is_closed(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout", pipe.stream)
    assert not JsonPrinter().missed(7)
    assert "7 answers were left out" in capsys.readouterr().err
    pipe.stream.write("more")
    pipe.stream.flush()
    assert os.read(pipe.far, 1) == b""  # the reader sees the end


def test_what_cannot_be_put_into_words_hides_nothing_that_comes_after_it(caplog: pytest.LogCaptureFixture) -> None:
    written: list[str] = []
    words: dict[str, str] = {"known": "said"}
    outlet = Outlet("screen", lambda _: True)
    outlet.start()
    for name in ("unknown", "known"):
        outlet.put(lambda name=name: written.append(words[name]))  # type: ignore[misc]  # its own name each time
    assert outlet.close(10.0)
    assert written == ["said"]
    assert "KeyError" in caplog.text

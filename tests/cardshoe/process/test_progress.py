"""The bar on standard error: on a real terminal after two seconds, in a pipe never."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import IO, Final

import pytest

from cardshoe.process.progress import Progress, duration, is_for_a_person, watched
from tests.cardshoe.cli.support import PATIENCE_S
from tests.kit.forked import CARDSHOE

WORK: Final = """
from cardshoe.process.progress import Progress
times = iter([0.0, *(n / 2 for n in range(200))])
with Progress("verify", 40, clock=lambda: next(times)) as bar:
    for _ in bar.over(range(40)):
        pass
print("done")
"""
"""Forty entries of half a second each by a clock of its own: the last is done after 20 s."""
PROGRAM: Final = (sys.executable, "-c", WORK)
ENVIRONMENT: Final[Mapping[str, str]] = {}


class Clock:
    """Seconds that pass when a step is told."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Terminal(StringIO):
    """A stream that says that it is a terminal of 80 columns; a real one is asked below."""

    def isatty(self) -> bool:
        return True


def on_a_terminal(command: Sequence[str | Path], environment: Mapping[str, str] = ENVIRONMENT) -> tuple[str, str]:
    """The output of a program, and what appears on the terminal that its standard error is."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**{name: value for name, value in os.environ.items() if name != "CI"}, "TERM": "xterm", **environment},
    )
    os.close(slave)
    seen = b""
    try:
        while piece := os.read(master, 4096):
            seen += piece
    except OSError:  # the other end is closed: that is how a terminal says so
        pass
    finally:
        os.close(master)
    out = process.communicate(timeout=PATIENCE_S)[0] or b""
    return out.decode(), seen.decode()


@pytest.fixture(autouse=True)
def a_person_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_a_real_terminal_shows_a_bar_and_keeps_nothing_of_it() -> None:
    out, seen = on_a_terminal(PROGRAM)
    assert out == "done\n"
    assert "verify █" in seen
    assert "of 40 entries" in seen
    assert "/s  0:" in seen
    assert " left" in seen
    assert seen.endswith("\r\x1b[K")


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"TERM": "dumb"}])
def test_where_nobody_looks_on_there_is_none(environment: dict[str, str]) -> None:
    assert on_a_terminal(PROGRAM, environment) == ("done\n", "")


def test_a_pipe_has_none() -> None:
    done = subprocess.run(PROGRAM, capture_output=True, timeout=PATIENCE_S, check=True)
    assert (done.stdout, done.stderr) == (b"done\n", b"")


def test_what_is_over_in_two_seconds_shows_none() -> None:
    clock, screen = Clock(), Terminal()
    with Progress("export", 3, stream=screen, clock=clock) as bar:
        for _ in bar.over(range(3)):
            clock.now_s += 0.6
    assert screen.getvalue() == ""


def test_rate_and_what_is_left_in_time() -> None:
    bar = Progress("verify", 1000, stream=StringIO())
    bar.step(250)
    assert bar.text(5.0) == "verify ██████░░░░░░░░░░░░░░░░░░ 25 %  250 of 1,000 entries  50/s  0:15 left"
    bar.reached(1000)
    assert bar.text(20.0).endswith("100 %  1,000 of 1,000 entries  50/s")
    endless = Progress("replay", unit="lines", stream=StringIO())
    endless.step(7)
    assert endless.text(2.0) == "replay  7 lines  3.5/s"


def test_a_bar_is_drawn_seldom_and_never_wider_than_the_screen() -> None:
    clock, screen = Clock(), Terminal()
    bar = Progress("w" * 200, 10_000, stream=screen, clock=clock)
    for _ in range(10_000):
        clock.now_s += 0.001
        bar.step()
    drawn = [one for one in screen.getvalue().split("\r\x1b[K") if one]
    assert 30 <= len(drawn) <= 41  # eight seconds, five a second
    assert max(map(len, drawn)) <= 80


def test_a_command_whose_output_is_on_the_same_terminal_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    clock, screen = Clock(), Terminal()
    with Progress("export", 3, prints=True, stream=screen, clock=clock) as bar:
        clock.now_s = 9
        bar.step()
    assert screen.getvalue() == ""


def test_items_pass_by_unchanged() -> None:
    assert list(watched("export", iter("abc"), 3)) == ["a", "b", "c"]


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0:00"), (59.6, "1:00"), (750, "12:30"), (11100, "3:05:00")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_stream_for_a_person() -> None:
    streams: list[IO[str]] = [StringIO(), Terminal()]
    assert [is_for_a_person(one) for one in streams] == [False, True]


def test_a_script_on_a_terminal_is_counted_first_and_read_whole(tmp_path: Path) -> None:
    """The lines counted for the bar are not taken from those replayed."""
    script = tmp_path / "script.jsonl"
    script.write_text('{"event":"table","table_id":"B","game":"baccarat","decks":8,"seats":7,"equipment":"shoe"}\n')
    assert '"do":"shuffle"' in on_a_terminal((CARDSHOE, "replay", script))[0]

"""The line editor in a real terminal: what keys do, what is pinned, and that nobody who looks holds up the table."""

import asyncio
import os
import pty
import signal
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_input

from cardshoe.table.terminal.completion import Completions
from cardshoe.table.terminal.editor import LineEditor
from tests.cardshoe.table.terminal.screen import ASKED_S, ROWS, Terminal
from tests.kit.running_table import journal_of, write_config
from tests.kit.sealed import verified
from tests.kit.waiting import eventually

COLOUR = b"\x1b[31m"
"""Red: what was refused."""


def test_what_is_typed_stays_whole_and_is_completed_corrected_and_repeated(tmp_path: Path) -> None:
    write_config(tmp_path, None)
    with Terminal("run", "table.toml", folder=tmp_path, environment={"NO_COLOR": "1"}) as terminal:
        terminal.until("shuffle the cards")
        # A terminal that writes Big5 or Latin-1 sends what is no UTF-8.
        terminal.child.send(b"shuffled \xe9\r")
        terminal.until("not understood: by: ")
        # What Tab offers is what is allowed now.
        terminal.type("s\t")
        terminal.until("shuffled  supervisor_called  status  shuffle")
        terminal.type("huffled croupier\r")
        terminal.until("have the stack cut")
        terminal.say_all("cut player\ncut_card_placed 14\nloaded 416")
        for rank in "2345678":
            terminal.say(f"card {rank}c")
        # Half a line is typed when a line comes from elsewhere: it stays whole, below what is printed.
        terminal.type("card 9")
        os.kill(terminal.pid, signal.SIGWINCH)
        terminal.type("c")
        terminal.after(lambda: terminal.type("\r"))
        # The arrow brings the line back; Ctrl-U takes it away.
        terminal.type("\x1b[A")
        terminal.until("> card 9c\n")
        terminal.type("\x15bets 1:ba\t:100 3:t\t50.50")
        terminal.until("> bets 1:banker:100 3:tie:50.50")
        terminal.type("\r")
        terminal.until("seat 3 tie 50.50 MOP")
        terminal.enter("undo")
        proposed = 'bets_corrected 1:banker:100.00 3:tie:50.50 "<why>" by <person> <person>'
        terminal.shows("keys_1_undo", f"> {proposed}")
        terminal.type("\r")
        terminal.until("not understood: fill in")
        terminal.enter('bets_corrected 1:banker:10 3:tie:50.50 "a zero too many" by 7 8')
        terminal.until("bets corrected (a zero too many): 2 wagers, 60.50 MOP")
        terminal.enter("round_closed")
        terminal.until("REFUSED round closed")
        terminal.enter("status")
        terminal.shows("keys_2_status", "no witness")
        terminal.enter("options")
        terminal.shows("keys_3_options", "first alternative")
        terminal.enter("help")
        terminal.shows("keys_4_help", "who decide")
        assert COLOUR not in terminal.raw
        terminal.type("\x03")
        assert terminal.end() == 0
    verified(journal_of(tmp_path))


def test_ctrl_d_ends_the_keyboard_and_not_the_table(tmp_path: Path) -> None:
    write_config(tmp_path, None)
    with Terminal("run", "table.toml", folder=tmp_path) as terminal:
        terminal.until("shuffle the cards")
        terminal.say("round_closed")
        terminal.until("REFUSED")
        assert COLOUR in terminal.raw
        # Ctrl-S is a key like others, and Ctrl-Z puts nothing aside.
        terminal.type("\x13\x07\x1a\x15")
        terminal.say("shuffled croupier")
        terminal.type("\x04")
        terminal.until("SIGTERM ends it.")
        assert terminal.child.isalive()
        terminal.child.kill(signal.SIGTERM)
        assert terminal.end() == 0
        assert terminal.echoes()


def test_plain_lines_where_they_are_asked_for(tmp_path: Path) -> None:
    write_config(tmp_path, None)
    with Terminal("run", "--plain", "table.toml", folder=tmp_path) as terminal:
        terminal.until("→ shuffle the cards")
        terminal.enter("shuffled croupier")
        terminal.until("→ have the stack cut")
        assert b"\x1b[?2004h" not in terminal.raw
        terminal.enter("quit")
        assert terminal.end() == 0


def test_a_terminal_that_does_not_say_where_its_cursor_is_warns_nobody(tmp_path: Path) -> None:
    write_config(tmp_path, None)
    with Terminal("run", "table.toml", folder=tmp_path, answers=False) as terminal:
        terminal.until("shuffle the cards")
        terminal.passes(ASKED_S + 1)
        terminal.enter("shuffled croupier")
        terminal.until("have the stack cut")
        terminal.enter("quit")
        assert terminal.end() == 0
        assert b"WARNING" not in terminal.raw


def test_a_terminal_that_nobody_reads_holds_up_no_table(tmp_path: Path) -> None:
    write_config(tmp_path, None)
    with Terminal("run", "table.toml", folder=tmp_path) as terminal:
        terminal.until("shuffle the cards")
        # More than a pty holds, and nobody takes it: what was typed before it is in the journal all the same.
        for _ in range(ROWS):
            terminal.enter("help all")
        terminal.enter("shuffled croupier")
        terminal.child.kill(signal.SIGTERM)
        eventually(lambda: not terminal.child.isalive(), "the end of the table")
    assert verified(journal_of(tmp_path)).entries >= 1


def test_an_editor_that_is_stopped_before_it_begins_reads_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, terminal = pty.openpty()
    with os.fdopen(ours, "wb", 0) as keys, os.fdopen(terminal) as stdin, os.fdopen(os.dup(terminal), "w") as stdout:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stdout", stdout)
        editor = LineEditor(lambda _: Completions(), lambda: "")
        editor.stop()
        keys.write(b"quit\n")  # an editor that reads ends at it
        read: list[str] = []

        def take(line: str) -> bool:
            read.append(line)
            return False

        assert (editor.run(take), read) == ("taken", [])


def test_a_write_that_ends_while_the_editor_ends_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, terminal = pty.openpty()
    with os.fdopen(ours, "wb", 0) as keys, os.fdopen(terminal) as stdin, os.fdopen(os.dup(terminal), "w") as stdout:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stdout", stdout)
        with create_app_session(create_input(stdin)):  # else that of the test before
            editor = LineEditor(lambda _: Completions(), lambda: "")
        writes = editor._pending  # noqa: SLF001  what other threads take their writes out of
        wrap = asyncio.wrap_future

        def ended(write: "Future[None]") -> "asyncio.Future[None]":
            waited = wrap(write)
            writes.discard(write)
            return waited

        monkeypatch.setattr(asyncio, "wrap_future", ended)
        for _ in range(3):
            writes.add(Future())
            for write in writes:
                write.cancel()
        keys.write(b"quit\r")
        assert editor.run(lambda _: False) == "taken"
        assert writes == set()


def test_a_screen_that_is_gone_before_the_keys_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, terminal = pty.openpty()
    screen, shown = pty.openpty()
    with os.fdopen(ours, "wb", 0) as keys, os.fdopen(terminal) as stdin, os.fdopen(shown, "w") as stdout:
        os.close(screen)
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stdout", stdout)
        with create_app_session(create_input(stdin)):  # else that of the test before
            editor = LineEditor(lambda _: Completions(), lambda: "")
        keys.write(b"quit\r")
        assert editor.run(lambda _: False) == "taken"

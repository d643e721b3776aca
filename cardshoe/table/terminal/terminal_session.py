"""A person's place at a running table."""

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from cardshoe.journal.witness.qr import QrScreen
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.setup.config import TableConfig
from cardshoe.table.staff_service import Persons
from cardshoe.table.terminal.completion import complete
from cardshoe.table.terminal.formatting import Voice
from cardshoe.table.terminal.keyboard import Keyboard, Table, standing_text
from cardshoe.table.terminal.output_queue import Screen, logged
from cardshoe.table.terminal.printing import JsonPrinter, Look, TextPrinter, has_colours, write_out
from cardshoe.table.terminal.status_line import status_line
from cardshoe.table.terminal.table_tracker import Follower
from firmware_bridge.families import family_named
from firmware_bridge.faults import words_of

if TYPE_CHECKING:
    from cardshoe.table.terminal.editor import LineEditor  # its library takes a tenth of a second to import

NO_EDITOR: Final = frozenset({"", "dumb"})


@dataclass(frozen=True, slots=True)
class TerminalSession:
    """A place at a table.

    Attributes:
        editor: ``None``: plain standard input.
    """

    follower: Follower
    screen: Screen
    qr: QrScreen | None
    editor: "LineEditor | None"
    is_json: bool

    def begin(self, log: OpenLog) -> None:
        """Show the table as its log left it."""
        self.follower.begin(log.view, self.screen)
        self.screen(log.last)
        if log.recovered and not self.is_json:
            self.screen.say(self.follower.ask(standing_text))

    def listen(self, table: Table, persons: Persons | None = None) -> None:
        """Read typed lines in a thread; ``persons`` ``None``: everyone may act."""
        keyboard = Keyboard(table, self.follower, self.screen, self.qr, self.editor, persons)
        threading.Thread(target=keyboard.run, name="console", daemon=True).start()


@contextmanager
def seat_at(config: TableConfig, *, as_json: bool, plain: bool, level: int) -> Iterator[TerminalSession]:
    follower = Follower(config.table, config.currency, [device.name for device in config.devices])
    editor = None if as_json or plain or not _is_terminal() else _editor(config, follower)
    write = editor.write if editor is not None and sys.stderr.isatty() else partial(write_out, sys.stderr)
    try:
        with logged(write, level), Screen(_printer(config, editor, as_json=as_json)) as screen:
            try:
                yield TerminalSession(follower, screen, None if as_json else _qr(screen, editor), editor, as_json)
            finally:
                # First: what is printed last would wait for an editor that is stopped.
                if editor is not None:
                    editor.stop()
    finally:
        if editor is not None:
            editor.restore()


def _printer(config: TableConfig, editor: "LineEditor | None", *, as_json: bool) -> JsonPrinter | TextPrinter:
    if as_json:
        return JsonPrinter()
    voice = voice_of(config)
    look = Look(has_colours(sys.stdout), config.four_colours)
    return TextPrinter(voice, look) if editor is None else TextPrinter(voice, look, editor.write, editor.pin)


def voice_of(config: TableConfig) -> Voice:
    known = {device.name: family_named(device.family).part("faults", dict) for device in config.devices}
    return Voice(config.currency, lambda device, code: words_of(code, known.get(device, {})))


def _is_terminal() -> bool:
    streams = (sys.stdin, sys.stdout)
    if any(stream is None or not stream.isatty() for stream in streams):
        return False
    return os.environ.get("TERM", "") not in NO_EDITOR


def _editor(config: TableConfig, follower: Follower) -> "LineEditor":
    from cardshoe.table.terminal.editor import LineEditor  # noqa: PLC0415  # its library takes a tenth of a second to import

    line = partial(status_line, witnesses=len(config.witnesses))
    return LineEditor(lambda text: follower.ask(lambda now: complete(text, now)), lambda: follower.ask(line))


def _qr(screen: Screen, editor: "LineEditor | None") -> QrScreen:
    def show(picture: str, below: str) -> None:
        screen.show(f"{picture}\n{below}")

    return QrScreen(screen.say, show if editor is None else editor.page, _size, by_itself=not sys.stdout.isatty())


def _size() -> tuple[int, int] | None:
    if not sys.stdout.isatty():
        return None
    size = shutil.get_terminal_size()
    return size.columns, size.lines

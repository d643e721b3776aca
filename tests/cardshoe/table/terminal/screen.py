"""A real terminal of 80×24 with ``cardshoe run`` in it: what is typed goes down a pty, what is seen is a screen."""

import os
import re
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Self

import pexpect
import pyte

from tests.kit.command import PATIENCE_S
from tests.kit.forked import CARDSHOE

COLUMNS: Final = 80
ROWS: Final = 24
SCREENS: Final = Path(__file__).with_name("screens")
REWRITE: Final = "CARDSHOE_SCREENS"
"""In the environment, ``write``: the screens are written anew; read the difference."""
_LOOK_S: Final = 0.05
ASKED_S: Final = 2.0
"""How long prompt_toolkit waits until it holds that a terminal does not say where its cursor is."""
_QUIET_S: Final = 2.0
"""How long nothing comes until a screen counts as drawn, where it is kept anew; a test waits for what was kept."""
_MOVING: Final = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"), "TIME"),
    (re.compile(r"\d{8}T\d{6}-\d{6}Z"), "WHEN"),
    (re.compile(r"of the log [0-9a-f]{16}"), "of the log FINGERPRINT"),
    (re.compile(r"cardshoe/journal/\S+"), "KEY"),
    (re.compile(r"\S*/(?=journals/)"), ""),
    (re.compile(r"journal \d+"), "journal N"),
)
"""What is another one each time, and what stands for it."""


_JOURNAL: Final = re.compile(r"journal (\d+)")


class Answering(pyte.Screen):
    """A screen that answers a terminal's questions, such as where its cursor is."""

    def __init__(self, answer: Callable[[str], object]) -> None:
        super().__init__(COLUMNS, ROWS)
        self._answer: Final = answer

    def write_process_input(self, data: str) -> None:
        """Gives an answer to the program."""
        self._answer(data)


class Terminal:
    """``cardshoe`` in a terminal; killed at the end of a ``with`` block if it still runs."""

    def __init__(
        self, *arguments: str, folder: Path, environment: Mapping[str, str] | None = None, answers: bool = True
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}}
        self.child: Final = pexpect.spawn(
            str(CARDSHOE),
            list(arguments),
            cwd=str(folder),
            env={**kept, "TERM": "xterm", **(environment or {})},
            dimensions=(ROWS, COLUMNS),
            timeout=PATIENCE_S,
        )
        self.child.delaybeforesend = None
        self._screen: Final = Answering(self.child.send) if answers else pyte.Screen(COLUMNS, ROWS)
        self._stream: Final = pyte.ByteStream(self._screen)
        self._seen: list[str] = []
        self.raw: bytes = b""
        """All that it has written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.child.close(force=True)

    @property
    def lines(self) -> list[str]:
        """The visible lines."""
        if not self._seen:
            self._seen = [line.rstrip() for line in self._screen.display]
        return self._seen

    @property
    def text(self) -> str:
        """The visible text."""
        return "\n".join(self.lines).rstrip()

    def type(self, text: str) -> None:
        """Types keys."""
        self.child.send(text)

    def enter(self, line: str) -> None:
        """Types a line."""
        self.type(f"{line}\r")

    @property
    def journal(self) -> int:
        """The number of the log's last line, as the status line has it; -1 where there is none."""
        found = _JOURNAL.search(self.lines[-1])
        return -1 if found is None else int(found[1])

    def after(self, act: Callable[[], object]) -> None:
        """Does something and waits until the table's log has grown by it."""
        self.until(lambda _: self.journal >= 0)
        before = self.journal
        act()
        self.until(lambda _: self.journal > before)

    def say(self, line: str) -> None:
        """Types a line and waits until the table has answered."""
        self.after(lambda: self.enter(line))
        if line.startswith("loaded"):
            # That a key takes over is said behind the answer.
            self.until("takes over")

    def say_all(self, lines: str) -> None:
        """Types lines one after the other, each once the one before it is answered."""
        for line in lines.strip().splitlines():
            self.say(line.strip())

    def until(self, wanted: str | Callable[[str], bool]) -> str:
        """Waits until something is seen; the screen then."""
        is_there = wanted if callable(wanted) else lambda text: wanted in text
        end = time.monotonic() + PATIENCE_S
        while not is_there(self.text):
            assert time.monotonic() < end, f"{wanted!r} is never seen:\n{self.text}"
            if not self._take(_LOOK_S) and not self.child.isalive():
                self._drain()
                assert is_there(self.text), f"it ended before {wanted!r} was seen:\n{self.text}"
        return self.text

    def shows(self, name: str, wanted: str) -> None:
        """Waits until the screen is the one that was kept; with `CARDSHOE_SCREENS=write` it is kept anew."""
        path = SCREENS / f"{name}.txt"
        if os.environ.get(REWRITE) == "write":
            self.until(wanted)
            while self._take(_QUIET_S):
                pass
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(still(self.text))
            return
        kept = path.read_text()
        try:
            self.until(lambda text: still(text) == kept)
        except AssertionError:
            message = f"{path} (write it anew with {REWRITE}=write, and read the difference)"
            assert still(self.text) == kept, message
            raise

    @property
    def pid(self) -> int:
        """The process."""
        return int(self.child.pid)

    def echoes(self) -> bool:
        """True if the terminal is as it was: it shows what is typed."""
        return bool(termios.tcgetattr(self.child.child_fd)[3] & termios.ECHO)

    def end_of_output(self) -> None:
        """Waits until it is gone, however."""
        while self.child.isalive():
            self._take(_LOOK_S)

    def passes(self, seconds: float) -> None:
        """Watches the screen for so long."""
        end = time.monotonic() + seconds
        while (left_s := end - time.monotonic()) > 0:
            self._take(left_s)

    def end(self) -> int:
        """Waits for its end; the exit code."""
        self.end_of_output()
        self._drain()
        assert self.child.exitstatus is not None
        return int(self.child.exitstatus)

    def _drain(self) -> None:
        while self._take(0):
            pass

    def _take(self, wait_s: float) -> bool:
        try:
            data = self.child.read_nonblocking(65_536, wait_s)
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            return False
        self.raw += data
        self._seen = []
        self._stream.feed(data)
        return bool(data)


def still(text: str) -> str:
    """A screen without what is another each time."""
    for pattern, word in _MOVING:
        text = pattern.sub(word, text)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())

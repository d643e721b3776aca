"""The real command as a process that one talks to: lines in, lines out, and its end."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from tests.kit.forked import CARDSHOE, started

PATIENCE_S: Final = 60.0
"""Long enough for a loaded machine; nothing waits this long unless the test fails."""

SCREEN_LINES: Final = 24
Line = dict[str, Any]


class Ended(AssertionError):
    """The process said nothing more; the text has what it said on standard error."""


class Command:
    """``cardshoe`` with some arguments; killed at the end of a ``with`` block if it still runs.

    It is forked (`tests.kit.forked`) unless it has another environment or `command`, or `forks` is false: where limits
    or parents matter.
    """

    def __init__(
        self,
        *arguments: str | Path,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        command: Path = CARDSHOE,
        forks: bool = True,
    ) -> None:
        self.process: Final = (
            started(arguments, folder)
            if forks and environment is None and command == CARDSHOE
            else subprocess.Popen(
                [command, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**os.environ, **(environment or {})},
            )
        )
        self._lines: Final[queue.SimpleQueue[str | None]] = queue.SimpleQueue()
        self._errors: Final[list[str]] = []
        self._heard_error: Final = threading.Condition()
        self._readers: Final = [
            threading.Thread(target=self._read_output, args=(self.process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self.process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                # Torn by a kill: it was never told.
                if line.endswith(b"\n"):
                    self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                with self._heard_error:
                    self._errors.append(line.decode())
                    self._heard_error.notify_all()

    def say(self, line: str | Line) -> None:
        """Types a line; an event of the table log as JSON."""
        text = line if isinstance(line, str) else json.dumps(line)
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{text}\n".encode(errors="surrogateescape"))
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise Ended(self.errors()) from error

    def line(self) -> str:
        """The next line it says.

        Raises:
            Ended: there is none.
        """
        try:
            line = self._lines.get(timeout=PATIENCE_S)
        except queue.Empty:
            raise AssertionError(f"{self.process.args!r} says nothing; errors: {self.errors()}") from None
        if line is None:
            self._lines.put(None)
            raise Ended(self.errors())
        return line

    def until(self, wanted: Callable[[str], bool]) -> list[str]:
        """The lines up to the first that is wanted."""
        lines = [self.line()]
        while not wanted(lines[-1]):
            lines.append(self.line())
        return lines

    def rest(self) -> list[str]:
        """The lines that it says until it ends."""
        lines: list[str] = []
        while True:
            try:
                lines.append(self.line())
            except Ended:
                return lines

    def errors(self) -> str:
        """Standard error so far."""
        with self._heard_error:
            return "".join(self._errors)

    def wait_for_error(self, text: str, times: int = 1) -> None:
        """Waits until it has said this on standard error, so many times in all."""
        with self._heard_error:
            found = self._heard_error.wait_for(lambda: "".join(self._errors).count(text) >= times, PATIENCE_S)
        assert found, self.errors()

    def send(self, number: signal.Signals) -> None:
        """Sends a signal."""
        self.process.send_signal(number)

    def end(self) -> int:
        """Waits for its end; returns the exit code."""
        assert self.process.stdin is not None
        code = self.process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)
        with contextlib.suppress(BrokenPipeError):  # what it did not read it did not read
            self.process.stdin.close()
        return code

    def kill(self) -> None:
        """Send SIGKILL; nothing if it has ended."""
        self.process.kill()
        self.end()


def assert_message(code: int, errors: str, expected: int, *parts: str) -> None:
    """A message of one screen with its remedy and the documented exit code, and never a traceback."""
    assert code == expected, errors
    assert "Traceback" not in errors
    assert 2 <= len(errors.splitlines()) <= SCREEN_LINES, errors
    assert errors.startswith(("cardshoe: ", "Usage: ")), errors
    for part in parts:
        assert part in errors, errors

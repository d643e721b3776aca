"""Processes of a test: lines in, lines out, and a clean end."""

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Final, NamedTuple

from pytest_cardshoe.errors import CommandMissing, ProcessEnded, Silent

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found

GRACE_S: Final = 10.0
"""Until a process is killed; a busy table needs one or two."""
KEPT_ENVIRONMENT: Final = frozenset({"PYTHONDONTWRITEBYTECODE", "PYTHONUTF8", "PYTHONPYCACHEPREFIX"})
_LOOK_S: Final = 0.01
SHOWN_LINES: Final = 40


def environment() -> Mapping[str, str]:
    """Without variables that change Python: PYTHONPATH may shadow modules."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON") or name in KEPT_ENVIRONMENT
    }


class ProcessGuard:
    """A process that ends the others if this one dies (`guard.py`)."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, group: int) -> None:
        """Watch a process group."""
        if self._process is None:
            script = Path(__file__).with_name("guard.py")
            self._process = subprocess.Popen(  # noqa: S603  # our own script
                [sys.executable, "-I", "-S", str(script)], stdin=subprocess.PIPE, start_new_session=True
            )
        self._send(f"+{group}")

    def release(self, group: int) -> None:
        """Drop a group once it ended: its number may be reused."""
        self._send(f"-{group}")

    def close(self) -> None:
        """End the guard."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            self._process.wait()
            self._process = None

    def _send(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):  # killed by somebody: then it is not there to help
                self._process.stdin.write(f"{line}\n".encode())
                self._process.stdin.flush()


class Launch(NamedTuple):
    command: str
    guard: ProcessGuard
    patience_s: float
    note: Callable[[Mapping[str, object]], None]
    records: bool


class OutputLine(NamedTuple):
    line: str
    is_error: bool


class Process:
    """A process in a group of its own."""

    def __init__(self, title: str, command: Sequence[str], launch: Launch, folder: Path) -> None:
        self.title: Final = title
        self.command: Final = tuple(command)
        self._guard: Final = launch.guard
        self._patience_s: Final = launch.patience_s
        self._heard: Final[queue.SimpleQueue[OutputLine | None]] = queue.SimpleQueue()
        self._out: Final[list[str]] = []
        self._errors: Final[list[str]] = []
        try:
            self._process: Final = subprocess.Popen(  # noqa: S603  # the command that the user named
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise CommandMissing(self.command[0]) from error
        self._guard.watch(self._process.pid)
        self._readers: Final = [
            threading.Thread(target=self._read, args=(self._process.stdout, self._out, False), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stderr, self._errors, True), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """The id of process and group."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """The exit code; `None` while it runs."""
        if self._process.returncode is not None:
            return self._process.returncode
        # Seen, and not waited for: until that its number is nobody else's.
        ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            return None
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def errors(self) -> str:
        """The output on standard error."""
        return "\n".join(self._errors)

    def send_line(self, line: str) -> None:
        """Send a line.

        Raises:
            ProcessEnded: it has ended.
        """
        if self._process.stdin is None:
            raise ValueError(f"{self.title} has no standard input")
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._ended() from error

    def expect(self, wanted: str, patience_s: float | None = None) -> OutputLine:
        """The next matching line of either stream, within `patience_s` seconds.

        Raises:
            Silent: not in time.
            ProcessEnded: the process ended first.
        """
        patience_s = self._patience_s if patience_s is None else patience_s
        try:
            heard = self._heard.get(timeout=patience_s)
        except queue.Empty:
            raise Silent(self.title, wanted, patience_s, [*self._out, *self._errors]) from None
        if heard is None:
            self._heard.put(None)
            raise self._ended()
        return heard

    def end(self, farewell: str | None = None) -> int:
        """End by word, end of input, SIGTERM, and at last SIGKILL. Idempotent."""
        process = self._process
        if process.returncode is not None:
            return process.returncode
        if farewell is None:
            self._signal(signal.SIGTERM)
        else:
            with contextlib.suppress(ProcessEnded):
                self.send_line(farewell)
        if not self._has_ended_within(GRACE_S):
            self._signal(signal.SIGTERM)
            self._has_ended_within(GRACE_S)
        # The whole group, whatever the process itself did: nothing that it started may stay. Before it is waited for,
        # since its number, and so the group's, is its own only until then.
        self._signal(signal.SIGKILL)
        code = process.wait()
        self._guard.release(process.pid)
        for reader in self._readers:
            reader.join(GRACE_S)
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        return code

    def report(self) -> str:
        """Command line, end, and last output."""
        state = "still running" if self.code is None else f"ended with code {self.code}"
        parts = [f"$ {' '.join(self.command)}", f"pid {self.pid}, {state}"]
        for name, lines in (("standard output", self._out), ("standard error", self._errors)):
            shown = lines[-SHOWN_LINES:]
            left = f" (the last {len(shown)} of {len(lines)} lines)" if len(shown) < len(lines) else ""
            parts += [f"--- {name}{left}", *shown] if shown else [f"--- {name}: nothing"]
        return "\n".join(parts)

    def _ended(self) -> ProcessEnded:
        self._has_ended_within(GRACE_S)
        for reader in self._readers:
            reader.join(GRACE_S)
        return ProcessEnded(self.title, self.code, self.errors())

    def _has_ended_within(self, seconds: float) -> bool:
        deadline_s = time.monotonic() + seconds
        while self.code is None and time.monotonic() < deadline_s:
            select.select([], [], [], _LOOK_S)
        return self.code is not None

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _read(self, stream: IO[bytes], lines: list[str], is_error: bool) -> None:  # noqa: FBT001  # a thread's argument
        with stream:
            for line in stream:
                text = line.decode("utf-8", "replace").rstrip("\n")
                lines.append(text)
                self._heard.put(OutputLine(text, is_error))
        if not is_error:
            self._heard.put(None)

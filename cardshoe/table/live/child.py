"""A process beside the table's: restarted when it dies, ended with the table."""

import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import msgspec
from msgspec import Struct

from cardshoe.table.live.place import TablePlace

logger: Final = logging.getLogger(__name__)

AGAIN_S: Final = (0.2, 30.0)
WELL_S: Final = 60.0
END_S: Final = 3.0
SAID_LINES: Final = 200
SAID_S: Final = 60.0
SAID_BYTES: Final = 4096
ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONDONTWRITEBYTECODE", "COVERAGE_PROCESS_START")
"""Inherited variables: no credentials, keys or PYTHONPATH."""


class ChildSettings(Struct, frozen=True, kw_only=True):
    """The settings of a child process, one line of JSON at its start."""

    folder: str
    table_id: str

    @property
    def place(self) -> TablePlace:
        """The table's place."""
        return TablePlace.of(Path(self.folder), self.table_id)

    def written(self) -> bytes:
        """The settings as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Parse the output of `written`."""
        return msgspec.json.decode(text, type=cls)


class Child:
    """A child process, while a ``with`` block runs.

    End of its standard input is the order to end. The table never waits for it.
    """

    def __init__(self, name: str, module: str, settings: bytes, descriptors: Sequence[int] = ()) -> None:
        self._name: Final = name
        self._module: Final = module
        self._settings_line: Final = settings + b"\n"
        self._descriptors: Final = tuple(descriptors)
        self._over: Final = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._turn: Final = threading.Lock()
        self._thread: Final = threading.Thread(target=self._look_after, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with self._turn:
            child = self._child
        if child is not None:
            self._let_go(child)
        self._thread.join(END_S)
        if self._thread.is_alive() and child is not None:
            child.kill()  # one that does not end when it is told to
            self._thread.join()
        self.close()

    def close(self) -> None:
        """Release inherited resources, even if never started."""

    def _look_after(self) -> None:
        wait_s = AGAIN_S[0]
        while not self._over.is_set():
            began_s = time.monotonic()
            why = self._live()
            if self._over.is_set():
                return
            if time.monotonic() - began_s > WELL_S:
                wait_s = AGAIN_S[0]
            logger.warning("the %s %s; it is started again in %.1f s", self._name, why, wait_s)
            self._over.wait(wait_s)
            wait_s = min(2 * wait_s, AGAIN_S[1])

    def _live(self) -> str:
        try:
            child = self._start()
        except OSError as error:  # no descriptor, process or memory is left: there may be one again
            return f"cannot be started: {error.strerror}"
        if child is None:
            return "is not wanted"
        self._pass_on(child)
        code = child.wait()
        with self._turn:
            self._let_go(child)
        return f"ended ({code})"

    @staticmethod
    def _let_go(child: "subprocess.Popen[bytes]") -> None:
        if child.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # what it never read of its settings is written once more
                child.stdin.close()

    def _start(self) -> "subprocess.Popen[bytes] | None":
        with self._turn:
            if self._over.is_set():
                return None
            child = subprocess.Popen(  # noqa: S603  our own interpreter with our own module
                [sys.executable, "-P", "-m", self._module, *map(str, self._descriptors)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=self._descriptors,
                env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
                start_new_session=True,  # Ctrl-C is for the table, which ends its children itself
            )
            self._child = child
            if child.stdin is not None:
                self._tell(child.stdin)
            return child

    def _pass_on(self, child: "subprocess.Popen[bytes]") -> None:
        if child.stderr is None:
            return
        began_s, count = time.monotonic(), 0
        with child.stderr as said:
            for line in iter(lambda: said.readline(SAID_BYTES), b""):
                if time.monotonic() - began_s > SAID_S:
                    self._tell_left_out(count)
                    began_s, count = time.monotonic(), 0
                count += 1
                if count <= SAID_LINES:
                    logger.warning("%s: %s", self._name, line.decode(errors="replace").rstrip())
        self._tell_left_out(count)

    def _tell_left_out(self, count: int) -> None:
        if count > SAID_LINES:
            logger.warning("%s: %d further lines were left out", self._name, count - SAID_LINES)

    def _tell(self, pipe: IO[bytes]) -> None:
        try:
            pipe.write(self._settings_line)
            pipe.flush()
        except BrokenPipeError:
            logger.warning("the %s ended before it received its settings", self._name)

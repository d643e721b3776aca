"""The shoe as a process whose time and line are lines of text: it lives as fast as the machine can."""

import contextlib
import json
import math
import subprocess
from pathlib import Path
from typing import Final, NamedTuple, Self

from cardshoe.cli.sim.virtual import Far

MS_PER_S: Final = 1000
PATIENCE_S: Final = 30.0


class Answer(NamedTuple):
    """The answer to a line, the frames that were sent, and when the next ``at`` must come."""

    text: str
    sent: list[bytes]
    due_ms: int


class GivenTime:
    """A process that answers lines, as ``posix/given_time.c`` has them."""

    def __init__(self, *command: str | Path) -> None:
        self._process: Final = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            json.loads(self._line())
        except AssertionError:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def ask(self, text: str) -> Answer:
        """Give a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        sent: list[bytes] = []
        while (line := self._line()).startswith("tx "):
            sent.append(bytes.fromhex(line.removeprefix("tx ")))
        assert line.startswith("due "), (text, line)
        return Answer(self._line(), sent, int(line.removeprefix("due ")))

    def ask_and_kill(self, texts: list[str], answers: int) -> list[str]:
        """Give lines at once, read so many answers, and end it while it does the rest."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{text}\n" for text in texts))
        self._process.stdin.flush()
        found: list[str] = []
        while len(found) < answers:
            line = self._line()
            if not line.startswith(("tx ", "due ")):
                found.append(line)
        self.kill()
        return found

    def kill(self) -> None:
        """End it as ``kill -9`` does."""
        self._process.kill()
        self._process.wait(PATIENCE_S)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):  # what it was still to read
                pipe.close()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the shoe has ended: {self._process.wait(PATIENCE_S)}"
        return line.rstrip("\n")


class FirmwareFar(Far):
    """The shoe on virtual time, as ``cardshoe conformance --simulate`` has devices."""

    def __init__(self, process: GivenTime) -> None:
        self._process: Final = process
        self._now_ms = 0
        self._due_ms = 0
        self._sent = bytearray()
        self._is_plugged = True

    @property
    def is_plugged(self) -> bool:
        return self._is_plugged

    def now_s(self) -> float:
        return self._now_ms / MS_PER_S

    def write(self, data: bytes) -> None:
        self._ask(f"rx {data.hex()}")

    def taken(self) -> bytes:
        data = bytes(self._sent)
        self._sent.clear()
        return data

    def step(self, until_s: float) -> None:
        until_ms = max(math.ceil(until_s * MS_PER_S), self._now_ms + 1)
        self._now_ms = min(max(self._due_ms, self._now_ms + 1), until_ms)
        self._ask(f"at {self._now_ms}")

    def execute(self, line: str) -> str:
        answer = self._ask(line)
        if answer.startswith("ok") and line in {"unplug", "replug"}:
            self._is_plugged = line == "replug"
        return answer

    def _ask(self, text: str) -> str:
        answer = self._process.ask(text)
        self._due_ms = answer.due_ms
        self._sent += b"".join(answer.sent)
        return answer.text

"""What ``run`` and ``demo`` print of a table: words for people, or the log itself for programs."""

import io
import os
import sys
from pathlib import Path
from typing import IO, Protocol

import click
from msgspec import UNSET

from table.log.scribe import Taken
from table.terminal.text import describe, duties_text, prompt_text

PROMPT_COLUMN = 44
"""Where the next prompt stands behind a dealt card, so that a round reads down the left side."""
SHORT_PROMPTS = {"draw", "burn"}


class Printer(Protocol):
    """Prints what a table takes."""

    def __call__(self, taken: Taken) -> None:
        """Prints what was taken; called in the table thread, once it is durable."""

    def say(self, text: str) -> None:
        """Prints a remark."""

    def missed(self, left_out: int) -> bool:
        """Tells a reader who did not keep up how many answers were left out; whether to print what comes next."""


class TextPrinter:
    """The table in words, on standard output."""

    def __init__(self) -> None:
        self._round = 0
        self._prompt = ""

    def __call__(self, taken: Taken) -> None:
        """Prints what was taken, round by round."""
        round_no = taken.prompt.round
        if round_no is not UNSET and round_no != self._round:
            self._round = round_no
            self.say(f"── round {round_no} " + "─" * 60)
        lines = list(describe(taken))
        prompt, before = prompt_text(taken.prompt), self._prompt
        self._prompt = prompt
        duties = [] if prompt == before else [f"{'':<{PROMPT_COLUMN}}  {one}" for one in duties_text(taken.prompt)]
        if lines and taken.prompt.do in SHORT_PROMPTS and len(lines[-1]) < PROMPT_COLUMN:
            lines[-1] = f"{lines[-1]:<{PROMPT_COLUMN}}{prompt}"
        elif prompt != before:
            lines.append(f"{'':<{PROMPT_COLUMN}}{prompt}")
        lines += duties
        if lines:
            self.say("\n".join(lines))

    def say(self, text: str) -> None:
        """Prints a remark."""
        write_out(sys.stdout, f"{text}\n".encode("utf-8", "replace"))

    def missed(self, left_out: int) -> bool:
        """Tells a person who stopped the terminal that something is missing here; what comes next is printed again."""
        self.say(
            f"… {left_out} answers are left out here: nothing took them. The journal has them all (`cardshoe log`)."
        )
        return True


class JsonPrinter:
    """The table log itself, on standard output; remarks go to standard error."""

    def __call__(self, taken: Taken) -> None:
        """Prints the lines of the log."""
        write_out(sys.stdout, b"".join(line + b"\n" for _, line in taken.lines))

    def say(self, text: str) -> None:
        """Prints a remark."""
        click.echo(text, err=True)

    def missed(self, left_out: int) -> bool:
        """Ends the output: a program must not go on with a gap in the log."""
        self.say(
            f"cardshoe: standard output was not read and is closed; {left_out} answers were left out. The journal has "
            "them all: read it with `cardshoe log`, and start the reader anew."
        )
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return False


def write_out(stream: IO[str], data: bytes) -> None:
    """Writes bytes to a stream, past Python's own buffer where it is a real file.

    A thread that waits in the buffer holds its lock, for want of which the interpreter aborts at its end.

    Raises:
        OSError: the stream takes no more.
    """
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError, io.UnsupportedOperation):
        stream.write(data.decode())
        stream.flush()
        return
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]

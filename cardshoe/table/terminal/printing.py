"""The output of ``run`` and ``demo``: words for people, or the log itself for programs."""

import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Protocol

import click
from msgspec import UNSET

from cardshoe.process.free_text import siem_text, terminal_lines, terminal_text
from cardshoe.table.log.log_builder import Taken
from cardshoe.table.terminal.formatting import COLUMNS, PLAIN, Meaning, Voice, fitted
from cardshoe.table.terminal.text import duties_text, prompt_text, told

PROMPT_COLUMN: Final = 28
"""Where the next prompt stands behind a dealt card, so that a round reads down the left side."""
SHORT_PROMPTS: Final = {"draw", "burn"}
STYLES: Final[dict[Meaning, dict[str, Any]]] = {
    "refused": {"fg": "red", "bold": True},
    "irregularity": {"fg": "yellow", "bold": True},
    "settled": {"fg": "green"},
    "result": {"bold": True},
    "prompt": {"bold": True},
    "heading": {"dim": True},
}
"""What a line means, as a colour; none says anything that its words do not."""
TWO_COLOURS: Final = {"♥": "red", "♦": "red"}
FOUR_COLOURS: Final = {"♥": "red", "♦": "blue", "♣": "green"}
_CARD: Final = re.compile(r"((?:10|[2-9JQKA])[♠♥♦♣])")


@dataclass(frozen=True, slots=True)
class Look:
    """How lines look."""

    has_colours: bool = False
    four_colours: bool = False

    def line(self, text: str, meaning: Meaning) -> str:
        """A line in the colours of its meaning and its cards."""
        if not self.has_colours:
            return text
        style, suits = STYLES.get(meaning, {}), FOUR_COLOURS if self.four_colours else TWO_COLOURS
        parts = [part for part in _CARD.split(text) if part]
        return "".join(
            click.style(part, **{**style, "fg": suits.get(part[-1], style.get("fg"))} if _CARD.match(part) else style)
            for part in parts
        )


def has_colours(stream: IO[str]) -> bool:
    """True if a stream is a terminal that shows colours, and NO_COLOR is not set (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Printer(Protocol):
    """Prints what a table takes."""

    def __call__(self, taken: Taken) -> None:
        """Prints what was taken; called in the table thread, once it is durable."""

    def say(self, text: str) -> None:
        """Prints a remark."""

    def show(self, picture: str) -> None:
        """Prints what has a form of its own, line by line."""

    def missed(self, left_out: int) -> bool:
        """Tells a reader who did not keep up how many answers were left out; whether to print what comes next."""


class TextPrinter:
    """The table in words."""

    def __init__(
        self,
        voice: Voice = PLAIN,
        look: Look | None = None,
        write: Callable[[bytes], None] | None = None,
        pin: Callable[[Sequence[str]], bool] | None = None,
    ) -> None:
        self._voice: Final = voice
        self._look: Final = look or Look()
        self._write: Final = write or (lambda data: write_out(sys.stdout, data))
        self._pin: Final = pin
        self._round = 0
        self._prompt = ""

    def __call__(self, taken: Taken) -> None:
        lines: list[tuple[Meaning, str]] = []
        round_no = taken.prompt.round
        if round_no is not UNSET and round_no != self._round:
            self._round = round_no
            lines.append(("heading", f"── round {round_no} " + "─" * 60))
        lines += [(meaning, part) for meaning, line in told(taken, self._voice) for part in fitted(line)]
        prompt, before = prompt_text(taken.prompt), self._prompt
        self._prompt = prompt
        duties = [] if prompt == before else duties_text(taken.prompt)
        due = [part for line in (prompt, *duties_text(taken.prompt)) for part in fitted(line)]
        if self._pin is not None and self._pin(due):
            self._print([self._look.line(text, meaning) for meaning, text in lines])
            return
        printed = [self._look.line(text, meaning) for meaning, text in lines]
        if lines and taken.prompt.do in SHORT_PROMPTS and self._fits_behind(lines[-1][1], prompt):
            printed[-1] += " " * max(PROMPT_COLUMN - len(lines[-1][1]), 2) + self._look.line(prompt, "prompt")
        elif prompt != before:
            printed += self._aside(prompt)
        self._print(printed + [line for duty in duties for line in self._aside(duty)])

    @staticmethod
    def _fits_behind(line: str, prompt: str) -> bool:
        return max(len(line) + 2, PROMPT_COLUMN) + len(prompt) <= COLUMNS

    def _aside(self, text: str) -> list[str]:
        parts = fitted(text)
        column = max(0, min(PROMPT_COLUMN, COLUMNS - max(map(len, parts))))
        return [" " * column + self._look.line(part, "prompt") for part in parts]

    def say(self, text: str) -> None:
        """Prints a remark."""
        self._print([part for line in text.split("\n") for part in fitted(terminal_text(line))])

    def show(self, picture: str) -> None:
        """Prints what has a form of its own, line by line."""
        self._print([picture])

    def _print(self, lines: Sequence[str]) -> None:
        if lines:
            self._write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))

    def missed(self, left_out: int) -> bool:
        """Tells a person who stopped the terminal that something is missing here; what comes next is printed again."""
        self.say(
            f"… {left_out} answers are left out here: nothing took them. The journal has them all (`cardshoe log`)."
        )
        return True


class JsonPrinter:
    """The table log itself, on standard output; remarks go to standard error."""

    def __call__(self, taken: Taken) -> None:
        made = siem_text if sys.stdout.isatty() else bytes
        write_out(sys.stdout, b"".join(made(line) + b"\n" for line in taken.lines))

    def say(self, text: str) -> None:
        """Prints a remark."""
        click.echo(terminal_lines(text), err=True)  # noqa: TID251  # the terminal has no command

    def show(self, picture: str) -> None:
        """Prints what has a form of its own, on standard error too."""
        self.say(picture)

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

"""The output of ``run`` and ``demo``: words for people, or the log itself."""

import io
import itertools
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final, Protocol

import click
from msgspec import UNSET

from cardshoe.process.free_text import siem_text, terminal_lines, terminal_text
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.terminal.formatting import COLUMNS, PLAIN, Meaning, Voice, fitted
from cardshoe.table.terminal.text import duties_text, prompt_text, told

PROMPT_COLUMN: Final = 28
RULE_SHORT: Final = 9
HOME: Final = "\x1b[H\x1b[J"
SHORT_PROMPTS: Final = {"draw", "burn"}
STYLES: Final[dict[Meaning, dict[str, Any]]] = {
    "refused": {"fg": "red", "bold": True},
    "irregularity": {"fg": "yellow", "bold": True},
    "settled": {"fg": "green"},
    "result": {"bold": True},
    "prompt": {"bold": True},
    "heading": {"dim": True},
}
TWO_COLOURS: Final = {"♥": "red", "♦": "red"}
FOUR_COLOURS: Final = {"♥": "red", "♦": "blue", "♣": "green"}
_CARD: Final = re.compile(r"((?:10|[2-9JQKA])[♠♥♦♣])")


@dataclass(frozen=True, slots=True)
class Look:
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
    """True for a colour terminal without NO_COLOR (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Printer(Protocol):
    def __call__(self, taken: LoggedInput) -> None:
        """Print a durable input; called in the table thread."""

    def say(self, text: str) -> None:
        """Print a remark."""

    def show(self, picture: str) -> None:
        """Print a picture, line by line."""

    def missed(self, left_out: int) -> bool:
        """Print how many answers a slow reader missed; True: continue."""


class TextPrinter:
    """The table in words; ``size``: columns and rows, default 80 columns."""

    def __init__(
        self,
        voice: Voice = PLAIN,
        look: Look | None = None,
        write: Callable[[bytes], None] | None = None,
        pin: Callable[[Sequence[str]], bool] | None = None,
        size: Callable[[], tuple[int, int]] | None = None,
    ) -> None:
        self._voice: Final = voice
        self._look: Final = look or Look()
        self._write: Final = write or (lambda data: write_out(sys.stdout, data))
        self._pin: Final = pin
        self._size: Final = size
        self._round = 0
        self._prompt = ""

    def __call__(self, taken: LoggedInput) -> None:
        lines: list[tuple[Meaning, str]] = []
        columns, rows = (COLUMNS, 0) if self._size is None else self._size()
        round_no = taken.prompt.round
        empties = ""
        if round_no is not UNSET and round_no != self._round:
            self._round = round_no
            lines.append(("heading", f"── round {round_no} ".ljust(columns - RULE_SHORT, "─")))
            empties = "\n" * (rows - 1) + HOME if rows else ""
        voice = replace(self._voice, columns=columns)
        lines += side_by_side(
            [(one, part) for one, line in told(taken, voice) for part in fitted(line, columns)], columns
        )
        prompt, before = prompt_text(taken.prompt), self._prompt
        self._prompt = prompt
        duties = [] if prompt == before else duties_text(taken.prompt)
        due = [part for line in (prompt, *duties_text(taken.prompt)) for part in fitted(line, columns)]
        if self._pin is not None and self._pin(due):
            self._print([self._look.line(text, meaning) for meaning, text in lines])
            return
        printed = [self._look.line(text, meaning) for meaning, text in lines]
        if lines and taken.prompt.do in SHORT_PROMPTS and self._fits_behind(lines[-1][1], prompt, columns):
            printed[-1] += " " * max(PROMPT_COLUMN - len(lines[-1][1]), 2) + self._look.line(prompt, "prompt")
        elif prompt != before:
            printed += self._aside(prompt, columns)
        printed += [line for duty in duties for line in self._aside(duty, columns)]
        if printed:
            printed[0] = empties + printed[0]
        self._print(printed)

    @staticmethod
    def _fits_behind(line: str, prompt: str, columns: int) -> bool:
        return max(len(line) + 2, PROMPT_COLUMN) + len(prompt) <= columns

    def _aside(self, text: str, columns: int) -> list[str]:
        parts = fitted(text, columns)
        column = max(0, min(PROMPT_COLUMN, columns - max(map(len, parts))))
        return [" " * column + self._look.line(part, "prompt") for part in parts]

    def say(self, text: str) -> None:
        """Print a remark."""
        self._print([part for line in text.split("\n") for part in fitted(terminal_text(line))])

    def show(self, picture: str) -> None:
        """Print a picture, line by line."""
        self._print([picture])

    def _print(self, lines: Sequence[str]) -> None:
        if lines:
            self._write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))

    def missed(self, left_out: int) -> bool:
        """Print that output is missing here."""
        self.say(
            f"… {left_out} answers are left out here: nothing took them. The journal has them all (`cardshoe log`)."
        )
        return True


class JsonPrinter:
    """The table log on standard output, remarks on standard error."""

    def __call__(self, taken: LoggedInput) -> None:
        made = siem_text if sys.stdout.isatty() else bytes
        write_out(sys.stdout, b"".join(made(line) + b"\n" for line in taken.lines))

    def say(self, text: str) -> None:
        """Print a remark."""
        click.echo(terminal_lines(text), err=True)  # noqa: TID251  # the terminal has no command

    def show(self, picture: str) -> None:
        """Print a picture on standard error."""
        self.say(picture)

    def missed(self, left_out: int) -> bool:
        """End the output: a program must not miss lines."""
        self.say(
            f"cardshoe: standard output was not read and is closed; {left_out} answers were left out. The journal has "
            "them all: read it with `cardshoe log`, and restart the reader."
        )
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return False


def side_by_side(lines: Sequence[tuple[Meaning, str]], columns: int) -> list[tuple[Meaning, str]]:
    found: list[tuple[Meaning, str]] = []
    for meaning, group in itertools.groupby(lines, key=lambda one: one[0]):
        texts = [text for _, text in group]
        widest = max(map(len, texts))
        beside = max(1, (columns + 1) // (widest + 1)) if meaning == "settled" else 1
        for at in range(0, len(texts), beside):
            row = texts[at : at + beside]
            found.append((meaning, " ".join(text.ljust(widest) for text in row).rstrip() if beside > 1 else row[0]))
    return found


def write_out(stream: IO[str], data: bytes) -> None:
    """Write bytes past Python's buffer, in which a waiting thread would abort the interpreter's end."""
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError, io.UnsupportedOperation):
        stream.write(data.decode())
        stream.flush()
        return
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]

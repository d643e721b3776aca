"""What ``run`` and ``demo`` print of a table: words for people, or the log itself for programs."""

import sys
from typing import Protocol

import click
from msgspec import UNSET

from table.scribe import Taken
from table.text import describe, duties_text, prompt_text

PROMPT_COLUMN = 44
"""Where the next prompt stands behind a dealt card, so that a round reads down the left side."""
SHORT_PROMPTS = {"draw", "burn"}


class Printer(Protocol):
    """Prints what a table takes."""

    def __call__(self, taken: Taken) -> None:
        """Prints what was taken; called in the table thread, once it is durable."""

    def say(self, text: str) -> None:
        """Prints a remark."""


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
            click.echo(f"── round {round_no} " + "─" * 60)
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
            click.echo("\n".join(lines))

    def say(self, text: str) -> None:
        """Prints a remark."""
        click.echo(text)


class JsonPrinter:
    """The table log itself, on standard output; remarks go to standard error."""

    def __call__(self, taken: Taken) -> None:
        """Prints the lines of the log."""
        sys.stdout.buffer.write(b"".join(line + b"\n" for _, line in taken.lines))
        sys.stdout.buffer.flush()

    def say(self, text: str) -> None:
        """Prints a remark."""
        click.echo(text, err=True)

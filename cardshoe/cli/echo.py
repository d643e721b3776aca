"""Print with control characters escaped."""

import sys

import click

from cardshoe.process.free_text import siem_text, terminal_text


def echo(*lines: str | bytes, err: bool = False, nl: bool = True) -> None:
    """Print lines; a line feed within one is escaped."""
    texts = (line if isinstance(line, str) else line.decode("utf-8", "replace") for line in lines)
    click.echo("\n".join(map(terminal_text, texts)), err=err, nl=nl)


def write_log_line(line: bytes) -> None:
    """Print a log line: byte for byte into a pipe, escaped on a terminal."""
    sys.stdout.buffer.write((siem_text(line) if sys.stdout.isatty() else line) + b"\n")

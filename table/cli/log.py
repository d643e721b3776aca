"""``cardshoe log``: the lines of a journal, as the table log defines them."""

import sys
from pathlib import Path

import click

from table.journal import read_only


@click.command("log")
@click.argument("journal", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--inputs", "only_inputs", is_flag=True, help="Only the inputs: a script that `cardshoe replay` reads.")
def log_command(journal: Path, *, only_inputs: bool) -> None:
    """Print the lines of a JOURNAL (JSON Lines); its files are not changed."""
    with read_only(journal) as evidence:
        for entry in evidence.entries():
            if entry.kind == "input" or not only_inputs:
                sys.stdout.buffer.write(entry.line + b"\n")
    sys.stdout.buffer.flush()

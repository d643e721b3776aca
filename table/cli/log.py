"""``cardshoe log``: the lines of a journal, as the table log defines them."""

import sys
from pathlib import Path

import click

from table.cli.options import SEALING_KEY, UNSIGNED
from table.journal import read_only
from table.log.sealing import Sealer
from table.log.sealing_keys import find_keys, read_keys
from table.log.verify import opened_line


@click.command("log")
@click.argument("journal", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--inputs", "only_inputs", is_flag=True, help="Only the inputs: a script that `cardshoe replay` reads.")
@click.option(
    "--open", "opened", is_flag=True, help="Open what is sealed, with the table's key. Secret while a round is open."
)
@SEALING_KEY
@UNSIGNED
def log_command(journal: Path, *, only_inputs: bool, opened: bool, sealing_key: Path | None, unsigned: bool) -> None:
    """Print the lines of a JOURNAL (JSON Lines); its files are not changed."""
    keys = read_keys(find_keys(sealing_key, journal.parent)) if opened else None
    with read_only(journal, unsigned=unsigned) as evidence:
        sealer = None if keys is None else Sealer(keys, evidence.header.origin)
        for entry in evidence.entries():
            if entry.kind == "input" or not only_inputs:
                line = entry.line if sealer is None else opened_line(journal, entry, sealer)
                sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()

"""A command's answer: words for a person, or one JSON object."""

from collections.abc import Iterable
from typing import Final

import click
import msgspec

from cardshoe.cli.echo import echo

JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def answer(lines: Iterable[str], data: object, *, as_json: bool, dry_run: bool = False) -> None:
    if as_json:
        plain = msgspec.to_builtins(data)
        echo(msgspec.json.encode({**plain, "dry_run": dry_run} if dry_run else plain))
        return
    for line in lines:
        echo(line)
    if dry_run:
        echo("Nothing was written (--dry-run).")

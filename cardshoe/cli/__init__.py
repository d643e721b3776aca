"""The command line, one module per command; only ``demo`` and ``sim`` import ``sim``."""

import click

from cardshoe.cli.group import Cli


@click.group(cls=Cli, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cardshoe", prog_name="cardshoe")
def main() -> None:
    """The controller at a casino table.

    Exit codes: 0 ok, 1 failure, 2 usage or bad input, 3 refusal or irregularity under --strict, 4 journal broken, in
    use or without room, 5 device missing, busy or forbidden, 6 a newer build continues.
    """

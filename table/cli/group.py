"""How every command ends: with a documented exit code, and never with a traceback."""

import sys
from typing import Any, NoReturn

import click

from drivers.errors import DriverError
from table.exits import Exit, Stop
from table.journal import JournalError, JournalExists, JournalMissing


class Cli(click.Group):
    """The group of commands; what a command raises becomes a message on standard error and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's own signature
        """Runs a command."""
        try:
            return super().invoke(ctx)
        except Stop as stop:
            fail(stop.what, stop.remedy, stop.code)
        except JournalError as error:
            bad_name = isinstance(error, JournalMissing | JournalExists)
            fail(f"{error.path}: {error.problem}", error.remedy, Exit.USAGE if bad_name else Exit.JOURNAL)
        except DriverError as error:
            fail(f"{error.port}: {error.problem}", error.remedy, Exit.DEVICE)
        except BrokenPipeError:
            # The reader of our output has gone, as `head` does; the interpreter must not complain at exit.
            sys.stderr.close()
            sys.exit(Exit.OK)


def fail(what: str, remedy: str, code: Exit) -> NoReturn:
    """Prints what is wrong and what to do, and exits."""
    click.echo(f"cardshoe: {what}", err=True)
    if remedy:
        click.echo(f"  {remedy}", err=True)
    sys.exit(code)

"""How every command ends: with a documented exit code, and never with a traceback."""

import errno
import os
import sys
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from drivers.errors import BadPortName, BadSetting, DriverError
from firmware_bridge.trust.errors import KeyRefused, TrustError
from firmware_bridge.update.errors import DeviceTrouble, UpdateError
from table.exits import Exit, Stop
from table.journal import JournalError, JournalExists, JournalMissing

COMMANDS: Final = {
    "capture": "table.cli.capture:capture_command",
    "config": "table.cli.config:config_group",
    "conformance": "table.cli.conformance:conformance_command",
    "demo": "table.cli.demo:demo_command",
    "doctor": "table.cli.doctor:doctor_command",
    "journal": "table.cli.journal:journal_group",
    "key": "table.cli.key:key_group",
    "log": "table.cli.log:log_command",
    "ports": "table.cli.ports:ports_command",
    "replay": "table.cli.replay:replay_command",
    "rules": "table.cli.rules:rules_command",
    "run": "table.cli.run:run_command",
    "sim": "table.cli.sim:sim_group",
    "trust": "table.cli.trust:trust_group",
    "update": "table.cli.update:update_group",
    "usb-rules": "table.cli.usb_rules:usb_rules_command",
    "verify": "table.cli.replay:verify_command",
    "witness": "table.cli.witness:witness_group",
}
"""Where each command is. It is imported when it is used: `doctor` must run where another's library is broken."""


NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Why a file to which our output goes takes no more."""


class Cli(click.Group):
    """The group of commands; what a command raises becomes a message on standard error and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own signature
        """The commands by name."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # as above
        """The command of a name, imported now."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

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
            code = Exit.USAGE if isinstance(error, BadPortName | BadSetting) else Exit.DEVICE
            fail(f"{error.port}: {error.problem}", error.remedy, code)
        except TrustError as error:
            code = Exit.USAGE if isinstance(error, KeyRefused) else Exit.FAILURE
            fail(f"{error.what} [{error.code}]", f"{error.who}: {error.remedy}", code)
        except UpdateError as error:
            code = Exit.DEVICE if isinstance(error, DeviceTrouble) else Exit.FAILURE
            fail(f"{error.what} [{error.code}]", f"{error.who}: {error.remedy}", code)
        except (KeyboardInterrupt, click.Abort):
            click.echo(err=True)  # the terminal has shown ^C on this line
            fail("stopped from the keyboard", "", Exit.FAILURE)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            _give_up_output()
            sys.exit(Exit.OK)
        except OSError as error:
            # What is written to a stream names no file. Anything else without a name is a defect, and shows as one.
            if error.filename is None and error.errno not in NO_ROOM:
                raise
            _give_up_output()
            what = "what it prints cannot be written" if error.filename is None else str(error.filename)
            remedy = "See to room and permissions there, then give the command again. A journal is not touched by this."
            fail(f"{what}: {error.strerror}", remedy, Exit.FAILURE)


def _give_up_output() -> None:
    """What still lies in the buffer must go somewhere, or the interpreter would end with a code of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(what: str, remedy: str, code: Exit) -> NoReturn:
    """Prints what is wrong and what to do, and exits."""
    click.echo(f"cardshoe: {what}", err=True)
    if remedy:
        click.echo(f"  {remedy}", err=True)
    sys.exit(code)

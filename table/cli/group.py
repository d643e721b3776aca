"""How every command ends: with a documented exit code, and never with a traceback."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from table.exits import Exit, Stop

COMMANDS: Final = {
    "capture": ("table.cli.capture:capture_command", "Write the raw bytes that arrive at a port to a file"),
    "config": ("table.cli.config:config_group", "Show and check the configuration of a table"),
    "conformance": ("table.cli.conformance:conformance_command", "Check a device against the page of its protocol"),
    "demo": ("table.cli.demo:demo_command", "Play a game with simulated equipment and people"),
    "doctor": ("table.cli.doctor:doctor_command", "Look at ports, disk, clock, journal and installation"),
    "journal": ("table.cli.journal:journal_group", "Back up, export, archive and prove journals"),
    "key": ("table.cli.key:key_group", "Make and keep the keys that seal hidden cards"),
    "log": ("table.cli.log:log_command", "Print the lines of a journal"),
    "ports": ("table.cli.ports:ports_command", "List serial ports and USB devices with their names"),
    "replay": ("table.cli.replay:replay_command", "Replay a script of inputs"),
    "rules": ("table.cli.rules:rules_command", "Show the regulation of a game as the machine holds it"),
    "run": ("table.cli.run:run_command", "Run a table"),
    "sim": ("table.cli.sim:sim_group", "Simulate devices"),
    "status": ("table.cli.status:status_command", "Say how a running table stands"),
    "trust": ("table.cli.trust:trust_group", "Say which devices, persons and firmware are trusted"),
    "update": ("table.cli.update:update_group", "Give a device another firmware"),
    "usb-rules": ("table.cli.usb_rules:usb_rules_command", "Print rules for usbguard"),
    "verify": ("table.cli.replay:verify_command", "Verify a journal: tree, signatures and every output"),
    "witness": ("table.cli.witness:witness_group", "Bear witness for the journals of tables"),
}
"""Where each command is, and what it is for in a few words.

It is imported when it is used: `doctor` must run where another's library is broken, and the list of commands is shown
at once.
"""


NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Why a file to which our output goes takes no more."""


class Cli(click.Group):
    """The group of commands; what a command raises becomes a message on standard error and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own signature
        """The commands by name."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # as above
        """The command of a name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def make_context(self, *args: Any, **more: Any) -> click.Context:  # noqa: ANN401  # click's own signature
        """Reads the command's own options; ``--help`` and ``--version`` print here."""
        with _ending_in_order():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's own signature
        """Runs a command."""
        with _ending_in_order():
            return super().invoke(ctx)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """What the block raises becomes a message and an exit code."""
    try:
        yield
    except Stop as stop:
        fail(stop.what, stop.remedy, stop.code)
    except (KeyboardInterrupt, click.Abort):
        click.echo(err=True)  # the terminal has shown ^C on this line
        fail("stopped from the keyboard", "", Exit.FAILURE)
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        _give_up_output()
        sys.exit(Exit.OK)
    except (click.ClickException, click.exceptions.Exit):
        raise  # click's own ways to end
    except Exception as error:
        # Its classes are imported where one is to be explained: the list of commands needs none of them.
        from table.cli.failures import explained

        found = explained(error)
        if found is not None:
            fail(found.what, found.remedy, found.code)
        if not isinstance(error, OSError):
            raise
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

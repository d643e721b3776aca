"""How every command ends: a documented exit code, never a traceback."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from cardshoe.cli.echo import echo
from cardshoe.process import collector
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.free_text import terminal_text

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GROUPS: Final = {
    "Run a table": {
        "config": ("cardshoe.cli.config:config_group", "Show and check the configuration of a table"),
        "display": ("cardshoe.cli.display:display_command", "Serve the pages and the interface of a table"),
        "persons": ("cardshoe.cli.persons:persons_group", "Manage the persons of a table and their roles"),
        "run": ("cardshoe.cli.run:run_command", "Run a table"),
        "uplink": ("cardshoe.cli.uplink:uplink_command", "Send the journals of a table to the floor"),
    },
    "Run a floor": {
        "floor": ("cardshoe.cli.floor.command:floor_group", "Collect the logs of all tables"),
    },
    "Look": {
        "doctor": ("cardshoe.cli.doctor:doctor_command", "Look at ports, disk, clock, journal and installation"),
        "log": ("cardshoe.cli.log:log_command", "Print a journal, or what happened in a round"),
        "rules": ("cardshoe.cli.rules:rules_command", "Show the law of a game, or what a table.toml has on"),
        "status": ("cardshoe.cli.status:status_command", "Show the state of a running table"),
    },
    "Devices": {
        "capture": ("cardshoe.cli.capture:capture_command", "Write the raw bytes that arrive at a port to a file"),
        "conformance": ("cardshoe.cli.conformance:conformance_command", "Check a device against its protocol"),
        "ports": ("cardshoe.cli.ports:ports_command", "List serial ports and USB devices with their names"),
        "usb-rules": ("cardshoe.cli.usb_rules:usb_rules_command", "Print rules for usbguard"),
    },
    "Trust and updates": {
        "key": ("cardshoe.cli.key:key_group", "Make and keep the keys that seal hidden cards"),
        "trust": ("cardshoe.cli.trust:trust_group", "Manage the trusted devices, persons and firmware"),
        "update": ("cardshoe.cli.update:update_group", "Update the firmware of a device"),
    },
    "Journals": {
        "analyse": ("cardshoe.cli.analysing.command:analyse_command", "Report whether the cards were shuffled"),
        "journal": ("cardshoe.cli.journal:journal_group", "Back up, export and prove journals"),
        "verify": ("cardshoe.cli.replay:verify_command", "Verify a journal: tree, signatures and every output"),
        "witness": ("cardshoe.cli.witness:witness_group", "Run a witness for the journals of tables"),
    },
    "Simulate and test": {
        "campaign": (
            "cardshoe.cli.campaign.command:campaign_command",
            "Play many shoes, and test totals by exact odds",
        ),
        "demo": ("cardshoe.cli.demo.command:demo_command", "Play a game with simulated equipment and people"),
        "replay": ("cardshoe.cli.replay:replay_command", "Replay a script of inputs"),
        "sim": ("cardshoe.cli.sim:sim_group", "Simulate devices"),
    },
    "This program": {
        "completion": ("cardshoe.cli.completion:completion_group", "Set up command completion for bash, zsh or fish"),
    },
}
"""Commands with modules and summaries, by group.

Imported on use: `doctor` must run with broken libraries.
"""

COMMANDS: Final = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}
_NAME_WIDTH: Final = max(map(len, COMMANDS))

NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


class Subgroup(click.Group):
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return with_example(ctx, cmd_name, super().get_command(ctx, cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found = [(name, command) for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(limit=1000).rstrip(".")) for name, command in found])


class Cli(click.Group):
    def __call__(self, *args: Any, **more: Any) -> Any:  # noqa: ANN401  # click's own signature
        """Run it as the program."""
        collector.collect_less()
        return super().__call__(*args, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return with_example(ctx, cmd_name, command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = _near(args[0])
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {' or '.join(near)}?", ctx) from error

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=COMMANDS[name][1]) for name in sorted(COMMANDS) if name.startswith(incomplete)
        ]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # as above
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{_NAME_WIDTH}}", what) for name, (_, what) in sorted(commands.items())])

    def make_context(self, *args: Any, **more: Any) -> click.Context:  # noqa: ANN401  # click's own signature
        with _ending_in_order():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's own signature
        """Run a command."""
        with _ending_in_order():
            return super().invoke(ctx)


def with_example(ctx: click.Context, name: str, command: click.Command | None) -> click.Command | None:
    if command is not None:
        from cardshoe.cli.examples import EXAMPLES

        path = " ".join([*ctx.command_path.split()[1:], name])
        if (example := EXAMPLES.get(path)) is not None:
            command.epilog = "\b\nExample:\n" + "\n".join(f"  {line}" for line in example.splitlines())
    return command


def _near(name: str) -> list[str]:
    from difflib import get_close_matches

    from cardshoe.cli.examples import EXAMPLES

    near = get_close_matches(name, COMMANDS)
    if not near:
        below = {" ".join(path.split()[:length]) for path in EXAMPLES for length in range(2, 4)}
        words = get_close_matches(name, {path.split()[-1] for path in below}, cutoff=0.8)
        near = sorted(path for path in below if path.split()[-1] in words)[:3]
    return [f"'cardshoe {path}'" for path in near]


@contextmanager
def _ending_in_order() -> Iterator[None]:
    try:
        yield
    except Stop as stop:
        fail(stop.what, stop.remedy, stop.code)
    except (KeyboardInterrupt, click.Abort):
        echo(err=True)  # the terminal has shown ^C on this line
        fail("stopped from the keyboard", "", Exit.FAILURE)
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        _give_up_output()
        sys.exit(Exit.OK)
    except click.ClickException as error:
        vars(error)["message"] = "\n".join(map(terminal_text, error.message.split("\n")))
        raise  # click's own way to end
    except click.exceptions.Exit:
        raise
    except Exception as error:
        # Its classes are imported where one is to be explained: the list of commands needs none of them.
        from cardshoe.cli.failures import explained

        found = explained(error)
        if found is not None:
            fail(found.what, found.remedy, found.code)
        if not isinstance(error, OSError):
            raise
        # What is written to a stream names no file. Anything else without a name is a defect, and shows as one.
        if error.filename is None and error.errno not in NO_ROOM:
            raise
        _give_up_output()
        what = "the output cannot be written" if error.filename is None else str(error.filename)
        remedy = "Check free space and permissions there, then repeat the command. No journal was changed."
        fail(f"{what}: {error.strerror}", remedy, Exit.FAILURE)


def _give_up_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(what: str, remedy: str, code: Exit) -> NoReturn:
    echo(f"cardshoe: {what}", err=True)
    if remedy:
        echo(f"  {remedy}", err=True)
    sys.exit(code)

"""``cardshoe completion``: scripts for shell completion."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cardshoe.cli.echo import echo
from cardshoe.cli.group import Subgroup
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

SHELLS: Final = ("bash", "zsh", "fish")
PROGRAM: Final = "cardshoe"
VARIABLE: Final = "_CARDSHOE_COMPLETE"


@click.group("completion", cls=Subgroup)
def completion_group() -> None:
    """Have the shell complete what is typed: commands, options, files, games, ports."""


@completion_group.command("show")
@click.argument("shell", type=click.Choice(SHELLS))
def show_command(shell: str) -> None:
    """Print the script that a SHELL reads."""
    echo(*script(shell).split("\n"), nl=False)


@completion_group.command("install", short_help="Put the script where the shell of this user looks for it")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def install_command(shell: str | None) -> None:
    """Put the script where the SHELL of this user looks for it; without SHELL, that of $SHELL."""
    chosen = shell or Path(os.environ.get("SHELL", "")).name
    if chosen not in SHELLS:
        what = f"$SHELL is {chosen or 'not set'}, and completion is there for {', '.join(SHELLS)}"
        raise Stop(what, "Name one: cardshoe completion install bash", Exit.USAGE)
    file = place(chosen, os.environ)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script(chosen), encoding="utf-8")
    except OSError as error:
        remedy = f"Put it elsewhere: cardshoe completion show {chosen} > FILE"
        raise Stop(f"{file}: {error.strerror or error}", remedy, Exit.FAILURE) from error
    echo(f"{file}: written")
    echo(f"  {after(chosen, file)}")


def script(shell: str) -> str:
    from click.shell_completion import get_completion_class

    from cardshoe.cli import main

    kind: type[ShellComplete] | None = get_completion_class(shell)
    if kind is None:
        raise LookupError(shell)
    made = kind(main, {}, PROGRAM, VARIABLE)
    return made.source_template % made.source_vars()


def place(shell: str, environment: Mapping[str, str]) -> Path:
    data = Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    settings = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return {
        "bash": data / "bash-completion" / "completions" / PROGRAM,
        "zsh": data / "zsh" / "site-functions" / f"_{PROGRAM}",
        "fish": settings / "fish" / "completions" / f"{PROGRAM}.fish",
    }[shell]


def after(shell: str, file: Path) -> str:
    return {
        "bash": f"Open a new shell. Without the package bash-completion, put this into ~/.bashrc: source {file}",
        "zsh": f"Put this into ~/.zshrc, before compinit: fpath=({file.parent} $fpath). Then open a new shell.",
        "fish": "Open a new shell.",
    }[shell]

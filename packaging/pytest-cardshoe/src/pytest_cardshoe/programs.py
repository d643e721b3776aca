"""The `cardshoe` command: path, runs, and games."""

import functools
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_cardshoe.errors import CommandMissing, ProcessEnded, Silent
from pytest_cardshoe.processes import environment

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found

LIMIT_S = 120.0


def find_command(named: str | None) -> str:
    beside = Path(sys.executable).with_name("cardshoe")
    found = shutil.which(named or (str(beside) if beside.exists() else "cardshoe"))
    if found is None:
        raise CommandMissing(named or "cardshoe")
    return str(Path(found).absolute())


def run_to_end(command: Sequence[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603  # the command that the user named
            command, input=stdin, env=environment(), capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
    except OSError as error:
        raise CommandMissing(command[0]) from error
    except subprocess.TimeoutExpired as error:
        raise Silent(" ".join(command), "its end", LIMIT_S) from error


@functools.cache
def usual_game(command: str) -> str:
    return str(tomllib.loads(_printed(command, "config", "example"))["table"]["game"])


@functools.cache
def law_of(command: str, game: str) -> Mapping[str, Any]:
    """The law of a game, from `cardshoe rules GAME --json`."""
    law: dict[str, Any] = json.loads(_printed(command, "rules", game, "--json"))
    return law


def _printed(command: str, *arguments: str) -> str:
    done = run_to_end([command, *arguments])
    if done.returncode != 0:
        raise ProcessEnded(f"cardshoe {' '.join(arguments)}", done.returncode, done.stderr)
    return done.stdout

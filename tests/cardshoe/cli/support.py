"""The real command, and what the tests of several commands feed it."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner, Result

from cardshoe.cli import main
from tests.kit.forked import CARDSHOE, started

PATIENCE_S: Final = 60.0
"""How long a command may take on a machine that is busy with other tests."""

Line = dict[str, Any]

PROFILE: Final[Line] = {
    "event": "table",
    "table_id": "B-101",
    "game": "baccarat",
    "decks": 8,
    "seats": 7,
    "equipment": "shoe",
    "options": {"rounds_without_wagers": True},
    "authorisations": [],
}
STACK: Final[list[Line]] = [
    {"event": "shuffled", "by": "croupier"},
    {"event": "cut", "by": "player"},
    {"event": "cut_card_placed", "behind": 14},
    {"event": "loaded", "cards": 416},
    *({"event": "card", "card": f"{rank}C"} for rank in "23456789"),
]
"""Shuffle, cut, cut card, load, and one burned card for each of eight decks (art. 2.º-1)."""

ROUND: Final[list[Line]] = [
    {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10000}]},
    {"event": "card", "card": "9H"},
    {"event": "card", "card": "3D"},
    {"event": "card", "card": "KS"},
    {"event": "card", "card": "4C"},
    {"event": "round_closed"},
]
"""Player 9 (a natural) against banker 7."""

GAME: Final = [PROFILE, *STACK, *ROUND]


def cardshoe(
    *arguments: str | Path, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs the installed command as a process, to its end."""
    if environment is None:
        running = started(arguments)
        said, errors = running.communicate(stdin, PATIENCE_S)
        return subprocess.CompletedProcess(arguments, running.wait(), said, errors)
    return subprocess.run(
        [CARDSHOE, *arguments],
        input=stdin,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
        env={**os.environ, **environment},
    )


def invoke(*arguments: str | Path, stdin: bytes = b"") -> Result:
    """Runs the command in this process; an exception that it does not translate fails the test."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def answered(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """As :func:`cardshoe`, in this process: what it says and how it ends, without a start's 0.7 s of CPU."""
    result = invoke(*arguments, stdin=stdin)
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout_bytes, result.stderr_bytes)


def script(path: Path, lines: Sequence[Line | str]) -> Path:
    """Writes a script; a text is written as it stands."""
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def parsed(output: bytes | str) -> list[Line]:
    """The lines of a log."""
    return [json.loads(line) for line in output.splitlines()]

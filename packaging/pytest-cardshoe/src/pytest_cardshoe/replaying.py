"""Recorded table logs as tests: `cardshoe replay` must give the same answers.

`seq` is not compared: a replay numbers outputs only.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import pytest

from pytest_cardshoe.errors import CardshoeFailure, ProcessEnded, ReplayDiffers
from pytest_cardshoe.options import SETTINGS
from pytest_cardshoe.programs import find_command, run_to_end
from pytest_cardshoe.recording import TableLog, table_logs


class Recording(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        """A test per table log."""
        for log in table_logs(self.path):
            yield ReplayedTable.from_parent(self, name=f"{log.test}::{log.table}", log=log)


class ReplayedTable(pytest.Item):
    def __init__(self, *, log: TableLog, **arguments: Any) -> None:  # noqa: ANN401  # pytest's own arguments
        super().__init__(**arguments)
        self.log: Final = log

    def runtest(self) -> None:
        """Replay and compare."""
        command = find_command(self.config.stash[SETTINGS].command)
        done = run_to_end([command, "replay", "-"], stdin="".join(f"{line}\n" for line in self.log.inputs))
        if done.returncode != 0:
            raise ProcessEnded("cardshoe replay", done.returncode, done.stderr)
        compare(self.log.outputs, done.stdout.splitlines())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401  # as pytest has it
        """The difference alone, without traceback."""
        if isinstance(excinfo.value, CardshoeFailure):
            return f"{self.name}: {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The recording and the test."""
        return self.path, None, f"replay of {self.name}"


def compare(recorded: Sequence[str], replayed: Sequence[str]) -> None:
    for number, (then, now) in enumerate(zip_longest(recorded, replayed), start=1):
        if then is None or now is None or _but_for_seq(then) != _but_for_seq(now):
            raise ReplayDiffers(number, then, now)


def _but_for_seq(line: str) -> str:
    return json.dumps({key: value for key, value in json.loads(line).items() if key != "seq"})


def replays(session: pytest.Session, file: Path) -> list[pytest.Item]:
    try:
        return list(Recording.from_parent(session, path=file).collect())
    except CardshoeFailure as error:
        raise pytest.UsageError(f"--cardshoe-replay: {error}") from error

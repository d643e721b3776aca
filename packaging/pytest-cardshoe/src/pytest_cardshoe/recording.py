"""Exchange between test, shoe and table, as JSON lines.

The first line is the run; `source` of the others: `control`, `device`, `table`, `outcome`.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from pytest_cardshoe.errors import RecordingDamaged
from pytest_cardshoe.options import Settings

FORM: Final = 1
_KEYS: Final = {"table": ("test", "table", "kind", "line")}


def begin(file: Path, settings: Settings) -> None:
    head = {"cardshoe_recording": FORM, "seed": settings.seed, "shoe": settings.hardware or "sim"}
    try:
        with file.open("x", encoding="utf-8") as sink:
            sink.write(json.dumps(head) + "\n")
    except FileExistsError as error:
        raise pytest.UsageError(
            f"--cardshoe-record: {file} is there already, and a recording is never overwritten: name another file"
        ) from error
    except OSError as error:
        raise pytest.UsageError(f"--cardshoe-record: {file}: {error.strerror}") from error


class TestRecorder:
    """Records a test's exchange; `file` `None`: no recording."""

    def __init__(self, file: Path | None, test: str) -> None:
        self._file: Final = file
        self._test: Final = test
        self._start_s: Final = time.monotonic()
        self._lines: Final[list[bytes]] = []

    @property
    def is_on(self) -> bool:
        return self._file is not None

    def record(self, fields: Mapping[str, object]) -> None:
        """Record fields."""
        if self.is_on:
            own = {"test": self._test, "t_s": round(time.monotonic() - self._start_s, 6)}
            # `t_s` of a device's event is its own, simulated time.
            line = {**own, **{("at_s" if key == "t_s" else key): value for key, value in fields.items()}}
            self._lines.append(json.dumps(line).encode() + b"\n")

    def finish(self, outcome: str | None) -> None:
        """Append everything in one write: workers of pytest-xdist share the file."""
        if outcome is not None:
            self.record({"source": "outcome", "outcome": outcome})
        if self._file is not None:
            descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND)
            try:
                os.write(descriptor, b"".join(self._lines))
            finally:
                os.close(descriptor)
        self._lines.clear()


@dataclass(slots=True)
class TableLog:
    test: str
    table: str
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)


def table_logs(file: Path) -> Sequence[TableLog]:
    logs: dict[tuple[str, str], TableLog] = {}
    for number, line in _lines(file):
        if line.get("source") != "table":
            continue
        try:
            test, table, kind, text = (str(line[key]) for key in _KEYS["table"])
        except KeyError as error:
            raise RecordingDamaged(str(file), number, f"a line of a table without {error}") from error
        log = logs.setdefault((test, table), TableLog(test, table))
        (log.inputs if kind == "input" else log.outputs).append(text)
    return list(logs.values())


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with file.open("rb") as source:
        for number, text in enumerate(source, start=1):
            try:
                line = json.loads(text)
            except ValueError as error:
                raise RecordingDamaged(str(file), number, f"no JSON ({error})") from error
            if not isinstance(line, dict):
                raise RecordingDamaged(str(file), number, "no JSON object")
            if number == 1 and line.get("cardshoe_recording") != FORM:
                raise RecordingDamaged(str(file), number, f"no recording of form {FORM}")
            yield number, line

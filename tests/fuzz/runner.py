"""Starts the fuzzer for a target, and reads what became of it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.fuzz.catalogue import ROOT
from tests.fuzz.child import BEGUN, ENDED

ONE_INPUT_S: Final = 20
"""Seconds that one input may take: a thousand times what the slowest takes."""
MEMORY_MB: Final = 1024
"""Memory that a process may take: several times what the largest takes."""
GRACE_S: Final = 90
"""Seconds beyond the time asked for until a target counts as stuck: instrumenting, the last input, a busy machine."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108  a file system without a disk: thousands of files are written
_STATUS: Final = re.compile(r"^#\d+\s+(?P<what>INITED|DONE|REDUCE|NEW|pulse)\s+cov: (?P<cov>\d+)", re.MULTILINE)
_RUNS: Final = re.compile(r"^stat::number_of_executed_units:\s+(\d+)", re.MULTILINE)
_KEPT: Final = re.compile(r"(crash|timeout|oom|leak|slow-unit)-[0-9a-f]+")
"""How libFuzzer names an input that it keeps, after the target's name: one target's may begin with another's."""
_COUNTED: Final = re.compile(r"^#(\d+)\s", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long to try; without either, until an input fails.

    Attributes:
        seed: of the mutations, 1 or more: 0 would mean a seed of chance.
        seconds: time for each target.
    """

    seed: int
    seconds: int | None = None
    runs: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of fuzzing a target.

    Attributes:
        failing: the input that failed, None if none did.
    """

    name: str
    runs: int
    edges_of_seeds: int
    edges: int
    failing: Path | None
    log: str
    is_ok: bool


def is_installed() -> bool:
    """True if atheris is there; it has no wheels for every machine."""
    return find_spec("atheris") is not None


def fuzz(name: str, effort: Effort, keep: Path) -> Result:
    """Fuzz one target."""
    return fuzz_together({name: effort.runs}, effort, keep)[0]


def fuzz_together(runs: Mapping[str, int | None], effort: Effort, keep: Path) -> list[Result]:
    """Fuzz targets of one module one after the other, in a process that imports and instruments it once.

    Args:
        effort: how many seconds for each, and with which seed; its own ``runs`` are not looked at.
    """
    keep.mkdir(parents=True, exist_ok=True)
    before = set(keep.iterdir())
    work = Path(tempfile.mkdtemp(prefix="cardshoe-fuzz-", dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None))
    options = {
        "seed": effort.seed,
        "max_total_time": effort.seconds,
        "timeout": ONE_INPUT_S,
        # Inputs of full length from the first run on: what overflows a buffer is long, and the seeds are short.
        "len_control": 0,
        "rss_limit_mb": MEMORY_MB,
        "print_final_stats": 1,
    }
    command = [sys.executable, "-m", "tests.fuzz.child", str(work), str(keep)]
    command += [f"{name}={'' if number is None else number}" for name, number in runs.items()]
    command += [f"-{key}={value}" for key, value in options.items() if value is not None]
    limit_s = None if effort.seconds is None else (effort.seconds + GRACE_S) * len(runs)
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=_environment(work),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit_s,
            check=False,
        )
        said = done.stdout.decode("utf-8", "replace") + f"{ENDED}{done.returncode}\n"
    except subprocess.TimeoutExpired as stuck:
        said = (stuck.stdout or b"").decode("utf-8", "replace") + f"\nstuck after {limit_s} s\n"
    finally:
        shutil.rmtree(work)
    kept = sorted(set(keep.iterdir()) - before)
    logs = said.split(BEGUN)[1:] or [said]  # nothing begun: the module cannot be imported
    logs += ["never begun\n"] * (len(runs) - len(logs))
    return [_result(name, log, kept) for name, log in zip(runs, logs, strict=True)]


def _environment(work: Path) -> dict[str, str]:
    # Coverage would follow into the process and be ten times slower; what guides the fuzzer is its own.
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("COVERAGE_", "COV_"))}
    # Hashes of chance would order sets differently each time, and a seed would not repeat.
    return kept | {"TMPDIR": str(work), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def _result(name: str, log: str, kept: Sequence[Path]) -> Result:
    seen = [(match["what"], int(match["cov"])) for match in _STATUS.finditer(log)]
    first = next((edges for what, edges in seen if what == "INITED"), 0)
    runs = _RUNS.findall(log) or _COUNTED.findall(log) or ["0"]
    failing = next((path for path in kept if _KEPT.fullmatch(path.name.removeprefix(f"{name}-"))), None)
    is_ok = log.endswith(f"{ENDED}0\n") and failing is None
    return Result(name, int(runs[-1]), first, seen[-1][1] if seen else 0, failing, log, is_ok)

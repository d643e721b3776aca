"""Runs ``spin`` over ``link.pml``: all states, or one walk by chance; gives the steps that it took."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MODEL: Final = Path(__file__).with_name("link.pml")
TOOLS: Final = ("spin", "gcc")
MISSING: Final = [tool for tool in TOOLS if shutil.which(tool) is None]
DEPTH: Final = 1_000_000
"""Of the search, steps; its paths are some hundred long."""
MEMORY_MB: Final = 3000


@dataclass(frozen=True, slots=True)
class Search:
    """The result of a search.

    Attributes:
        error: what was violated, or None.
        is_whole: whether nothing was left out.
    """

    states: int
    error: str | None
    steps: list[str]
    is_whole: bool


def search(folder: Path, *, shortest: bool = True, is_large: bool, **settings: int) -> Search:
    """Search every state.

    Args:
        is_large: whether a faster search is worth the 1.5 s that gcc needs to make it so.
    """
    defines = [f"-D{name}={value}" for name, value in settings.items()]
    shutil.copy(MODEL, folder / MODEL.name)
    _run(folder, "spin", *defines, "-a", MODEL.name)
    breadth = ["-DBFS"] if shortest else []
    _run(
        folder,
        "gcc",
        "-O2" if is_large else "-O0",
        "-w",
        "-DSAFETY",
        f"-DMEMLIM={MEMORY_MB}",
        *breadth,
        "-o",
        "pan",
        "pan.c",
    )
    told = _run(folder, "./pan", f"-m{DEPTH}")
    states = re.search(r"^ *(\d+) states, stored", told, re.MULTILINE)
    error = re.search(r"^pan:1: (.*)$", told, re.MULTILINE)
    trail = folder / f"{MODEL.name}.trail"
    steps = _steps(_run(folder, "spin", *defines, "-t", MODEL.name)) if trail.exists() else []
    is_whole = "Search not completed" not in told and "max search depth too small" not in told
    return Search(int(states[1]) if states else 0, error[1] if error else None, steps, is_whole)


def walk(folder: Path, seed: int, **settings: int) -> list[str]:
    """Take one way by chance through the model."""
    defines = [f"-D{name}={value}" for name, value in settings.items()]
    return _steps(_run(folder, "spin", *defines, f"-n{seed}", "-u20000", str(MODEL)))


def _steps(told: str) -> list[str]:
    return [line.strip().removeprefix("STEP ") for line in told.splitlines() if line.strip().startswith("STEP ")]


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout

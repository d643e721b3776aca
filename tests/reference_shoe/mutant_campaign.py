"""Mistakes put into the C of the reference shoe, each of which the suite of TDP must fail.

`python -m tests.reference_shoe.mutant_campaign --made 100 --seed 1` runs them in virtual time, on one core. It prints
each survivor: either a check is missing, or no host can tell the mutant from the shoe.
"""

import argparse
import math
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from cardshoe.cli.sim.virtual import bench_of
from cardshoe.process.progress import watched
from conformance.check_result import CheckResult, CheckStatus
from conformance.runner import run_suite
from tests.conformance.suites import suite
from tests.reference_shoe.building import FOLDER
from tests.reference_shoe.given_time import FirmwareFar, GivenTime

FILES: Final = ("link", "frame", "message", "commands", "memory", "shoe", "device")
"""Of `core`: what a host can notice."""
FLAGS: Final = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-w")
POWER: Final = FOLDER / "tests" / "power_bench.c"
"""Sees what no host can: a power cut behind each byte."""
HANG_S: Final = 120.0
"""A whole run takes some seconds; a mutant that takes so long will not end."""
SETTINGS: Final = {"security": "plain"}
SEED: Final = 20261128

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_NO_STATEMENT: Final = "return|break|case|default|enum|struct|const|static"
_STATEMENT: Final = re.compile(rf"^ +(?!(?:{_NO_STATEMENT})\b)[\w>.\[\]()*&-]+.*;$")
_SWAPS: Final = (
    (re.compile(r" (==|!=|<=|>=|<|>) "), {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    (re.compile(r" (&&|\|\|) "), {"&&": "||", "||": "&&"}),
    (re.compile(r" ([+-]) "), {"+": "-", "-": "+"}),
    (re.compile(r"(\+\+|--);"), {"++": "--", "--": "++"}),
    (re.compile(r"\b(true|false)\b"), {"true": "false", "false": "true"}),
)
_NUMBER: Final = re.compile(r"(?<![\w.])(0x[0-9A-F]+|\d+)(U?)(?![\w.])")
_NEGATION: Final = re.compile(r"(?<=[(& |])!(?=\w)")


class Mutant(NamedTuple):
    """A change of one place.

    Attributes:
        file: within `core`.
        start: of the place, in the file's text.
        end: of the place.
        after: the text that is put there.
        line: its number, from 1.
        shown: the line before and after, for people.
    """

    file: str
    start: int
    end: int
    after: str
    line: int
    shown: str


class Fate(Enum):
    """The fate of a mutant."""

    FAILED = "failed"
    STOPPED = "stopped"
    SKIPPED_MORE = "skipped more"
    SURVIVED = "survived"
    SAME_CODE = "the same code"
    NO_PROGRAM = "no program"


class Trial(NamedTuple):
    """A mutant that was tried, and the first check that noticed it."""

    mutant: Mutant
    fate: Fate
    by: str = ""


def mutants_of(file: str) -> Iterator[Mutant]:
    """All mutants of a file."""
    source = (FOLDER / "core" / f"{file}.c").read_text(encoding="utf-8")
    text = _COMMENT.sub(lambda found: re.sub(r"\S", " ", found[0]), source)
    offset = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.startswith(("#", "_Static_assert")):
            for start, end, after in _changes(line.rstrip("\n")):
                shown = f"{line[:start]}{after}{line[end:]}".strip() or "(nothing)"
                yield Mutant(file, offset + start, offset + end, after, number, f"{line.strip()}  ->  {shown}")
        offset += len(line)


def _changes(line: str) -> Iterator[tuple[int, int, str]]:
    for pattern, swaps in _SWAPS:
        for found in pattern.finditer(line):
            yield (*found.span(1), swaps[found[1]])
    for found in _NUMBER.finditer(line):
        yield (*found.span(1), str(int(found[1], 0) + 1))
    for found in _NEGATION.finditer(line):
        yield (*found.span(), "")
    if _STATEMENT.match(line):
        begin = len(line) - len(line.lstrip())
        yield begin, len(line), ";"


class Built(NamedTuple):
    """A shoe, and its core under power cuts."""

    shoe: Path
    power: Path


class Workshop:
    """Builds mutants beside the unchanged objects."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._objects: Final = {path: folder / f"{path.parent.name}-{path.stem}.o" for path in (*_sources(), POWER)}
        for source, made in self._objects.items():
            self._compile(source, made)

    def build(self, mutant: Mutant | None) -> Built | Fate:
        """Return the programs, or why there are none."""
        objects = dict(self._objects)
        if mutant is not None:
            source = FOLDER / "core" / f"{mutant.file}.c"
            text = source.read_text(encoding="utf-8")
            changed = self._folder / f"{mutant.file}.c"
            changed.write_text(text[: mutant.start] + mutant.after + text[mutant.end :], encoding="utf-8")
            objects[source] = self._folder / "changed.o"
            if not self._compile(changed, objects[source]):
                return Fate.NO_PROGRAM
            if objects[source].read_bytes() == self._objects[source].read_bytes():
                return Fate.SAME_CODE
        built = Built(self._folder / "shoe", self._folder / "power_bench")
        shoe = [made for source, made in objects.items() if source != POWER]
        power = [made for source, made in objects.items() if source == POWER or source.parent.name == "core"]
        linked = self._link(built.shoe, shoe) and self._link(built.power, power)
        return built if linked else Fate.NO_PROGRAM

    @staticmethod
    def _compile(source: Path, made: Path) -> bool:
        folders = ("-I", str(FOLDER / "core"), "-I", str(FOLDER / "tests"))
        command = ["gcc", *FLAGS, *folders, "-c", str(source), "-o", str(made)]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0

    @staticmethod
    def _link(program: Path, objects: list[Path]) -> bool:
        command = ["gcc", "-o", str(program), *map(str, objects), "-lssl", "-lcrypto"]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0


def _sources() -> list[Path]:
    return sorted(path for part in ("core", "hands", "posix") for path in (FOLDER / part).glob("*.c"))


class _Noticed(Exception):
    """A check did not pass."""


def tried(program: Path, skipped: frozenset[str], seed: int) -> tuple[Fate, str, frozenset[str]]:
    """Run the suite until a check notices the program.

    Args:
        program: the shoe.
        skipped: the checks that the unchanged shoe is not asked; one more that is skipped is no failure of a device.
        seed: of the run.
    """
    seen: list[CheckResult] = []

    def each(result: CheckResult) -> None:
        seen.append(result)
        if result.verdict in {CheckStatus.FAILED, CheckStatus.ERROR}:
            raise _Noticed

    try:
        with GivenTime(program, "--given-time", "--seed", "1") as process:
            watchdog = threading.Timer(HANG_S, process.kill)
            watchdog.start()
            try:
                bench = bench_of(FirmwareFar(process), seed)
                run_suite(suite("tdp"), bench, SETTINGS, port="virtual", seed=seed, started="now", each=each)
            finally:
                watchdog.cancel()
    except _Noticed:
        return Fate.FAILED, seen[-1].name, frozenset()
    except (AssertionError, OSError, ValueError):
        return Fate.STOPPED, seen[-1].name if seen else "", frozenset()
    more = frozenset(result.name for result in seen if result.verdict is CheckStatus.SKIPPED)
    return (Fate.SURVIVED if more <= skipped else Fate.SKIPPED_MORE), "", more


def outlives_power(program: Path) -> bool:
    """True if the core keeps what it must, whenever the power is cut."""
    try:
        return subprocess.run([program], check=False, capture_output=True, timeout=HANG_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def campaign(mutants: list[Mutant], seed: int) -> Iterator[Trial]:
    """Try mutants one after the other.

    Raises:
        RuntimeError: the unchanged shoe does not pass.
    """
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        workshop = Workshop(Path(name))
        unchanged = workshop.build(None)
        if isinstance(unchanged, Fate):
            raise RuntimeError("the unchanged shoe cannot be built: see `make -C reference/shoe posix`")  # noqa: TRY004  no type is wrong
        fate, by, skipped = tried(unchanged.shoe, frozenset(), seed)
        if fate not in {Fate.SURVIVED, Fate.SKIPPED_MORE} or not outlives_power(unchanged.power):
            raise RuntimeError(f"the unchanged shoe: {fate.value} {by}")
        for mutant in mutants:
            built = workshop.build(mutant)
            yield Trial(mutant, built) if isinstance(built, Fate) else _fate(mutant, built, skipped, seed)


def _fate(mutant: Mutant, built: Built, skipped: frozenset[str], seed: int) -> Trial:
    fate, by, _more = tried(built.shoe, skipped, seed)
    if fate in {Fate.SURVIVED, Fate.SKIPPED_MORE} and not outlives_power(built.power):
        return Trial(mutant, Fate.FAILED, POWER.stem)
    return Trial(mutant, fate, by)


def main() -> int:
    """Try some; return 0 if all were noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--made", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no further one after so long")
    parser.add_argument("--file", choices=FILES, action="append")
    given = parser.parse_args()
    if shutil.which("gcc") is None:
        sys.stderr.write("mutants need gcc and OpenSSL's headers (Debian: gcc, libssl-dev)\n")
        return 2
    possible = [mutant for file in given.file or FILES for mutant in mutants_of(file)]
    chosen = Random(given.seed).sample(possible, min(given.made, len(possible)))
    fates: Counter[Fate] = Counter()
    end_s = time.monotonic() + 60 * given.minutes
    for trial in watched("mutants", campaign(chosen, given.seed), len(chosen), unit="mutants", prints=True):
        fates[trial.fate] += 1
        if trial.fate in {Fate.SURVIVED, Fate.SKIPPED_MORE}:
            mutant = trial.mutant
            print(f"{trial.fate.value}: core/{mutant.file}.c:{mutant.line}: {mutant.shown}", flush=True)
        if time.monotonic() > end_s:
            break
    counts = ", ".join(f"{number} {fate.value}" for fate, number in fates.most_common())
    print(f"seed {given.seed}: {fates.total()} of {len(possible)} mutants: {counts}")
    return 1 if fates[Fate.SURVIVED] else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Mistakes put into the second device, each of which the suite of TDP must fail.

`python -m tests.conformance.mutant_campaign --made 600 --seed 1` runs them in virtual time, on one core. It prints each
survivor that `survivors.txt` does not explain: a check is missing, or no host can tell the mutant from the device.
"""

import argparse
import importlib
import math
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from cardshoe.cli.sim.virtual import bench_of
from cardshoe.process.progress import watched
from conformance.check_result import CheckResult, CheckStatus
from conformance.runner import run_suite
from tests.conformance.suites import suite
from tests.mutants.finding import REPOSITORY, mutants_of
from tests.mutants.mutant import Mutant
from tests.mutants.trial import MutantFinder

DEVICE: Final = REPOSITORY / "tests" / "second_device"
FILES: Final = ("framing", "link", "session", "stream", "messages", "outbox", "mechanism", "device", "station")
"""Parts in which a host can notice a mistake."""
CPU_S: Final = 20
"""A whole run takes a second; a mutant that takes so long will not end."""
MEMORY_BYTES: Final = 2 << 30
SEED: Final = 20261128
SURVIVORS: Final = Path(__file__).parent / "survivors.txt"


BESIDES: Final = ("sim.hands", "sim.bee_tek.hands", "sim.tdp.control", "sim.tdp.hands", "sim.wires.direct")
"""Modules that every child needs and no mutant changes."""


class Fate(Enum):
    """The fate of a mutant."""

    FAILED = "failed"
    STOPPED = "stopped"
    SKIPPED_MORE = "skipped more"
    EXPLAINED = "survived, explained"
    SURVIVED = "survived"


class Trial(NamedTuple):
    """A mutant that was tried, and the first check that noticed it."""

    mutant: Mutant | None
    fate: Fate
    told: str = ""


class _Noticed(Exception):
    """A check did not pass."""


def all_mutants(files: tuple[str, ...] = FILES) -> list[Mutant]:
    """Every mutant of the second device, or of some of its files."""
    return [mutant for file in files for mutant in mutants_of(DEVICE / f"{file}.py")]


def identity_of(mutant: Mutant) -> str:
    """How `survivors.txt` names a mutant."""
    return f"{Path(mutant.file).stem} | {mutant.where} | {mutant.before} -> {mutant.after}"


def explained() -> dict[str, str]:
    """The reason of each survivor that no host can tell from the device."""
    lines = [line for line in SURVIVORS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {mutant.strip(): reason.strip() for mutant, _, reason in (line.rpartition(" | ") for line in lines)}


def tried(mutant: Mutant | None, seed: int) -> Trial:
    """Run the suite in a child process until a check notices the mutant; None: the device as it is."""
    reads, writes = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reads)
        _limit()
        told = b"stopped|"
        try:
            told = "|".join(_run(mutant, seed)).encode()
        except BaseException as error:  # noqa: BLE001  a mutant breaks in any way
            told += type(error).__name__.encode()
        finally:
            os.write(writes, told)
            os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        word, _, told_text = pipe.read().decode().partition("|")
    os.waitpid(pid, 0)
    return Trial(mutant, Fate(word or Fate.STOPPED.value), told_text)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _run(mutant: Mutant | None, seed: int) -> tuple[str, str]:
    if mutant is not None:
        sys.meta_path.insert(0, MutantFinder(mutant))
    for name in [one for one in sys.modules if one.startswith(("tests.second_device", "tests.conformance.virtual"))]:
        del sys.modules[name]  # the device is imported again, with the mistake in it
    virtual = importlib.import_module("tests.conformance.virtual")
    seen: list[CheckResult] = []

    def each(result: CheckResult) -> None:
        seen.append(result)
        if result.verdict in {CheckStatus.FAILED, CheckStatus.ERROR}:
            raise _Noticed

    try:
        bench = bench_of(virtual.second_device(seed), seed)
        run_suite(suite("tdp"), bench, {"security": "plain"}, port="virtual", seed=seed, started="now", each=each)
    except _Noticed:
        return Fate.FAILED.value, seen[-1].name
    return Fate.SURVIVED.value, " ".join(one.name for one in seen if one.verdict is CheckStatus.SKIPPED)


def campaign(mutants: list[Mutant], seed: int) -> Iterator[Trial]:
    """Try mutants one after the other.

    Raises:
        RuntimeError: the unchanged device does not pass.
    """
    for name in BESIDES:
        importlib.import_module(name)
    right = tried(None, seed)
    if right.fate is not Fate.SURVIVED:
        raise RuntimeError(f"the unchanged second device {right.fate.value}: {right.told}")
    reasons = explained()
    for mutant in mutants:
        trial = tried(mutant, seed)
        if trial.fate is not Fate.SURVIVED:
            yield trial
        elif not set(trial.told.split()) <= set(right.told.split()):
            yield trial._replace(fate=Fate.SKIPPED_MORE)
        else:
            reason = reasons.get(identity_of(mutant), "")
            yield Trial(mutant, Fate.EXPLAINED if reason else Fate.SURVIVED, reason)


def main() -> int:
    """Try some; return 0 if all were noticed or are explained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--made", type=int, default=600, help="how many")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no further one after so long")
    parser.add_argument("--file", choices=FILES, action="append")
    given = parser.parse_args()
    possible = all_mutants(tuple(given.file or FILES))
    chosen = random.Random(given.seed).sample(possible, min(given.made, len(possible)))
    fates: Counter[Fate] = Counter()
    end_s = time.monotonic() + 60 * given.minutes
    for trial in watched("mutants", campaign(chosen, given.seed), len(chosen), unit="mutants", prints=True):
        fates[trial.fate] += 1
        if trial.fate in {Fate.SURVIVED, Fate.SKIPPED_MORE} and trial.mutant is not None:
            print(f"{trial.fate.value}: {identity_of(trial.mutant)}", flush=True)
        if time.monotonic() > end_s:
            break
    counts = ", ".join(f"{number} {fate.value}" for fate, number in fates.most_common())
    print(f"seed {given.seed}: {fates.total()} of {len(possible)} mutants: {counts}")
    return 1 if fates[Fate.SURVIVED] else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Mistakes in the second device: each trial is a child process that imports the device with the mistake in it."""

import importlib
import os
import random
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.conformance.mutant_trial import Fate, Trial, asked, numbered
from tests.mutants.finding import REPOSITORY, mutants_of
from tests.mutants.mutant import Mutant
from tests.mutants.trial import MutantFinder

DEVICE: Final = REPOSITORY / "tests" / "second_device"
FILES: Final = ("framing", "link", "session", "stream", "messages", "outbox", "mechanism", "device", "station")
"""Parts in which a host can notice a mistake."""
CPU_S: Final = 20
"""A whole run takes a second; a mutant that takes so long will not end."""
MEMORY_BYTES: Final = 2 << 30
BESIDES: Final = ("sim.hands", "sim.bee_tek.hands", "sim.tdp.control", "sim.tdp.hands", "sim.wires.direct")
"""Modules that every child needs and no mutant changes."""


class SecondDevice:
    """The second device, in Python."""

    sources: Final = [DEVICE / f"{file}.py" for file in FILES]

    def mutants(self) -> dict[str, Mutant]:
        return numbered((name_of(mutant), mutant) for path in self.sources for mutant in mutants_of(path))

    def tried(self, mutant: Mutant | None, seed: int) -> Trial:
        reads, writes = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reads)
            _limit()
            told = Trial(Fate.STOPPED)
            try:
                told = _run(mutant, seed)
            except BaseException as error:  # noqa: BLE001  a mutant breaks in any way
                told = Trial(Fate.STOPPED, type(error).__name__)
            finally:
                os.write(writes, "|".join((told.fate.value, told.by, " ".join(told.skipped))).encode())
                os._exit(0)
        os.close(writes)
        with os.fdopen(reads, "rb") as pipe:
            fate, by, skipped = (pipe.read().decode() or f"{Fate.STOPPED.value}|time or memory|").split("|")
        os.waitpid(pid, 0)
        return Trial(Fate(fate), by, frozenset(skipped.split()))


def name_of(mutant: Mutant) -> str:
    """How results and `survivors.txt` name a mutant."""
    return f"{Path(mutant.file).stem} | {mutant.where} | {mutant.before} -> {mutant.after}"


@contextmanager
def make() -> Iterator[SecondDevice]:
    """Import what no mutant changes, once for all children."""
    for name in BESIDES:
        importlib.import_module(name)
    yield SecondDevice()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _run(mutant: Mutant | None, seed: int) -> Trial:
    if mutant is not None:
        sys.meta_path.insert(0, MutantFinder(mutant))
    for name in [one for one in sys.modules if one.startswith(("tests.second_device", "tests.conformance.virtual"))]:
        del sys.modules[name]  # the device is imported again, with the mistake in it
    virtual = importlib.import_module("tests.conformance.virtual")
    memory = virtual.Outbox(None, keeps_events=True)  # it outlives a power cut as the process does
    return asked(virtual.SecondFar(virtual.SecondStation(memory, random.Random(seed))), seed)

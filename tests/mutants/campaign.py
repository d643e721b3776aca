"""Tries mutants side by side, each in a child of this process, and keeps what came of them."""

import hashlib
import json
import math
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutants.finding import LAW, REPOSITORY
from tests.mutants.mutant import Mutant
from tests.mutants.part import TESTS, Check, Part
from tests.mutants.trial import SURVIVED, begin

KEPT: Final = REPOSITORY / ".cache" / "mutants"
MINE: Final = Path(__file__).parent
READ: Final = 4096
LAW_CPU_S: Final = 120
"""CPU time that all checks may take on the law without a mistake, on the slowest machine."""
TIMES_THE_LAW: Final = 4
"""How much more a mutant may take than the law as it stands: an endless loop ends here, on a slow machine too."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict on a mutant.

    Attributes:
        by: the check that did; empty where the child was stopped for its time or memory.
    """

    survived: bool
    by: str
    cpu_s: float


class Disturbed(Exception):
    """The law under the mutants has changed, or fails by itself."""


class Results:
    """Verdicts on mutants of the law as it stands, by their names; kept on the disk line by line.

    Args:
        edition: a name for the law, its tests and this tool as they stand; a hash of their files if left out.
    """

    def __init__(self, folder: Path, edition: Callable[[], str] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._now: Final = edition or _edition
        self._edition: Final = self._now()
        self._path: Final = folder / f"{self._edition}.jsonl"
        self.found: Final[dict[str, Verdict]] = {}
        if self._path.is_file():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                if line.endswith("}"):  # the last one may be torn
                    name, *fields = json.loads(line).values()
                    self.found[name] = Verdict(**dict(zip(("survived", "by", "cpu_s"), fields, strict=True)))

    def keep(self, mutant: Mutant, verdict: Verdict) -> None:
        """Takes down what came of a mutant.

        Raises:
            Disturbed: a file was changed since the run began, so that it may have been noticed by that.
        """
        if self._now() != self._edition:
            raise Disturbed("a file of the law, its tests or this tool changed while mutants were tried: run it again")
        self.found[mutant.name] = verdict
        line = {"name": mutant.name, "survived": verdict.survived, "by": verdict.by, "cpu_s": round(verdict.cpu_s, 3)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class Orders:
    """In which order checks are run on a mutant: first those that killed its neighbours, then its own game's."""

    def __init__(self, part: Part, seed: int) -> None:
        shuffled = list(part.cases)
        random.Random(seed).shuffle(shuffled)
        self._cases: Final = shuffled
        self._tests: Final = part.tests
        self._by_name: Final = {f"{one.module}: {one.name}: {one.number}": one for one in part.checks}
        self._killers: Final[defaultdict[str, dict[Check, int]]] = defaultdict(dict)

    def of(self, mutant: Mutant) -> list[Check]:
        """The order for a mutant; every check is in it once."""
        killers = self._killers[mutant.file]
        near = sorted(killers, key=lambda check: abs(killers[check] - mutant.line))
        parts = mutant.file.split("/")
        own = [case for case in self._cases if case.module in parts]
        rest = [case for case in self._cases if case.module not in parts]
        return list(dict.fromkeys((*near[:40], *own, *near, *self._tests, *rest)))

    def hear(self, mutant: Mutant, verdict: Verdict) -> None:
        """Learns what killed a mutant."""
        check = self._by_name.get(verdict.by)
        if check is not None:
            self._killers[mutant.file][check] = mutant.line


def try_all(
    mutants: Sequence[Mutant],
    part: Part,
    results: Results,
    *,
    seed: int,
    jobs: int,
    until: float | None = None,
    tell: Callable[[Mutant, Verdict], None] = lambda _mutant, _verdict: None,
) -> None:
    """Tries mutants of which nothing is known yet.

    Raises:
        Disturbed: the law itself is not well, or something changed under way.
    """
    cpu_s = math.ceil(TIMES_THE_LAW * _try_the_law_itself(part))
    orders = Orders(part, seed)
    running: dict[int, tuple[Mutant, int]] = {}
    for mutant in mutants:
        if until is not None and time.monotonic() > until:
            break
        while len(running) >= jobs:
            _end_one(running, results, orders, tell)
        pid, reads = begin(mutant, part, orders.of(mutant), cpu_s)
        running[pid] = mutant, reads
    while running:
        _end_one(running, results, orders, tell)


def _try_the_law_itself(part: Part) -> float:
    pid, reads = begin(None, part, part.checks, LAW_CPU_S)
    _, status, usage = os.wait4(pid, 0)
    by = os.read(reads, READ).decode()
    os.close(reads)
    if os.waitstatus_to_exitcode(status) != SURVIVED:
        raise Disturbed(f"the law without a mistake fails: {by or 'stopped for its time or memory'}")
    return usage.ru_utime + usage.ru_stime


def _end_one(
    running: dict[int, tuple[Mutant, int]],
    results: Results,
    orders: Orders,
    tell: Callable[[Mutant, Verdict], None],
) -> None:
    pid, status, usage = os.wait4(-1, 0)
    mutant, reads = running.pop(pid)
    by = os.read(reads, READ).decode()
    os.close(reads)
    cpu_s = usage.ru_utime + usage.ru_stime
    verdict = Verdict(survived=os.waitstatus_to_exitcode(status) == SURVIVED, by=by, cpu_s=cpu_s)
    results.keep(mutant, verdict)
    orders.hear(mutant, verdict)
    tell(mutant, verdict)


def sample(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    """So many of the mutants, of every file and operator in proportion and at least one; in the order of the files."""
    if size >= len(mutants):
        return list(mutants)
    strata: defaultdict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        strata[mutant.file, mutant.operator].append(mutant)
    chance = random.Random(seed)
    chosen: list[Mutant] = []
    rest: list[Mutant] = []
    for stratum in strata.values():
        chance.shuffle(stratum)
        share = max(1, len(stratum) * size // len(mutants))
        chosen += stratum[:share]
        rest += stratum[share:]
    chosen = chance.sample(chosen, size) if len(chosen) > size else chosen + chance.sample(rest, size - len(chosen))
    return sorted(chosen, key=lambda one: (one.file, one.line, one.edit.start, one.operator, one.after))


def _edition() -> str:
    told = hashlib.sha256()
    for path in sorted(_read_by_trials()):
        told.update(path.relative_to(REPOSITORY).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return told.hexdigest()[:16]


def _read_by_trials() -> Iterator[Path]:
    yield from LAW.rglob("*.py")
    yield from TESTS.rglob("*.py")
    yield from TESTS.rglob("*.case")
    yield from (REPOSITORY / "cardshoe" / "table" / "rules").glob("*.py")
    yield from (REPOSITORY / "docs" / "regulations").glob("*.md")
    yield from (MINE / name for name in ("part.py", "trial.py"))

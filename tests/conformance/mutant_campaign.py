"""Mistakes put into a device, each of which the suite of TDP must fail.

`python -m tests.conformance.mutant_campaign --made 600 --seed 1` puts them into the second device, with
`--device shoe` into the C of the reference shoe; both run in virtual time, on one core. It prints each survivor that
`survivors.txt` does not explain: a check is missing, or no host can tell the mutant from the device.

Fates are kept in `.cache`: a run that was stopped continues. A mutant that a check has failed is not tried again when
checks are added; a survivor is.
"""

import argparse
import hashlib
import importlib
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from cardshoe.process.progress import watched
from tests.conformance.mutant_trial import NO_MUTANT, NOTICED, OPEN, Breakable, Fate, Trial, unnumbered
from tests.kit.campaign import CampaignCommand
from tests.mutants.finding import REPOSITORY

KEPT: Final = REPOSITORY / ".cache" / "tdp-mutants"
SEED: Final = 20261128
SURVIVORS: Final = Path(__file__).parent / "survivors.txt"
_SUITE: Final = ("conformance", "protocols/tdp")


def explained() -> dict[str, str]:
    """The reason of each survivor that no host can tell from the device."""
    lines = [line for line in SURVIVORS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {mutant.strip(): reason.strip() for mutant, _, reason in (line.rpartition(" | ") for line in lines)}


def patterns_of(name: str) -> tuple[str, str, str]:
    """The names by which `survivors.txt` may mean a mutant: its own, every mutant of its line, and of its place."""
    file, place, change = unnumbered(name).split(" | ", 2)
    return unnumbered(name), f"{file} | {place} | {change.partition(' -> ')[0]} -> *", f"{file} | {place} | *"


class Results:
    """Fates by the names of mutants, kept line by line.

    Args:
        edition: of the device's sources; another one is another file.
        of_suite: the edition of the checks; a survivor of another one is unknown.
    """

    def __init__(self, folder: Path, edition: str, of_suite: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path: Final = folder / f"{edition}.jsonl"
        self._suite: Final = of_suite
        self.found: Final[dict[str, Trial]] = {}
        for line in self._path.read_text(encoding="utf-8").splitlines() if self._path.is_file() else ():
            if line.endswith("}"):  # one where the power went is torn
                kept = json.loads(line)
                trial = Trial(Fate(kept["fate"]), kept["by"])
                if kept["suite"] == of_suite or trial.fate not in OPEN:
                    self.found[kept["name"]] = trial

    def keep(self, name: str, trial: Trial) -> None:
        """Store a fate."""
        self.found[name] = trial
        line = {"name": name, "fate": trial.fate.value, "by": trial.by, "suite": self._suite}
        with self._path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(line))  # behind a line that is torn, too


def edition_of(paths: Iterable[Path], *words: object) -> str:
    """A name for files as they are now."""
    told = hashlib.sha256(repr(words).encode())
    for path in sorted(paths):
        told.update(path.relative_to(REPOSITORY).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return told.hexdigest()[:16]


def campaign(
    device: Breakable, chosen: Iterable[str], seed: int, results: Results | None = None
) -> Iterator[tuple[str, Trial]]:
    """Try mutants one after the other, but for those with a stored fate.

    Raises:
        RuntimeError: the unchanged device does not pass.
    """
    mutants, reasons = device.mutants(), explained()
    right: Trial | None = None
    for name in chosen:
        trial = results.found.get(name) if results else None
        if trial is None:
            right = right or _right(device, seed)
            trial = device.tried(mutants[name], seed)
            if trial.fate is Fate.SURVIVED and not trial.skipped <= right.skipped:
                trial = Trial(Fate.SKIPPED_MORE, " ".join(sorted(trial.skipped - right.skipped)))
            if results:
                results.keep(name, trial)
        reason = next((reasons[one] for one in patterns_of(name) if one in reasons), "") if trial.fate in OPEN else ""
        yield name, Trial(Fate.EXPLAINED, reason) if reason else trial


def _right(device: Breakable, seed: int) -> Trial:
    right = device.tried(None, seed)
    if right.fate is not Fate.SURVIVED:
        raise RuntimeError(f"the unchanged device: {right.fate.value} {right.by}")
    return right


def share_of(fates: Counter[Fate]) -> float:
    """The share of the mutants that the suite failed, of those that it can tell from the device; 1 without any."""
    real = fates.total() - sum(fates[fate] for fate in NO_MUTANT)
    return sum(fates[fate] for fate in NOTICED) / real if real else 1.0


def _device(name: str) -> AbstractContextManager[Breakable]:
    # The C needs gcc: its module is imported only where it is wanted.
    module = {"second": "tests.conformance.second_mutants", "shoe": "tests.reference_shoe.mutants"}[name]
    make: Callable[[], AbstractContextManager[Breakable]] = importlib.import_module(module).make
    return make()


def main(arguments: list[str] | None = None) -> int:
    """Try some; return 0 if each was failed or is explained, 2 if the device cannot be built."""
    command = CampaignCommand("tdp-mutants", __doc__, seed=SEED)
    command.option("--device", choices=("second", "shoe"), default="second")
    command.option("--made", type=int, default=600, help="how many")
    command.option("--minutes", type=float, default=math.inf, help="begin no further one after so long")
    command.option("--results", type=Path, default=KEPT, help="folder of the stored fates")
    given = command.begin(arguments)
    try:
        with _device(given.device) as device:
            return _shown(command, device, given)
    except FileNotFoundError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _shown(command: CampaignCommand, device: Breakable, given: argparse.Namespace) -> int:
    possible = list(device.mutants())
    random.Random(given.seed).shuffle(possible)
    checks = [path for folder in _SUITE for path in (REPOSITORY / folder).rglob("*.py")]
    edition = f"{given.device}-{edition_of(device.sources, given.seed)}"
    results = Results(given.results, edition, edition_of(checks, given.seed))
    fates: Counter[Fate] = Counter()
    chosen = possible[: given.made]
    end_s = time.monotonic() + 60 * given.minutes
    tried = campaign(device, chosen, given.seed, results)
    for name, trial in watched("mutants", tried, len(chosen), unit="mutants", prints=True):
        fates[trial.fate] += 1
        if trial.fate in OPEN:
            command.say(f"{trial.fate.value}: {name}")
        if time.monotonic() > end_s:
            break
    command.list({fate.value: number for fate, number in fates.items()})
    figures = f"tried={fates.total()} of={len(possible)} failed_share={share_of(fates):.4f}"
    return command.end(figures, is_good=not any(fates[fate] for fate in OPEN))


if __name__ == "__main__":
    raise SystemExit(main())

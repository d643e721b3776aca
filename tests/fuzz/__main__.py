"""``python -m tests.fuzz TARGET…`` or ``--all``: coverage-guided fuzzing of everything that reads from outside.

    python -m tests.fuzz --list
    python -m tests.fuzz --all --seconds 60
    python -m tests.fuzz tdp-frames --seconds 600 --seed 7
    python -m tests.fuzz tdp-frames --repeat .fuzz/tdp-frames-crash-…

Each target runs in a process of its own. An input that fails is kept, and shown with how to repeat it. The last line is
for programs; the exit code is 1 if a target failed.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

from cardshoe.process.progress import Progress
from tests.fuzz import catalogue
from tests.fuzz.runner import Effort, Result, fuzz, is_installed

SEED: Final = 20261121
SECONDS: Final = 30
KEEP: Final = catalogue.ROOT / ".fuzz"
_LAST_LINES: Final = 30
"""Lines of a failed target's log that are shown: the traceback and libFuzzer's words on the input."""


def main() -> int:
    """Does what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="make fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="which; see --list")
    parser.add_argument("--all", action="store_true", help="every target")
    parser.add_argument("--list", action="store_true", help="name the targets")
    parser.add_argument("--seconds", type=int, help=f"time for each target (default {SECONDS} without --runs)")
    parser.add_argument("--runs", type=int, help="inputs for each target")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the mutations, 1 or more (default {SEED})")
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder for inputs that fail (default .fuzz)")
    parser.add_argument("--repeat", type=Path, metavar="FILE", help="try this one input at TARGET, without the fuzzer")
    arguments = parser.parse_args()
    names = list(catalogue.MODULES) if arguments.all else arguments.targets
    unknown = [name for name in names if name not in catalogue.MODULES | catalogue.CONTROLS]
    if arguments.list:
        print("\n".join(catalogue.MODULES), flush=True)
        return 0
    if unknown or not names or arguments.seed < 1:
        parser.error(f"no such target: {', '.join(unknown)}" if unknown else "give a target or --all; a seed from 1 on")
    if arguments.repeat is not None:
        for name in names:
            catalogue.target(name).check(arguments.repeat.read_bytes())
        print(f"{', '.join(names)}: nothing wrong with {arguments.repeat}", flush=True)
        return 0
    if not is_installed():
        print("atheris is not installed: it has no wheel for this Python or machine", flush=True)
        return 2
    seconds = arguments.seconds if arguments.seconds or arguments.runs else SECONDS
    effort = Effort(seed=arguments.seed, seconds=seconds, runs=arguments.runs)
    results = []
    with Progress("fuzz", len(names), unit="targets") as bar:
        for name in names:
            result = fuzz(name, effort, arguments.keep.resolve())
            bar.clear()
            results.append(_told(result))
            bar.step()
    failures = sum(not result.is_ok for result in results)
    print(f"fuzz: targets={len(results)} runs={sum(result.runs for result in results)} failures={failures}", flush=True)
    return 1 if failures else 0


def _told(result: Result) -> Result:
    new = result.edges - result.edges_of_seeds
    words = "ok" if result.is_ok else "FAILED"
    print(
        f"{result.name:20} {result.runs:9} runs   {result.edges:5} edges, {new:4} beyond the seeds   {words}",
        flush=True,
    )
    if not result.is_ok:
        print("\n".join(result.log.splitlines()[-_LAST_LINES:]), flush=True)
        if result.failing is not None:
            print(f"repeat it: python -m tests.fuzz {result.name} --repeat {result.failing}", flush=True)
    return result


if __name__ == "__main__":
    sys.exit(main())

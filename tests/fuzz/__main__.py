"""``python -m tests.fuzz TARGET…`` or ``--all``: coverage-guided fuzzing of everything that reads from outside.

    python -m tests.fuzz --list
    python -m tests.fuzz --all --seconds 60
    python -m tests.fuzz tdp-frames --seconds 600 --seed 7
    python -m tests.fuzz tdp-frames --repeat .fuzz/tdp-frames-crash-…

Each target runs in a process of its own. An input that fails is kept, and shown with how to repeat it. The last line is
for programs; the exit code is 1 if a target failed.
"""

import sys
from pathlib import Path
from typing import Final

from cardshoe.process.progress import Progress
from tests.fuzz import catalogue
from tests.fuzz.runner import Effort, Result, fuzz, is_installed
from tests.kit.campaign import CampaignCommand

SECONDS: Final = 30
KEEP: Final = catalogue.ROOT / ".fuzz"
_LAST_LINES: Final = 30
"""Lines of a failed target's log that are shown: the traceback and libFuzzer's words on the input."""


def main() -> int:
    """Does what the command line asks for."""
    command = CampaignCommand("fuzz", __doc__)
    command.option("targets", nargs="*", metavar="TARGET", help="which; see --list")
    command.option("--all", action="store_true", help="every target")
    command.option("--list", action="store_true", help="name the targets")
    command.option("--seconds", type=int, help=f"time for each target (default {SECONDS} without --runs)")
    command.option("--runs", type=int, help="inputs for each target")
    command.option("--keep", type=Path, default=KEEP, help="folder for inputs that fail (default .fuzz)")
    command.option("--repeat", type=Path, metavar="FILE", help="try this one input at TARGET, without the fuzzer")
    arguments = command.begin()
    names = list(catalogue.MODULES) if arguments.all else arguments.targets
    unknown = [name for name in names if name not in catalogue.MODULES | catalogue.CONTROLS]
    if arguments.list:
        command.say("\n".join(catalogue.MODULES))
        return 0
    if unknown or not names or arguments.seed < 1:
        command.refuse(
            f"no such target: {', '.join(unknown)}" if unknown else "give a target or --all; a seed from 1 on"
        )
    if arguments.repeat is not None:
        for name in names:
            catalogue.target(name).check(arguments.repeat.read_bytes())
        command.say(f"{', '.join(names)}: nothing wrong with {arguments.repeat}")
        return 0
    if not is_installed():
        command.say("atheris is not installed: it has no wheel for this Python or machine")
        return 2
    seconds = arguments.seconds if arguments.seconds or arguments.runs else SECONDS
    effort = Effort(seed=arguments.seed, seconds=seconds, runs=arguments.runs)
    results = []
    with Progress("fuzz", len(names), unit="targets") as bar:
        for name in names:
            result = fuzz(name, effort, arguments.keep.resolve())
            bar.clear()
            results.append(result)
            _tell(command, result)
            bar.step()
    failures = sum(not result.is_ok for result in results)
    figures = f"targets={len(results)} runs={sum(result.runs for result in results)} failures={failures}"
    return command.end(figures, is_good=not failures)


def _tell(command: CampaignCommand, result: Result) -> None:
    new = result.edges - result.edges_of_seeds
    words = "ok" if result.is_ok else "FAILED"
    command.say(f"{result.name:20} {result.runs:9} runs   {result.edges:5} edges, {new:4} beyond the seeds   {words}")
    if not result.is_ok:
        command.say("\n".join(result.log.splitlines()[-_LAST_LINES:]))
        if result.failing is not None:
            command.say(f"repeat it: python -m tests.fuzz {result.name} --repeat {result.failing}")


if __name__ == "__main__":
    sys.exit(main())

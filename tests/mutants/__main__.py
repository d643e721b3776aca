"""``make mutants``: mistakes put into the law, which the tests marked ``law`` must notice."""

import itertools
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from cardshoe.process.progress import Progress, is_for_a_person
from tests.kit.campaign import CampaignCommand
from tests.mutants import equivalents
from tests.mutants.campaign import KEPT, Disturbed, Results, Verdict, sample, try_all
from tests.mutants.changes import changed_files
from tests.mutants.finding import REPOSITORY, all_mutants
from tests.mutants.mutant import Mutant
from tests.mutants.part import Part, forget_the_law

SEED: Final = 20261122
MADE: Final = 1800
LEAST_SHARE: Final = 0.99
SHORT_S: Final = 45
"""Seconds after which the short form begins no further mutant."""


TOLD_EVERY: Final = 100


def main(arguments: Sequence[str] | None = None, make: Callable[[], Part] = Part) -> int:
    """Tries them; the last line is for programs. Fails for a survivor that `docs/mutants.md` does not explain.

    Args:
        make: makes the checks, where a mutant waits for them.
    """
    command = _command()
    given = command.begin(arguments)
    began_s = time.monotonic()
    files = None
    if given.changed is not None:
        files = changed_files(given.changed)
        if not files:
            command.say("no file of regulations has changed")
            return 0
    elif given.files:
        files = [REPOSITORY / name for name in given.files]
    possible = [one for one in all_mutants(files) if given.operator in (None, one.operator)]
    chosen = sample(possible, given.made or len(possible), given.seed)
    if given.list:
        command.say("\n".join(map(str, chosen)))
        return 0
    results = Results(given.results)
    waiting = [one for one in chosen if one.name not in results.found]
    command.say(f"{len(chosen)} of {len(possible)} mutants, {len(waiting)} to try")
    if waiting:
        part = make()
        forget_the_law()
        until = began_s + SHORT_S if given.changed is not None else None
        bar = Progress("mutants", len(waiting), unit="mutants")
        tell = _teller(bar, verbose=given.verbose)
        try:
            with bar:
                try_all(waiting, part, results, seed=given.seed, jobs=given.jobs, until=until, tell=tell)
        except Disturbed as error:
            command.say(f"mutants: {error}")
            return 1
    return _report([one for one in chosen if one.name in results.found], results, command)


def _report(tried: list[Mutant], results: Results, command: CampaignCommand) -> int:
    verdicts = [results.found[one.name] for one in tried]
    known = equivalents.read()
    alive = [one for one in tried if results.found[one.name].survived]
    unknown = [one for one in alive if one.content not in known]
    command.say("")
    for one in unknown:
        command.say(f"survived: {one}")
    killed = len(tried) - len(alive)
    share = killed / len(tried) if tried else 1.0
    longest_s = max((one.cpu_s for one in verdicts), default=0)
    return command.end(
        f"made={len(tried)} killed={killed} survived={len(unknown)} equivalent={len(alive) - len(unknown)} "
        f"killed_share={share:.4f} trials_cpu_s={sum(one.cpu_s for one in verdicts):.0f} longest_cpu_s={longest_s:.1f}",
        is_good=not unknown and (len(tried) < MADE or share >= LEAST_SHARE),
    )


def _teller(bar: Progress, *, verbose: bool) -> Callable[[Mutant, Verdict], None]:
    """Tells that the work goes on; ``verbose``: and what noticed each mutant."""
    count = itertools.count(1)

    def tell(mutant: Mutant, verdict: Verdict) -> None:
        if verbose:
            bar.clear()
            print(f"{'survived' if verdict.survived else 'killed'} {verdict.cpu_s:.2f} s: {mutant} [{verdict.by}]")
        if is_for_a_person(sys.stderr):
            bar.step()
        elif not next(count) % TOLD_EVERY:
            print(".", end="", flush=True)

    return tell


def _command() -> CampaignCommand:
    command = CampaignCommand("mutants", __doc__, seed=SEED)
    command.option("files", nargs="*", help="files of regulations; all if left out")
    command.option("--made", type=int, default=MADE, help="how many mutants are made; 0: all that can be")
    command.option("--jobs", type=int, default=os.cpu_count() or 1)
    command.option("--results", type=Path, default=KEPT, help="the folder in which results are kept")
    command.option("--operator", help="only mutants of this kind")
    command.option("--list", action="store_true", help="list the mutants, try none")
    command.option("--verbose", action="store_true", help="tell of each mutant what noticed it")
    command.option(
        "--changed",
        nargs="?",
        const="",
        metavar="BASE",
        help="only files changed since a revision; for a minute at most",
    )
    return command


if __name__ == "__main__":
    sys.exit(main())

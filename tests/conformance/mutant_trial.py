"""One trial of a device with a mistake in it: the suite of TDP until a check fails."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from cardshoe.cli.sim.virtual import Far, bench_of
from conformance.check_result import CheckResult, CheckStatus
from conformance.runner import chosen, run_suite
from tests.conformance.suites import suite

PLAIN: Final[Mapping[str, object]] = MappingProxyType({"security": "plain"})
_NUMBER: Final = " | again "


class Fate(Enum):
    """The fate of a mutant."""

    FAILED = "failed"
    STOPPED = "stopped"
    SKIPPED_MORE = "skipped more"
    EXPLAINED = "survived, explained"
    SURVIVED = "survived"
    SAME_CODE = "the same code"
    NO_PROGRAM = "no program"


NOTICED: Final = frozenset({Fate.FAILED, Fate.STOPPED})
NO_MUTANT: Final = frozenset({Fate.EXPLAINED, Fate.SAME_CODE, Fate.NO_PROGRAM})
"""Fates of mutants that no suite can tell from the device."""
OPEN: Final = frozenset({Fate.SURVIVED, Fate.SKIPPED_MORE})


class Trial(NamedTuple):
    """The outcome of a trial.

    Attributes:
        by: the first check that failed, or the reason.
        skipped: the checks that were skipped, if none failed.
    """

    fate: Fate
    by: str = ""
    skipped: frozenset[str] = frozenset()


class Breakable(Protocol):
    """A device into which mistakes are put."""

    @property
    def sources(self) -> list[Path]:
        """The files with the mistakes."""

    def mutants(self) -> Mapping[str, Any]:
        """Every mutant by its name: file, place, line before and after."""

    def tried(self, mutant: Any, seed: int, /) -> Trial:  # noqa: ANN401  each device has mutants of its own kind
        """Try a mutant; None: the device as it is."""


class Noticed(Exception):
    """A check did not pass."""


def asked(far: Far, seed: int, only: Sequence[str] = (), settings: Mapping[str, object] = PLAIN) -> Trial:
    """Run checks against a device until one fails.

    Args:
        only: checks and groups in the order in which they are tried; the whole suite in its own if empty.
    """
    whole = suite("tdp")
    checks = [check for name in only for check in chosen(whole, [name])] or whole.checks
    seen: list[CheckResult] = []

    def each(result: CheckResult) -> None:
        seen.append(result)
        if result.verdict in {CheckStatus.FAILED, CheckStatus.ERROR}:
            raise Noticed

    try:
        part = replace(whole, checks=checks)
        run_suite(part, bench_of(far, seed), settings, port="virtual", seed=seed, started="now", each=each)
    except Noticed:
        return Trial(Fate.FAILED, seen[-1].name)
    return Trial(Fate.SURVIVED, "", frozenset(one.name for one in seen if one.verdict is CheckStatus.SKIPPED))


def numbered(mutants: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Mutants by name; those of one name get a number."""
    found: dict[str, Any] = {}
    times: Counter[str] = Counter()
    for name, mutant in mutants:
        times[name] += 1
        found[name if times[name] == 1 else f"{name}{_NUMBER}{times[name]}"] = mutant
    return found


def unnumbered(name: str) -> str:
    """The name without its number."""
    return name.partition(_NUMBER)[0]

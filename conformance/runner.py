"""Runs the checks of a suite one after another, and keeps the results."""

import importlib.metadata
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, Generic

from conformance.bench import Bench, LineTransfer
from conformance.check import ConformanceCheck, R, Rig
from conformance.check_result import (
    CheckBlocked,
    CheckResult,
    CheckSkipped,
    CheckStatus,
    CheckUndone,
    RequirementFailed,
)
from drivers.errors import DriverError
from drivers.serial_port import SerialSettings

LAST_GROUP: Final = "run"

SILENT: Final = "the device is silent"
INTERRUPTED: Final = "interrupted"
STARTED_AT: Final = "started at"
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

BACK_WITHIN_S: Final = 10.0


def suite_version() -> str:
    return f"cardshoe {importlib.metadata.version('cardshoe')}"


@dataclass(frozen=True, slots=True)
class Suite(Generic[R]):
    """The checks of one device family.

    Attributes:
        digest: SHA-256 of the page; a test compares it.
    """

    family: str
    page: str
    digest: str
    checks: Sequence[ConformanceCheck[R]]
    line: Callable[[Mapping[str, object]], SerialSettings]
    rig: Callable[[Bench, Mapping[str, object]], R]
    decoded: Callable[[Sequence[LineTransfer]], Sequence[str]] = lambda _moved: ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceReport:
    """The findings of a run.

    Attributes:
        page: the protocol's page, with its digest.
        started: date and time in ISO 8601, for people; the run does not depend on it.
        signer: name of the signer; empty without one.
        about: adapter, stand, operator and other notes of the person who tried it, and the family's settings.
        total: checks that were to be tried.
        ended: why it ended before that; empty: it did not.
        history: earlier runs of the device, the last first.
        changes: differences from the last of them.
    """

    family: str
    page: str
    port: str
    seed: int
    helper: str
    started: str
    duration_s: float
    identity: Mapping[str, str]
    link: Mapping[str, str]
    results: Sequence[CheckResult] = field(default=())
    suite: str = field(default_factory=suite_version)
    stderr: Sequence[str] = field(default=())
    signer: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    total: int = 0
    ended: str = ""
    history: Sequence[str] = field(default=())
    changes: Sequence[str] = field(default=())

    def count(self, verdict: CheckStatus) -> int:
        return sum(result.verdict is verdict for result in self.results)

    @property
    def good(self) -> bool:
        wrong = self.count(CheckStatus.FAILED) + self.count(CheckStatus.ERROR)
        return bool(self.count(CheckStatus.PASSED)) and not (self.ended or wrong)


def run_suite(  # noqa: PLR0913  one argument per line of the report's head
    suite: Suite[Any],
    bench: Bench,
    settings: Mapping[str, object],
    *,
    port: str,
    seed: int,
    started: str,
    only: Sequence[str] = (),
    first: Collection[str] = (),
    begins: Callable[[ConformanceCheck[Any]], object] = lambda _check: None,
    each: Callable[[CheckResult], None] = lambda _result: None,
    about: Mapping[str, str] = NOTHING,
    done: Sequence[CheckResult] = (),
) -> ConformanceReport:
    """Run a suite's checks on a bench; the port is opened first and closed at the end.

    A device that has sent nothing in its first check ends the run. ``KeyboardInterrupt`` ends it too; the report then
    has the checks before.

    Args:
        only: names of checks; all if empty.
        done: results of an earlier run; these checks are not tried again, but for errors and those that look back.

    Raises:
        DriverError: the port cannot be opened.
        BadSetting: an unknown key or an impossible value.
    """
    rig = suite.rig(bench, settings)
    start_s = bench.now_s()
    checks = sorted(chosen(suite, only), key=lambda one: (_is_last(one), one.name not in first))
    names = {one.name for one in checks if not _is_last(one)}
    results = [one for one in done if one.name in names and one.verdict is not CheckStatus.ERROR]
    total, tried_before = len(checks), len(results)
    checks = [one for one in checks if one.name not in {result.name for result in results}]
    answers: list[int] = []
    back_s = BACK_WITHIN_S
    ended = ""
    bench.open()
    try:
        while len(answers) < len(checks):
            check = checks[len(answers)]
            begins(check)
            try:
                result = _tried(check, rig, back_s, suite.decoded)
            except CheckUndone:
                if not bench.answers:
                    # The answer before this one belongs to an earlier check.
                    del answers[max((at for at, count in enumerate(answers) if count), default=len(answers)) :]
                    del results[tried_before + len(answers) :]
                continue
            if len(checks) > 1 and not answers and result.verdict is CheckStatus.FAILED and not bench.health.bytes_in:
                result = replace(result, verdict=CheckStatus.ERROR, got=f"nothing arrived. {bench.health.advice()}")
                ended = SILENT
            results.append(result)
            answers.append(bench.answers)
            # Who waited in vain once does not wait for every check that is left.
            back_s = BACK_WITHIN_S if bench.was_open else 0.0
            each(result)
            if ended:
                break
    except KeyboardInterrupt:
        ended = INTERRUPTED
    finally:
        bench.close()
        bench.helper.close()
    return ConformanceReport(
        family=suite.family,
        page=f"{suite.page}, SHA-256 {suite.digest}",
        port=port,
        seed=seed,
        helper=bench.helper.name,
        started=started,
        duration_s=bench.now_s() - start_s,
        identity=rig.identity(),
        link=_link(bench),
        results=tuple(results),
        stderr=tuple(bench.helper.stderr),
        about=dict(about),
        total=total,
        ended=ended,
    )


def _is_last(check: ConformanceCheck[Any]) -> bool:
    return check.name.partition(".")[0] == LAST_GROUP


def chosen(suite: Suite[Any], only: Sequence[str]) -> list[ConformanceCheck[Any]]:
    if not only:
        return list(suite.checks)
    wanted = set(only)
    return [check for check in suite.checks if check.name in wanted or check.name.partition(".")[0] in wanted]


def unknown_names(suite: Suite[Any], only: Sequence[str]) -> list[str]:
    known = {check.name for check in suite.checks} | {check.name.partition(".")[0] for check in suite.checks}
    return [name for name in only if name not in known]


def _tried(
    check: ConformanceCheck[R], rig: R, back_s: float, decoded: Callable[[Sequence[LineTransfer]], Sequence[str]]
) -> CheckResult:
    bench = rig.bench
    bench.was_open = bench.is_open
    bench.observed, bench.faces, bench.answers = [], (), 0
    start_s = bench.now_s()
    bench.tape.begin(start_s)

    def result(verdict: CheckStatus, **more: Any) -> CheckResult:  # noqa: ANN401  the fields of Result
        return CheckResult(
            name=check.name,
            requirement=check.requirement,
            section=check.section,
            verdict=verdict,
            duration_s=bench.now_s() - start_s,
            observed=tuple(bench.observed),
            faces=bench.faces,
            **more,
        )

    def moved() -> dict[str, tuple[str, ...]]:
        return {"tape": bench.tape.lines(), "frames": tuple(decoded(bench.tape.moved))}

    try:
        if not bench.is_open:
            bench.reopen(back_s)
            bench.was_open = True
        rig.begin()
        check.run(rig)
        done = result(CheckStatus.PASSED)
    except RequirementFailed as error:
        done = result(
            CheckStatus.FAILED,
            expected=error.expected,
            got=error.got,
            look_at=check.look_at,
            raw=error.raw,
            **moved(),
        )
    except CheckSkipped as error:
        done = result(CheckStatus.SKIPPED, got=error.reason)
    except (DriverError, CheckBlocked) as error:
        done = result(CheckStatus.ERROR, got=str(error), **moved())
    except CheckUndone:
        _end(rig)
        raise
    except Exception as error:  # noqa: BLE001  a defect of one check must not hide what the others find
        where = traceback.extract_tb(error.__traceback__)[-1]
        got = f"defect in the suite: {type(error).__name__}: {error} ({where.name}, line {where.lineno})"
        done = result(CheckStatus.ERROR, got=got, **moved())
    _end(rig)
    return done


def _end(rig: Rig) -> None:
    try:
        rig.end()
    except (DriverError, CheckSkipped):
        # The next check finds out whether the line is there.
        rig.bench.close()


def _link(bench: Bench) -> dict[str, str]:
    health = bench.health
    return {
        "rung": health.rung.name.lower(),
        "connections": str(health.connections),
        "losses": str(health.losses),
        "bytes received": str(health.bytes_in),
        "frames": str(health.frames),
        "replies": str(health.replies),
        "repeats": str(health.repeats),
        "bytes of no frame": str(health.garbage_bytes),
    }

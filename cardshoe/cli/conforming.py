"""The run of a suite at a device, and what is printed, written and signed of it."""

import signal
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from cardshoe.cli.answer import answer
from cardshoe.cli.echo import echo
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.progress import Progress
from conformance.bench import Bench
from conformance.check import ConformanceCheck
from conformance.check_result import CheckResult, CheckStatus
from conformance.history import keep, kept, read_report, report_data, serial_of
from conformance.html_report import write_html
from conformance.junit import write_junit
from conformance.operator import TerminalOperator
from conformance.runner import STARTED_AT, ConformanceReport, Suite, chosen, run_suite
from firmware_bridge.trust.keys import NamedKey, sign

FRAMES_SHOWN: Final = 12
"""Frames that the terminal shows of a failure, the last; the reports have all that were kept."""


class Order(NamedTuple):
    """Which checks are tried, all if none is named, which of them first, and the results of the run continued."""

    only: Sequence[str]
    first: Collection[str]
    done: Sequence[CheckResult]


class Stand(NamedTuple):
    """Where the device is tried."""

    port: str
    bench: Bench
    settings: Mapping[str, object]


SECRET_SETTINGS: Final = ("key",)
"""Settings that a report does not show."""


def run_checks(
    found: Suite[Any], stand: Stand, order: Order, seed: int, *, notes: Mapping[str, str], as_json: bool
) -> ConformanceReport:
    """Try the checks, each printed as it ends unless one JSON object is printed at the end.

    Ctrl-C and SIGTERM end it; the report has the checks before.

    Args:
        notes: adapter, stand, operator and whatever else the report is to name.
    """
    helper = stand.bench.helper
    now = datetime.now(UTC)
    started = now.strftime("%Y-%m-%dT%H:%M:%S")  # as JUnit's schema has it, without a zone
    shown = {f"setting {key}": str(value) for key, value in stand.settings.items() if key not in SECRET_SETTINGS}
    about = {STARTED_AT: now.astimezone().isoformat(timespec="seconds"), **shown, **notes}
    total = len(chosen(found, order.only))
    numbers = {one.name: at for at, one in enumerate(order.done, start=1)}
    echo(f"{found.family} at {stand.port}, seed {seed}, moved by {helper.name}", err=True)
    with interrupted_by_sigterm(), Progress("conformance", total, unit="checks") as bar:

        def begins(check: ConformanceCheck[Any]) -> None:
            number = numbers.setdefault(check.name, len(numbers) + 1)
            if isinstance(helper, TerminalOperator):
                echo(f"[{number}/{total}] {check.name}: {check.requirement}", err=True)

        def told(result: CheckResult) -> None:
            bar.clear()
            if not as_json:
                _say(result)
                if not isinstance(helper, TerminalOperator):  # who is asked types on this line
                    bar.step()

        return run_suite(
            found,
            stand.bench,
            stand.settings,
            port=stand.port,
            seed=seed,
            started=started,
            only=order.only,
            first=order.first,
            begins=begins,
            each=told,
            about=about,
            done=order.done,
        )


def interrupted_run(path: Path, family: str) -> ConformanceReport:
    """The interrupted run that this one continues.

    Raises:
        Stop: the file is no report of such a run.
    """
    try:
        before = read_report(path)
    except (OSError, ValueError) as error:
        raise Stop(f"--resume: {error}", "Name a file in the folder of --history.", Exit.USAGE) from error
    if before.family != family or not before.ended:
        problem = f"is of the family {before.family}" if before.ended else "came to its end"
        raise Stop(f"--resume: the run of {path} {problem}", "Name a run that ended early.", Exit.USAGE)
    return before


def earlier_runs(folder: Path, family: str) -> Sequence[ConformanceReport]:
    """The reports kept in a folder.

    Raises:
        Stop: something else is there.
    """
    try:
        return kept(folder, family)
    except (OSError, ValueError) as error:
        raise Stop(f"--history: {error}", "Name a folder for these reports alone.", Exit.USAGE) from error


def keep_report(report: ConformanceReport, folder: Path) -> None:
    """Keep the report in the folder.

    Raises:
        Stop: it cannot be written.
    """
    try:
        path = keep(report, folder)
    except OSError as error:
        what = f"--history: {error.filename}: {error.strerror or error}"
        raise Stop(what, "Name a folder that this user may write, on a disk with room.", Exit.FAILURE) from error
    if not serial_of(report):
        echo("no serial number, so no earlier run is compared: give --note serial=…", err=True)
    if report.ended:
        echo(f"continue this run: --resume {path}", err=True)


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise ``KeyboardInterrupt``, as Ctrl-C does; main thread only."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _say(result: CheckResult) -> None:
    echo(f"{result.verdict.value:<8} {result.name}")
    if result.verdict is CheckStatus.FAILED:
        echo(f"    {result.requirement} ({result.section})")
        echo(f"    expected: {result.expected}", f"    got:      {result.got}", f"    look at:  {result.look_at}")
        if result.raw:
            echo(f"    bytes:    {result.raw.hex(' ').upper()}")
        for line in result.frames[-FRAMES_SHOWN:]:
            echo(f"    {line}")
    elif result.verdict is not CheckStatus.PASSED:
        echo(f"    {result.got}")
    for what in result.observed:
        echo(f"    observed: {what}")


def sum_up(report: ConformanceReport, *, as_json: bool) -> None:
    """Print the counts.

    Raises:
        Stop: a check failed, or none was tried.
    """
    data = report_data(report)
    told = ", ".join(f"{count} {name}" for name, count in data["counts"].items())
    tried = f"{len(report.results)} of {report.total} checks tried"
    changed = [f"since the last run: {line}" for line in report.changes]
    answer([*changed, f"{told}; {tried} in {report.duration_s:.1f} s"], data, as_json=as_json)
    if report.good:
        return
    if report.ended:
        raise Stop(f"{report.ended}; {tried}", "Remove the cause, and run it again.", Exit.FAILURE)
    for line in report.stderr:
        echo(f"the device: {line}", err=True)
    if not report.count(CheckStatus.FAILED) + report.count(CheckStatus.ERROR):
        raise Stop("nothing was tried", "Say who moves the device: --control, --start or --ask.", Exit.FAILURE)
    raise Stop("the device does not conform", "Each failure above says what to look at.", Exit.FAILURE)


def write_reports(report: ConformanceReport, junit: Path | None, html: Path | None) -> None:
    """Write the reports that were asked for.

    Raises:
        Stop: a file cannot be written.
    """
    try:
        if junit is not None:
            write_junit(report, junit)
        if html is not None:
            write_html(report, html)
    except OSError as error:
        what = f"{error.filename}: {error.strerror or error}"
        raise Stop(what, "Name a file that this user may write, on a disk with room.", Exit.FAILURE) from error


def sign_reports(signer: NamedKey, paths: Sequence[Path]) -> None:
    """Sign each report into a file ``.sig`` beside it.

    Raises:
        Stop: a signature cannot be written.
    """
    for path in paths:
        beside = path.with_name(f"{path.name}.sig")
        try:
            beside.write_bytes(sign(signer.private, path.read_bytes()))
        except OSError as error:
            raise Stop(
                f"{beside}: {error.strerror or error}", "Name a file on a disk with room.", Exit.FAILURE
            ) from error


def print_checks(found: Suite[Any], only: Sequence[str], *, as_json: bool) -> None:
    """Print names, sections and requirements of the checks."""
    checks = chosen(found, only)
    lines = [line for one in checks for line in (f"{one.name}  ({one.section})", f"    {one.requirement}")]
    rows = [{"name": one.name, "section": one.section, "requirement": one.requirement} for one in checks]
    said = {"family": found.family, "page": found.page, "checks": rows}
    answer([f"{found.family}, {found.page}", *lines], said, as_json=as_json)

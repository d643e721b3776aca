"""The run of a suite at a device, and what is printed, written and signed of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardshoe.cli.answer import answer
from cardshoe.cli.echo import echo
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.progress import Progress
from conformance.bench import Bench
from conformance.check_result import CheckResult, CheckStatus
from conformance.html_report import write_html
from conformance.junit import write_junit
from conformance.operator import TerminalOperator
from conformance.runner import ConformanceReport, Suite, chosen, run_suite
from firmware_bridge.trust.keys import NamedKey, sign

FRAMES_SHOWN: Final = 12
"""Frames that the terminal shows of a failure, the last; the reports have all that were kept."""


class Order(NamedTuple):
    """Which checks are tried, all if none is named, and which of them first."""

    only: Sequence[str]
    first: Collection[str]


class Stand(NamedTuple):
    """Where the device is tried."""

    port: str
    bench: Bench
    settings: Mapping[str, object]


def run_checks(found: Suite[Any], stand: Stand, order: Order, seed: int, *, as_json: bool) -> ConformanceReport:
    """Try the checks, each printed as it ends unless one JSON object is printed at the end."""
    helper = stand.bench.helper
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")  # as JUnit's schema has it, without a zone
    echo(f"{found.family} at {stand.port}, seed {seed}, moved by {helper.name}", err=True)
    with Progress("conformance", len(chosen(found, order.only)), unit="checks") as bar:

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
            each=told,
        )


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
    counts = {verdict.value: report.count(verdict) for verdict in CheckStatus}
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    # Bytes stand in JSON as they do in a capture.
    results = [{**asdict(one), "verdict": one.verdict.value, "raw": one.raw.hex()} for one in report.results]
    data = {**asdict(report), "results": results, "counts": counts, "good": report.good}
    answer([f"{told} in {report.duration_s:.1f} s"], data, as_json=as_json)
    if report.good:
        return
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

"""Reports kept as JSON: the earlier runs of a device, what changed since, and a run that continues another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from conformance.check_result import CheckStatus
from conformance.runner import STARTED_AT, ConformanceReport
from drivers.plain_file import read_plain

REPORT_BYTES: Final = 64 << 20
SERIAL: Final = "serial"
FIRMWARE: Final = "firmware"
OTHER_DEVICE: Final = "another device than in the run that it continues"
_UNFIT: Final = re.compile(r"[^A-Za-z0-9.-]+")


def serial_of(report: ConformanceReport) -> str:
    """The device's serial number, of its own or of a note; empty: unknown."""
    return report.identity.get(SERIAL, "") or report.about.get(SERIAL, "")


def report_data(report: ConformanceReport) -> dict[str, Any]:
    """The report as data for JSON; bytes in hexadecimal, as in a capture."""
    results = [{**asdict(one), "verdict": one.verdict.value, "raw": one.raw.hex()} for one in report.results]
    counts = {verdict.value: report.count(verdict) for verdict in CheckStatus}
    return {**asdict(report), "results": results, "counts": counts, "good": report.good}


def read_report(path: Path) -> ConformanceReport:
    """Read a kept report.

    Raises:
        OSError: it cannot be read.
        ValueError: it is none.
    """
    try:
        told = msgspec.json.decode(read_plain(path, REPORT_BYTES), type=dict[str, Any])
        for one in told["results"]:
            one["raw"] = bytes.fromhex(one["raw"])
        return msgspec.convert(told, ConformanceReport, builtin_types=(bytes,))
    except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no report of a conformance run: {error}") from error


def kept(folder: Path, family: str) -> list[ConformanceReport]:
    """The reports of a family in the folder, which may be missing; the last first.

    Raises:
        OSError: a kept report cannot be read.
        ValueError: a file there is no report.
    """
    found = (read_report(path) for path in folder.glob(f"{family}-*.json"))
    return sorted(found, key=lambda one: one.started, reverse=True)


def compared(report: ConformanceReport, earlier: Sequence[ConformanceReport]) -> ConformanceReport:
    """The report with the earlier runs of its device, the last first, and what changed since the last."""
    serial = serial_of(report)
    before = [one for one in earlier if serial and serial_of(one) == serial]
    if not before:
        return report
    return replace(report, history=[_line(one) for one in before], changes=changes(before[0], report))


def continued(before: ConformanceReport, report: ConformanceReport) -> ConformanceReport:
    """The report of a run that continues another; the device must be the same."""
    is_other = serial_of(before) != serial_of(report)
    return replace(report, ended=OTHER_DEVICE) if is_other and report.identity else report


def keep(report: ConformanceReport, folder: Path) -> Path:
    """Write a report into the folder, beside all others; return its file.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = _UNFIT.sub("_", f"{report.family}-{serial_of(report) or 'unknown'}-{report.started}")
    path = folder / f"{name}.json"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}.json"
    with path.open("xb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(report_data(report)), indent=1))
    return path


def changes(before: ConformanceReport, now: ConformanceReport) -> list[str]:
    """What differs between two runs of a device: what it is, how it was tried, and the verdicts."""
    found = [
        *_differ(before.identity, now.identity),
        *_differ({"suite": before.suite, "page": before.page}, {"suite": now.suite, "page": now.page}),
        *_differ(_stand(before), _stand(now)),
    ]
    verdicts = [{one.name: one.verdict.value for one in report.results} for report in (before, now)]
    return [*found, *_differ(verdicts[0], verdicts[1], absent="not tried")]


def _stand(report: ConformanceReport) -> dict[str, str]:
    return {name: value for name, value in report.about.items() if name != STARTED_AT}


def _differ(before: Mapping[str, str], now: Mapping[str, str], absent: str = "none") -> list[str]:
    names = dict.fromkeys((*before, *now))
    pairs = [(name, before.get(name, absent), now.get(name, absent)) for name in names]
    return [f"{name}: {old} → {new}" for name, old, new in pairs if old != new]


def _line(report: ConformanceReport) -> str:
    counts = ", ".join(f"{report.count(verdict)} {verdict.value}" for verdict in CheckStatus)
    firmware = report.identity.get(FIRMWARE)
    ended = f"; ended early: {report.ended}" if report.ended else ""
    when = report.about.get(STARTED_AT, report.started)
    return f"{when}{f', firmware {firmware}' if firmware else ''}: {counts}{ended}"

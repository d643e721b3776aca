"""A run as JUnit XML, as every CI server reads it: one ``testsuite``, one ``testcase`` for each check."""

import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from conformance.check_result import CheckResult, CheckStatus
from conformance.plain_text import clean
from conformance.runner import ConformanceReport
from drivers.plain_file import read_plain

_REPORT_BYTES: Final = 64 << 20


def junit_xml(report: ConformanceReport) -> bytes:
    """Return the report as XML in UTF-8.

    Elements, attributes and order follow the Jenkins xUnit schema.
    """
    root = ET.Element("testsuites")
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "name": clean(f"conformance of {report.family} at {report.port}"),
            "timestamp": clean(report.started),
            "hostname": clean(socket.gethostname()),
            "tests": str(len(report.results)),
            "failures": str(report.count(CheckStatus.FAILED)),
            "errors": str(report.count(CheckStatus.ERROR)),
            "skipped": str(report.count(CheckStatus.SKIPPED)),
            "time": _seconds(report.duration_s),
        },
    )
    properties = ET.SubElement(suite, "properties")
    told = {"family": report.family, "page": report.page, "seed": str(report.seed), "helper": report.helper}
    told |= {"suite": report.suite} | ({"signer": report.signer} if report.signer else {})
    told |= {"total": str(report.total)} | ({"ended": report.ended} if report.ended else {})
    told |= {f"earlier run {at}": line for at, line in enumerate(report.history, start=1)}
    told |= {f"changed {at}": line for at, line in enumerate(report.changes, start=1)}
    sections = {"device": report.identity, "link": report.link, "about": report.about}
    prefixed = [one for prefix, values in sections.items() for one in _prefixed(prefix, values)]
    for name, value in (*told.items(), *prefixed):
        ET.SubElement(properties, "property", {"name": clean(name), "value": clean(value)})
    for result in report.results:
        _case(suite, report.family, result)
    if report.stderr:
        ET.SubElement(suite, "system-err").text = clean("\n".join(report.stderr))
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def failed_in(path: Path) -> set[str]:
    """The names of the checks that failed, or went wrong, in a report that was written before.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no such report.
    """
    try:
        root = ET.fromstring(read_plain(path, _REPORT_BYTES))  # noqa: S314  a report of our own, from the user's disk
    except ET.ParseError as error:
        raise ValueError(f"{path} is no JUnit XML: {error}") from error
    cases = root.iter("testcase")
    return {case.get("name", "") for case in cases if any(part.tag in {"failure", "error"} for part in case)}


def write_junit(report: ConformanceReport, path: Path) -> None:
    """Write the report to a new file.

    Raises:
        OSError: it exists, or cannot be written.
    """
    with path.open("xb") as file:
        file.write(junit_xml(report))


def _case(suite: ET.Element, family: str, result: CheckResult) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        {"name": result.name, "classname": f"conformance.{family}", "time": _seconds(result.duration_s)},
    )
    if result.verdict is CheckStatus.SKIPPED:
        ET.SubElement(case, "skipped", {"message": clean(result.got)})
    elif result.verdict is CheckStatus.ERROR:
        error = ET.SubElement(case, "error", {"message": clean(result.got), "type": "error"})
        error.text = clean("\n".join((*result.tape, *result.frames)))
    elif result.verdict is CheckStatus.FAILED:
        message = f"expected {result.expected}; got {result.got}"
        failure = ET.SubElement(case, "failure", {"message": clean(message), "type": "requirement"})
        failure.text = clean(details(result))
    out = [f"requirement: {result.requirement}", f"section: {result.section}"]
    out += [f"observed: {what}" for what in result.observed]
    out += [f"face {one.face}: {one.words}" for one in result.faces]
    ET.SubElement(case, "system-out").text = clean("\n".join(out))


def details(result: CheckResult) -> str:
    """Describe a failure for an engineer, as lines of text."""
    lines = [
        f"requirement: {result.requirement}",
        f"section:     {result.section}",
        f"expected:    {result.expected}",
        f"got:         {result.got}",
        f"look at:     {result.look_at}",
    ]
    if result.raw:
        lines.append(f"bytes:       {result.raw.hex(' ').upper()}")
    if result.frames:
        lines += ["frames around it:", *result.frames]
    if result.tape:
        lines += ["on the line, last:", *result.tape]
    return "\n".join(lines)


def _prefixed(prefix: str, values: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(f"{prefix}.{name}", value) for name, value in values.items()]


def _seconds(value: float) -> str:
    return f"{value:.3f}"

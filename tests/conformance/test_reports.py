"""The two forms of a report: whatever a device or a user says, they are well-formed and hold nothing but text."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from conformance.check_result import CheckResult, CheckStatus
from conformance.html_report import html_page, write_html
from conformance.junit import junit_xml, write_junit
from conformance.runner import ConformanceReport

NASTY: Final = "<script>alert(1)</script> & \"quotes\" 'and' \x00\x1b\ud800 ]]> é 八"
VOID: Final = {"br", "meta"}


def result(name: str, verdict: CheckStatus, **more: object) -> CheckResult:
    fields: dict[str, object] = {"requirement": f"It {NASTY}.", "section": "3. Frames", "duration_s": 0.25, **more}
    return CheckResult(name=name, verdict=verdict, **fields)  # type: ignore[arg-type]  # whatever a test gives


def a_report() -> ConformanceReport:
    return ConformanceReport(
        family="tdp",
        page="docs/protocols/tdp.md",
        port=f"/dev/{NASTY}",
        seed=7,
        helper="nobody",
        started="2026-01-02T03:04:05",
        duration_s=12.3456,
        identity={"maker": NASTY, "serial": "SN-1"},
        link={"rung": "frames", "bytes received": "99"},
        results=(
            result("a.passed", CheckStatus.PASSED, observed=(NASTY,)),
            result(
                "a.failed",
                CheckStatus.FAILED,
                expected=NASTY,
                got=NASTY,
                look_at=NASTY,
                raw=b"\x00\xff",
                tape=("   0.001 < 00 FF", NASTY),
            ),
            result("b.skipped", CheckStatus.SKIPPED, got=NASTY),
            result("b.error", CheckStatus.ERROR, got=NASTY, tape=("   0.5 > 01",)),
        ),
    )


class Balance(HTMLParser):
    """Every element that begins ends, in its place; and all the text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.loads += [name for name, _value in attrs if name in {"src", "href", "onclick", "onload"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(page: str) -> Balance:
    balance = Balance()
    balance.feed(page)
    balance.close()
    assert balance.open == []
    return balance


def test_the_page_is_whole_and_loads_nothing() -> None:
    balance = parsed(html_page(a_report()))
    assert "script" not in balance.seen
    assert balance.loads == []
    assert balance.seen[:2] == ["html", "head"]
    assert "<script>alert(1)</script>" in balance.text  # as words
    for words in ("SN-1", "00 FF", "0.001 <", "bytes received", "1 passed", "1 failed", "1 skipped", "1 error"):
        assert words in balance.text, words


def test_the_ladder_ends_where_the_device_was_last_heard() -> None:
    page = html_page(a_report())
    ladder = re.findall(r'<li( class="reached")?>(\w+)</li>', page)
    assert ladder == [
        (' class="reached"', "disconnected"),
        (' class="reached"', "connected"),
        (' class="reached"', "bytes"),
        (' class="reached"', "frames"),
        ("", "events"),
    ]


def schema_problems(suites: ET.Element) -> list[str]:
    """Where it differs from the common schema of JUnit's XML, as far as that is common."""
    problems: list[str] = []
    if suites.tag != "testsuites":
        problems.append(suites.tag)
    for suite in suites:
        wanted = {"name", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time"}
        problems += [f"testsuite lacks {name}" for name in wanted - set(suite.attrib)]
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"]):
            problems.append(suite.attrib["timestamp"])
        if suite[0].tag != "properties":
            problems.append("properties come first")
        problems += [str(one.attrib) for one in suite[0] if set(one.attrib) != {"name", "value"}]
        for case in suite[1:]:
            children = [child.tag for child in case]
            if case.tag != "testcase" or set(case.attrib) != {"name", "classname", "time"}:
                problems.append(f"{case.tag} {case.attrib}")
            if children not in (["system-out"], *([kind, "system-out"] for kind in ("skipped", "failure", "error"))):
                problems.append(f"{case.attrib['name']}: {children}")
            problems += [
                f"{child.tag} lacks type or message"
                for child in case
                if child.tag in {"failure", "error"} and set(child.attrib) != {"message", "type"}
            ]
    return problems


def test_the_xml_has_the_common_form() -> None:
    suites = ET.fromstring(junit_xml(a_report()))  # noqa: S314  our own output
    assert schema_problems(suites) == []
    (suite,) = suites
    counts = {name: suite.attrib[name] for name in ("tests", "failures", "errors", "skipped", "time")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1", "time": "12.346"}
    cases = {case.attrib["name"]: case for case in suite if case.tag == "testcase"}
    assert {name: case[0].tag for name, case in cases.items()} == {
        "a.passed": "system-out",
        "a.failed": "failure",
        "b.skipped": "skipped",
        "b.error": "error",
    }
    assert cases["a.failed"].attrib == {"name": "a.failed", "classname": "conformance.tdp", "time": "0.250"}
    told = cases["a.failed"][0].text or ""
    assert "bytes:       00 FF" in told
    assert "0.001 < 00 FF" in told
    assert "<script>" in told  # as words: what XML cannot hold was replaced
    assert "\ufffd" in told
    properties = {one.attrib["name"]: one.attrib["value"] for one in suite[0]}
    assert properties["device.serial"] == "SN-1"
    assert properties["seed"] == "7"
    assert properties["link.bytes received"] == "99"


def test_a_form_that_is_wrong_would_be_seen() -> None:
    suites = ET.fromstring(junit_xml(a_report()))  # noqa: S314  our own output
    del suites[0].attrib["timestamp"]
    with pytest.raises(KeyError):
        schema_problems(suites)


def test_both_are_written_and_neither_overwrites(tmp_path: Path) -> None:
    for write, name in ((write_junit, "a.xml"), (write_html, "a.html")):
        path = tmp_path / name
        write(a_report(), path)
        with pytest.raises(FileExistsError):
            write(a_report(), path)
    ET.parse(tmp_path / "a.xml")  # noqa: S314  our own output
    parsed((tmp_path / "a.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("verdicts", "good"),
    [
        ((CheckStatus.PASSED, CheckStatus.SKIPPED), True),
        ((CheckStatus.SKIPPED,), False),
        ((CheckStatus.PASSED, CheckStatus.FAILED), False),
        ((CheckStatus.PASSED, CheckStatus.ERROR), False),
        ((), False),
    ],
)
def test_a_run_is_good_if_something_passed_and_nothing_failed(verdicts: tuple[CheckStatus, ...], good: bool) -> None:
    results = tuple(result(f"a.{at}", verdict) for at, verdict in enumerate(verdicts))
    report = ConformanceReport(
        family="tdp",
        page="",
        port="",
        seed=0,
        helper="",
        started="",
        duration_s=0.0,
        identity={},
        link={},
        results=results,
    )
    assert report.good is good

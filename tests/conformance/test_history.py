"""Kept reports: never overwritten, compared by device, continued."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from conformance.check_result import CheckResult, CheckStatus, FaceReading
from conformance.history import OTHER_DEVICE, compared, continued, keep, kept, read_report
from conformance.html_report import html_page
from conformance.junit import junit_xml
from conformance.runner import INTERRUPTED, STARTED_AT, ConformanceReport
from tests.cardshoe.cli.support import invoke

FACES: Final = (FaceReading("AS", "AS"), FaceReading("2S", None))


def result(name: str, verdict: CheckStatus) -> CheckResult:
    return CheckResult(name=name, requirement="It is so.", section="1", verdict=verdict, raw=b"\x00\xff", faces=FACES)


def run_of(day: int, verdict: CheckStatus, *, firmware: str = "1.0.0", serial: str = "SN 1") -> ConformanceReport:
    started = f"2026-01-0{day}T03:04:05"
    return ConformanceReport(
        family="tdp",
        page="page.md",
        port="./shoe",
        seed=0,
        helper="",
        started=started,
        duration_s=1.0,
        identity={"serial": serial, "firmware": firmware} if serial else {},
        link={},
        results=(result("a.one", CheckStatus.PASSED), result("a.two", verdict)),
        about={STARTED_AT: f"{started}+08:00", "adapter": "FTDI"},
        total=2,
    )


def test_a_kept_report_is_read_as_it_was_and_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    report = run_of(1, CheckStatus.FAILED)
    paths = [keep(report, folder) for _ in range(3)]
    name = "tdp-SN_1-2026-01-01T03_04_05"
    assert [path.name for path in paths] == [f"{name}.json", f"{name}-2.json", f"{name}-3.json"]
    found = read_report(paths[0])
    assert found.results[1].raw == b"\x00\xff"
    assert tuple(found.results[1].faces) == FACES
    assert (found.identity, found.about, found.started) == (report.identity, report.about, report.started)
    assert [one.verdict for one in found.results] == [CheckStatus.PASSED, CheckStatus.FAILED]


def test_a_run_is_compared_with_the_last_one_of_its_device(tmp_path: Path) -> None:
    for before in (
        run_of(1, CheckStatus.PASSED),
        run_of(2, CheckStatus.FAILED),
        run_of(3, CheckStatus.PASSED, serial="SN 2"),
        replace(run_of(4, CheckStatus.PASSED), family="other"),
    ):
        keep(before, tmp_path)
    earlier = kept(tmp_path, "tdp")
    now = compared(run_of(5, CheckStatus.PASSED, firmware="1.0.1"), earlier)
    assert now.history == [
        "2026-01-02T03:04:05+08:00, firmware 1.0.0: 1 passed, 1 failed, 0 skipped, 0 error",
        "2026-01-01T03:04:05+08:00, firmware 1.0.0: 2 passed, 0 failed, 0 skipped, 0 error",
    ]
    assert now.changes == ["firmware: 1.0.0 → 1.0.1", "a.two: failed → passed"]
    page, xml = html_page(now), junit_xml(now).decode()
    for line in (*now.history, *now.changes):
        assert line in page
        assert line in xml
    same = compared(run_of(5, CheckStatus.FAILED), earlier)
    assert same.changes == []
    assert "<li>nothing</li>" in html_page(same)
    stranger = run_of(5, CheckStatus.PASSED, serial="")
    assert compared(stranger, earlier) is stranger
    fewer = replace(now, results=now.results[:1], about={**now.about, "adapter": "CH340"})
    assert compared(fewer, earlier).changes == [
        "firmware: 1.0.0 → 1.0.1",
        "adapter: FTDI → CH340",
        "a.two: failed → not tried",
    ]


def test_a_run_of_another_device_does_not_continue() -> None:
    before = replace(run_of(1, CheckStatus.PASSED), ended=INTERRUPTED)
    assert continued(before, run_of(2, CheckStatus.PASSED)).ended == ""
    other = continued(before, run_of(2, CheckStatus.PASSED, serial="SN 2"))
    assert (other.ended, other.good) == (OTHER_DEVICE, False)


def simulated(*arguments: object) -> "tuple[int, str, str]":
    kind = ("conformance", "--simulate", "bee-tek --seed 3", "--note", "serial=SN 7")
    done = invoke(*kind, *map(str, arguments))
    return done.exit_code, done.stdout, done.stderr


def test_runs_are_kept_compared_and_continued_from_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    alarm, warning = ("--only", "lines.alarm"), ("--only", "lines.warning")
    assert simulated("--history", folder, *alarm)[0] == 0
    (path,) = folder.iterdir()
    code, said, _error = simulated("--history", folder, *alarm, *warning)
    assert (code, said.splitlines()[-2]) == (0, "since the last run: lines.warning: not tried → passed")
    assert len(list(folder.iterdir())) == 2
    code, _said, error = simulated("--resume", path, *alarm, *warning)
    assert (code, "came to its end" in error) == (2, True)
    told = json.loads(path.read_text(encoding="utf-8"))
    interrupted = tmp_path / "interrupted.json"
    interrupted.write_text(json.dumps({**told, "ended": INTERRUPTED}))
    code, said, _error = simulated("--resume", interrupted, *alarm, *warning)
    assert (code, [line.split()[1] for line in said.splitlines()[:-1]]) == (0, ["lines.warning"])
    assert said.splitlines()[-1].startswith("2 passed, 0 failed, 0 skipped, 0 error; 2 of 2 checks tried")
    interrupted.write_text(json.dumps({**told, "ended": INTERRUPTED, "family": "tdp"}))
    assert "is of the family tdp" in simulated("--resume", interrupted)[2]


@pytest.mark.parametrize("text", ["[]", "{}", '{"results": [{"raw": "x"}]}', '{"results": []}', "not JSON"])
def test_what_is_no_report_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bee_tek-1.json"
    path.write_text(text)
    for option, where in (("--history", tmp_path), ("--resume", path)):
        code, _said, error = simulated(option, where)
        assert (code, f"cardshoe: {option}: {path} is no report of a conformance run" in error) == (2, True), error


def test_a_folder_that_takes_nothing_ends_with_1_and_a_device_without_a_serial_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    only = ("--only", "lines.alarm")
    code, said, error = simulated("--history", tmp_path / "file" / "below", *only)
    assert (code, said.split()[0]) == (1, "passed")
    assert "Name a folder that this user may write" in error
    done = invoke("conformance", "--simulate", "bee-tek --seed 3", "--history", str(tmp_path / "runs"), *only)
    assert (done.exit_code, "give --note serial=…" in done.stderr) == (0, True)
    assert [path.name[:15] for path in (tmp_path / "runs").iterdir()] == ["bee_tek-unknown"]

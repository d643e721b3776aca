"""Runs that end early, and how a person and a process are treated."""

import contextlib
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cardshoe.cli.conforming import interrupted_by_sigterm
from cardshoe.cli.sim.virtual import bench_of
from conformance import channels, manual_steps
from conformance.angel_eye.rig import AngelEyeRig
from conformance.channels import ProcessOperator
from conformance.check import Checks, ConformanceCheck
from conformance.check_result import CheckStatus, unmet
from conformance.html_report import html_page
from conformance.junit import junit_xml
from conformance.operator import TerminalOperator
from conformance.runner import INTERRUPTED, SILENT, ConformanceReport, run_suite
from tests.conformance.suites import PlainRig, suite_of
from tests.conformance.virtual import angel_eye_shoe, tdp_device
from tests.kit.waiting import eventually

CHECKS: Checks[PlainRig] = Checks("ending")


@CHECKS.check("1. One", "the first part")
def first(rig: PlainRig) -> None:
    rig.bench.observe("seen")


@CHECKS.check("2. Two", "the second part")
def second(rig: PlainRig) -> None:
    rig.bench.observe("seen")


@CHECKS.check("3. Three", "the third part")
def third(_rig: PlainRig) -> None:
    raise AssertionError


SILENT_CHECKS: Checks[PlainRig] = Checks("silent")


@SILENT_CHECKS.check("1. One", "the device")
def that_gets_no_answer(rig: PlainRig) -> None:
    rig.bench.write(b"?")
    rig.bench.read(rig.bench.now_s() + 1.0)
    unmet("an answer", "")


@SILENT_CHECKS.check("2. Two", "the device")
def that_is_not_reached(_rig: PlainRig) -> None:
    raise AssertionError


def test_a_silent_device_ends_the_run_at_its_first_check(seed: int) -> None:
    far = tdp_device("shoe", seed)
    begun: list[str] = []
    report = run_suite(
        suite_of(*SILENT_CHECKS),
        bench_of(far, seed),
        {},
        port="here",
        seed=seed,
        started="now",
        begins=lambda check: begun.append(check.name),
        about={"adapter": "FTDI"},
    )
    (result,) = report.results
    assert begun == [result.name]
    assert result.verdict is CheckStatus.ERROR
    assert result.got.startswith("nothing arrived. The port is open, nothing arrives. Check the cable")
    assert (report.ended, report.total, report.good) == (SILENT, 2, False)
    for text in (html_page(report), junit_xml(report).decode()):
        assert SILENT in text
        assert "FTDI" in text
    assert "1 of 2 tried" in html_page(report)
    # Alone it says what the check found.
    alone = run_suite(
        suite_of(*SILENT_CHECKS), bench_of(tdp_device("shoe", seed), seed), {}, port="here", seed=seed, started="now",
        only=(result.name,),
    )  # fmt: skip
    assert (alone.results[0].verdict, alone.ended) == (CheckStatus.FAILED, "")


def test_an_interrupted_run_reports_the_checks_before(seed: int) -> None:
    def interrupt(check: ConformanceCheck[PlainRig]) -> None:
        if check.name == "ending.third":
            raise KeyboardInterrupt

    report = run_suite(
        suite_of(*CHECKS), bench_of(tdp_device("shoe", seed), seed), {}, port="here", seed=seed, started="now",
        begins=interrupt,
    )  # fmt: skip
    assert [result.name for result in report.results] == ["ending.first", "ending.second"]
    assert (report.ended, report.total) == (INTERRUPTED, len(list(CHECKS)))


def asking(*answers: str | None) -> tuple[list[str], ConformanceReport]:
    """A run of two checks that ask twice each, and one that asks nothing between them."""
    begun: list[str] = []
    typed = iter(answers)
    checks: Checks[PlainRig] = Checks("asks")

    def asks(rig: PlainRig) -> None:
        for _ in range(2):
            rig.bench.act(manual_steps.draw(), lambda _seconds: None)

    def asks_nothing(_rig: PlainRig) -> None:
        """Nothing to do."""

    for name, run in (("one", asks), ("two", asks_nothing), ("three", asks)):
        checks.check("1. One", "the device")(_named(run, name))
    person = TerminalOperator(lambda _text: None, lambda: next(typed))
    report = run_suite(
        suite_of(*checks), bench_of(tdp_device("shoe", 1), 1, person), {}, port="here", seed=1, started="now",
        begins=lambda check: begun.append(check.name.removeprefix("asks.")),
    )  # fmt: skip
    return begun, report


def _named(run: Callable[[PlainRig], None], name: str) -> Callable[[PlainRig], None]:
    def copy(rig: PlainRig) -> None:
        run(rig)

    copy.__name__ = name
    return copy


def test_an_answer_is_taken_back() -> None:
    begun, report = asking("", "u", "", "", "", "")
    assert begun == ["one", "one", "two", "three"]
    assert [result.verdict for result in report.results] == [CheckStatus.PASSED] * 3
    # At its first question the wrong answer belongs to the check before that asked something.
    begun, report = asking("", "n", "u", "", "", "", "")
    assert begun == ["one", "two", "three", "one", "two", "three"]
    assert [result.verdict for result in report.results] == [CheckStatus.PASSED] * 3
    begun, _report = asking("u", "", "", "", "")
    assert begun == ["one", "one", "two", "three"]


def test_a_run_continues_another(seed: int) -> None:
    far = tdp_device("shoe", seed)
    checks = list(CHECKS)[:2]
    first_run = run_suite(
        suite_of(*checks), bench_of(far, seed), {}, port="here", seed=seed, started="now", only=("ending.first",)
    )
    begun: list[str] = []
    lost = replace(first_run.results[0], name="ending.second", verdict=CheckStatus.ERROR)
    report = run_suite(
        suite_of(*checks), bench_of(far, seed), {}, port="here", seed=seed, started="now",
        begins=lambda check: begun.append(check.name), done=(*first_run.results, lost),
    )  # fmt: skip
    assert begun == ["ending.second"], "an error is tried again"
    assert [result.name for result in report.results] == ["ending.first", "ending.second"]
    assert (report.total, report.good) == (2, True)


def test_sigterm_interrupts() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), interrupted_by_sigterm():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_person_is_asked_once_for_many_cards(seed: int) -> None:
    said: list[str] = []
    person = TerminalOperator(said.append, lambda: "")
    rig = AngelEyeRig(bench_of(angel_eye_shoe(seed), seed, person))
    rig.bench.open()
    answers = rig.draw(4)
    assert len(answers) == 1
    assert [line for line in said if "Draw" in line] == [
        "  > Draw 4 cards, one after the other; pull no harder than at a table. If one is held fast, say n."
    ]


STUBBORN = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


def test_a_process_that_does_not_end_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "CONNECT_TIMEOUT_S", 0.2)
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN)
    with ProcessOperator(f"{sys.executable} {script}") as helper:
        child = int(helper.greeting)
    stat = Path(f"/proc/{child}/stat")

    def is_gone() -> bool:
        with contextlib.suppress(OSError):
            return stat.read_text().rpartition(")")[2].split()[0] == "Z"
        return True

    eventually(is_gone, "the child has ended")

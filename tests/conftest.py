"""The common part of all tests: the seed, the folder `../shared`, and the rule that CI accepts no skipped test.

- `CARDSHOE_TEST_SEED`: the seed of every test that draws at random (default 20040055). It is printed at the start.
- `CARDSHOE_SOAK=1`: the tests marked `statistical` run in full (`make soak`); see `tests/kit/length.py`.
- `CARDSHOE_HARDWARE=1`: run the tests marked `hardware`.
- `CARDSHOE_NO_SKIPS=1`: a skipped test fails the run, because a test that never runs shows nothing. Allowed remain
  tests marked `hardware`, and tests marked `shared` where `../shared` is absent. Skip with a marker on the test: a
  module skipped as a whole while it is imported has no markers yet, and always counts as a failure here.
"""

import functools
import gc
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import coverage
import pytest
from httpx._transports import default
from hypothesis import HealthCheck, given, settings, strategies
from hypothesis.internal.conjecture import providers

if TYPE_CHECKING:
    from _typeshed import TraceFunction

    from tests.kit.far_ends import PtyEnd

SEED_VARIABLE = "CARDSHOE_TEST_SEED"
DEFAULT_SEED = 20040055
HARDWARE = os.environ.get("CARDSHOE_HARDWARE") == "1"
NO_SKIPS = os.environ.get("CARDSHOE_NO_SKIPS") == "1"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
SKIPPED_IN_CI = "skipped, which counts as a failure here (CARDSHOE_NO_SKIPS=1): "

UNMEASURED = frozenset(
    {
        "test_against_evaluator",
        "test_exhaustive",
        "test_lossy_link",
        "test_probabilities",
        "test_properties",
        "test_tableau",
    }
)
"""Modules that run the same lines a million times: they are slow, measuring them takes minutes, and other tests cover
those lines."""

MANY: Final = 10_000
"""Objects made and still there since garbage was last looked for, at which it is looked for. Python's own 700 are for
programs that hold little: with them what a test keeps is gone through whole again and again."""
FREEZE_EVERY: Final = 200
"""Tests without a whole look for garbage, after which what is still there is left alone."""
_settrace: Final = sys.settrace
_since_frozen: Final = [0]
_looks_until_frozen: Final = [0]
_left_running: Final[WeakKeyDictionary[threading.Thread, str]] = WeakKeyDictionary()
"""Threads that failed tests have left, each with its test."""

settings.register_profile(
    "cardshoe",
    deadline=None,  # on two busy cores a deadline measures the neighbours
    suppress_health_check=[HealthCheck.too_slow],  # as above
    derandomize=True,  # the same examples every time: a test that fails on some days only is a bug of its own
    database=None,
)
settings.load_profile("cardshoe")
# It also draws constants that stand in the modules that this process has loaded, which depends on the tests before.
_NO_CONSTANTS: Final = providers._local_constants  # noqa: SLF001  # Hypothesis has no setting for this
providers._get_local_constants = lambda: _NO_CONSTANTS  # noqa: SLF001  # as above


def pytest_configure() -> None:
    """Lets the programs that tests start hear SIGINT: a run begun in the background ignores it, and they with it."""
    for number in (signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    gc.set_threshold(MANY)
    # Else each client reads all the authorities of the web again: 25 ms of CPU. Those here speak without TLS.
    default.create_ssl_context = functools.lru_cache(default.create_ssl_context)  # type: ignore[attr-defined]  # no setting
    if sys.version_info < (3, 12):
        sys.settrace = _patient_settrace


def _patient_settrace(function: "TraceFunction | None") -> None:
    while True:
        try:
            return _settrace(function)
        except RuntimeError:
            os.sched_yield()


def pytest_report_header() -> str:
    return f"seed: {_seed()} (repeat with {SEED_VARIABLE}={_seed()})"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.stem in UNMEASURED:
            item.add_marker(pytest.mark.no_cover)
        if item.get_closest_marker("hardware") and not HARDWARE:
            item.add_marker(pytest.mark.skip(reason="needs a real device: set CARDSHOE_HARDWARE=1"))
        if item.get_closest_marker("shared") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason="needs the folder ../shared next to the repository"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Looks for no garbage while tests are collected: nearly all that is made then stays."""
    _draws_once()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Freeze the objects that the collection made, for the collections of garbage after shoe games."""
    from cardshoe.process import collector  # noqa: PLC0415  after all that is measured has begun

    gc.freeze()
    collector.leave_alone()  # or each table would thaw it at its end


@given(strategies.none())
def _draws_once(_: None) -> None:
    """Lets Hypothesis make its generator of random numbers while the collector still sees who holds it.

    It asks the collector, and warns if it finds nobody: on Python 3.14 nobody is found once all is left alone. It also
    looks for garbage, which takes longer when more is there: so before tests are collected.
    """


def pytest_runtest_logfinish() -> None:
    """Leaves alone what is still there after a test that looked for garbage, as tables do at the end of a shoe game.

    Each later look would go through it again, most of all through the modules that a test was the first to import.
    """
    _since_frozen[0] += 1
    if _whole_looks() > _looks_until_frozen[0] or _since_frozen[0] >= FREEZE_EVERY:
        _since_frozen[0] = 0
        gc.collect()
        gc.freeze()
        _looks_until_frozen[0] = _whole_looks()


def _whole_looks() -> int:
    return int(gc.get_stats()[-1]["collections"])


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    gc.freeze()  # or Python would go through all of it again, twice, as it ends


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Stops all measuring where a test asks for it."""
    stopped: list[coverage.Coverage] = []
    if item.get_closest_marker("no_cover"):
        while (measuring := coverage.Coverage.current()) is not None and measuring not in stopped:
            measuring.stop()
            stopped.append(measuring)
    try:
        yield
    finally:
        for measuring in reversed(stopped):
            measuring.start()


def pytest_sessionstart() -> None:
    """Keeps the end of a thread that a failed test left running (on a timeout, say) from failing the tests after it."""
    report = threading.excepthook  # pytest's own: it fails the test that runs

    def ended(args: threading.ExceptHookArgs) -> None:
        test = None if args.thread is None else _left_running.get(args.thread)
        if test is None:
            report(args)
        else:
            sys.stderr.write(f"{args.thread} of {test}, which has failed, ended by {args.exc_value!r}\n")

    threading.excepthook = ended


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    failed, before = item.session.testsfailed, set(threading.enumerate())
    try:
        return (yield)
    finally:
        if item.session.testsfailed > failed:
            left = [thread for thread in threading.enumerate() if thread not in before]
            _left_running.update(dict.fromkeys(left, item.nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    allowed = item.get_closest_marker("hardware") or (item.get_closest_marker("shared") and not SHARED.is_dir())
    expected_to_fail = hasattr(report, "wasxfail")
    if NO_SKIPS and report.skipped and not expected_to_fail and not allowed:
        _turn_into_failure(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if NO_SKIPS and report.skipped:
        _turn_into_failure(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    failures = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    skipped = [report for report in failures if str(report.longrepr).startswith(SKIPPED_IN_CI)]
    if skipped:
        terminalreporter.section("skipped tests, which count as failures here")
        for report in skipped:
            reason = str(report.longrepr).removeprefix(SKIPPED_IN_CI)
            terminalreporter.line(f"{report.nodeid}: {reason}")


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed for everything a test draws at random; the run has printed it."""
    return _seed()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `../shared`: regulations and design pages that are not part of the repository. Mark with `shared`."""
    return SHARED


@pytest.fixture
def pty(tmp_path: Path) -> Iterator["PtyEnd"]:
    """The far end of a line that is a terminal."""
    from tests.kit.far_ends import PtyEnd  # noqa: PLC0415  most tests need none

    end = PtyEnd(tmp_path / "shoe")
    yield end
    end.vanish()


def _seed() -> int:
    return int(os.environ.get(SEED_VARIABLE, DEFAULT_SEED))


def _turn_into_failure(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = SKIPPED_IN_CI + reason.removeprefix("Skipped: ")

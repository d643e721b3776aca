"""What `make quick` leaves out (`pytest -p tests.quick`): tests that start a process, and tests that take long."""

import math
import sys
import time
from collections.abc import Generator
from typing import Final

import pytest

STARTS: Final = frozenset(
    {"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"}
)
"""Python's audit events of a process that starts."""
LONG_S: Final = 0.3
"""CPU seconds of a test, with its fixtures, over which the next runs leave it out: some 200 tests, half of the CPU."""
SLOW_S: Final = 1.0
"""CPU seconds over which a test is to be marked `slow`, so that no first run meets it."""
MEMORY: Final = "cardshoe/not_quick"
REASON: Final = "it starts a process"
CPU: Final = "cpu_s"
"""The property of a report that carries the CPU seconds."""

_found: Final[set[str]] = set()
_running: list[str] = []
_started: set[str] = set()
_began: Final = [0.0]


def _watch(event: str, _: tuple[object, ...]) -> None:
    if event in STARTS and _running:
        _started.update(_running)
        raise pytest.skip.Exception(REASON)


sys.addaudithook(_watch)


def _cache(config: pytest.Config) -> pytest.Cache:
    cache = config.cache
    assert cache is not None, "tests.quick needs pytest's cache"
    return cache


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    known = set(_cache(config).get(MEMORY, []))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in known])
    items[:] = [item for item in items if item.nodeid not in known]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _running[:] = [item.nodeid]
    _began[0] = time.process_time()
    try:
        return (yield)
    finally:
        _running.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    last = report.when == "teardown"
    if report.skipped and REASON in str(report.longrepr):
        _started.add(item.nodeid)  # also where the fixture that would start it had ended for another test
    if report.failed and item.nodeid in _started:  # what should have been started was missing
        report.outcome = "passed" if last else "skipped"  # left out once
        report.longrepr = None if last else (str(item.path), 0, f"Skipped: {REASON}")
    if last and item.get_closest_marker("law") is None:
        started = item.nodeid in _started
        report.user_properties.append((CPU, math.inf if started else time.process_time() - _began[0]))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    took_s = dict(report.user_properties).get(CPU)
    if isinstance(took_s, float) and took_s > LONG_S:
        _found.add(report.nodeid)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports(""):  # of what came after a test
        seconds = dict(report.user_properties).get(CPU)
        if isinstance(seconds, float) and SLOW_S < seconds < math.inf:
            terminalreporter.line(f"{report.nodeid} takes {seconds:.1f} s of CPU: mark it slow")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _found and not hasattr(session.config, "workerinput"):  # the process that has heard of all tests
        cache = _cache(session.config)
        cache.set(MEMORY, sorted({*cache.get(MEMORY, []), *_found}))

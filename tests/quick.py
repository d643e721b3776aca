"""Writes `tests/not_quick.txt`: what `make quick` leaves out, tests that start a process or take long."""

import sys
import threading
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from statistics import mean
from typing import Final, NamedTuple

import pytest

LIST: Final = "tests/not_quick.txt"
"""Options of pytest, one a line."""
STARTS: Final = frozenset(
    {"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"}
)
"""Python's audit events of a process that starts."""
CPU_S: Final = 0.05
"""CPU seconds of a test, the mean of its cases, over which it is left out."""
LONG_S: Final = 0.5
"""Seconds that a test takes, the mean of its cases, over which it is left out."""


class Did(NamedTuple):
    """What one case of a test was seen to do; tests marked `law` are always quick."""

    law: bool
    cpu_s: float
    took_s: float
    started_in: list[str]
    """The fixtures that started a process, and `call` if the test itself did."""
    fixtures: list[str]


_running: Final[list[str]] = []
_started: Final[set[str]] = set()
_began: Final = [0.0, 0.0]
_seen: Final[dict[str, list[Did]]] = defaultdict(list)
"""By test; filled in the process that receives all reports."""


def options(seen: dict[str, list[Did]]) -> list[str]:
    """What leaves out the tests that are not quick: a folder or file where none in it is, else each of them."""
    starting = {name for cases in seen.values() for case in cases for name in case.started_in} - {"call"}
    quick = {test for test, cases in seen.items() if _is_quick(cases, starting)}
    kept = {parent for test in quick for parent in _parents(test)}
    above = {test: next((one for one in _parents(test) if one not in kept), None) for test in seen.keys() - quick}
    left_out = [f"--deselect={test}" for test, parent in above.items() if parent is None]
    return sorted({*left_out, *(f"--ignore={parent}" for parent in above.values() if parent is not None)})


def _is_quick(cases: list[Did], starting: set[str]) -> bool:
    if any(case.law for case in cases):
        return True
    if any(case.started_in or not starting.isdisjoint(case.fixtures) for case in cases):
        return False
    return mean(case.cpu_s for case in cases) <= CPU_S and mean(case.took_s for case in cases) <= LONG_S


def _parents(test: str) -> list[str]:
    file = test.partition("::")[0]
    return [*(str(one) for one in reversed(Path(file).parents) if one.name), file]


def _watch(event: str, _: tuple[object, ...]) -> None:
    if event not in STARTS or not _running:
        return
    # While a fixture is set up, another thread may still be at work for the test before.
    if _running[-1] == "call" or threading.current_thread() is threading.main_thread():
        _started.add(_running[-1])


sys.addaudithook(_watch)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    _started.clear()
    _began[:] = time.process_time(), time.monotonic()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    _running.append(fixturedef.argname)
    try:
        return (yield)
    finally:
        _running.pop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    _running.append("call")
    try:
        yield
    finally:
        _running.pop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "teardown":
        did = Did(
            law=item.get_closest_marker("law") is not None,
            cpu_s=time.process_time() - _began[0],
            took_s=time.monotonic() - _began[1],
            started_in=sorted(_started),
            fixtures=list(getattr(item, "fixturenames", [])),
        )
        report.user_properties.append((Did.__name__, tuple(did)))  # it goes to another process
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, did in report.user_properties:
        if name == Did.__name__ and isinstance(did, (tuple, list)):
            _seen[report.nodeid.partition("[")[0]].append(Did(*did))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    # A test that fails, or is skipped where that counts as a failure, may end before it starts its process.
    if exitstatus == pytest.ExitCode.OK and not hasattr(session.config, "workerinput"):
        (session.config.rootpath / LIST).write_text("".join(f"{option}\n" for option in options(_seen)))

"""`make quick` leaves out tests that start a process, names those that are slow, and remembers both."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import quick

ROOT = Path(__file__).resolve().parent.parent.parent

SUITE = """
import os, subprocess, sys, threading, time
import pytest

@pytest.fixture(scope="session")
def server():
    return subprocess.Popen([sys.executable, "-c", ""])

def test_of_a_server(server): ...
def test_of_the_same_server(server): ...
def test_that_would_catch_it():
    try:
        os.fork()
    except Exception:
        pass
    raise AssertionError("not reached")
def test_in_a_thread():
    thread = threading.Thread(target=lambda: started.append(subprocess.run([sys.executable, "-c", ""])))
    started = []
    thread.start()
    thread.join()
    assert started
def test_that_fails():
    assert False
def test_that_computes():
    until = time.process_time() + 1.1
    while time.process_time() < until: ...
def test_that_is_quick(): ...
"""


@pytest.mark.parametrize("processes", ["0", "1"])
def test_what_starts_a_process_is_left_out_and_what_is_slow_is_named(tmp_path: Path, processes: str) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "CARDSHOE", "PYTEST"))}
    environment = {**kept, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    options = ["-p", "xdist", "-n", processes, "-W", "error", "-p", quick.__name__]
    command = [sys.executable, "-m", "pytest", *options, "--rootdir", str(tmp_path), "-rfEs", "test_suite.py"]
    first, again = (
        subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False).stdout
        for _ in range(2)
    )
    assert "1 failed, 2 passed, 4 skipped" in first, first
    assert "FAILED test_suite.py::test_that_fails" in first
    assert first.count(": mark it slow") == 1
    assert "test_suite.py::test_that_computes takes 1." in first
    assert quick.REASON in first
    assert "1 failed, 1 passed" in again, again
    assert "skipped" not in again
    assert "mark it slow" not in again

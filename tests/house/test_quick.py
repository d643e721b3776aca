"""`make quick-list` writes what `make quick` leaves out: tests that start a process, and tests that take long."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests import quick

ROOT: Final = Path(__file__).resolve().parent.parent.parent

SERVERS: Final = """
import subprocess, sys
import pytest

@pytest.fixture(scope="session")
def server():
    return subprocess.run([sys.executable, "-c", ""])

def test_of_a_server(server): ...
def test_of_the_same_server(server): ...
"""
MIXED: Final = """
import os, subprocess, sys, threading, time
import pytest

def test_that_forks():
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)

def test_in_a_thread():
    thread = threading.Thread(target=lambda: subprocess.run([sys.executable, "-c", ""]))
    thread.start()
    thread.join()

def _compute(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: ...

@pytest.mark.parametrize("seconds", [0.3, 0])
def test_that_computes(seconds):
    _compute(seconds)

@pytest.mark.law
def test_of_the_law():
    _compute(0.2)

def test_that_waits():
    time.sleep(0.6)

def test_that_is_quick(): ...
"""


def test_what_starts_a_process_or_takes_long_is_listed(tmp_path: Path) -> None:
    (tmp_path / "tests" / "servers").mkdir(parents=True)
    (tmp_path / "tests" / "servers" / "test_servers.py").write_text(SERVERS)
    (tmp_path / "tests" / "test_mixed.py").write_text(MIXED)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    law: always quick\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "CARDSHOE", "PYTEST"))}
    environment = {**kept, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def ran(*options: str, status: int = 0) -> str:
        command = [sys.executable, "-m", "pytest", "--rootdir", ".", "--import-mode=importlib", *options, "tests"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    failing = tmp_path / "tests" / "test_failing.py"
    failing.write_text("def test_that_fails():\n    raise AssertionError\n")
    ran("-p", quick.__name__, status=1)
    assert not (tmp_path / quick.LIST).exists()
    failing.unlink()
    assert "9 passed" in ran("-p", "xdist", "-n", "2", "-p", quick.__name__)
    assert (tmp_path / quick.LIST).read_text().splitlines() == [
        "--deselect=tests/test_mixed.py::test_in_a_thread",
        "--deselect=tests/test_mixed.py::test_that_computes",
        "--deselect=tests/test_mixed.py::test_that_forks",
        "--deselect=tests/test_mixed.py::test_that_waits",
        "--ignore=tests/servers",
    ]
    assert "2 passed, 5 deselected" in ran(f"@{quick.LIST}")


def test_the_list_names_what_there_is() -> None:
    for option in (ROOT / quick.LIST).read_text().splitlines():
        file, _, test = option.partition("=")[2].partition("::")
        assert (ROOT / file).exists(), f"{file} is gone: make quick-list"
        name = test.rpartition("::")[2]
        assert not test or name == "runTest" or name in (ROOT / file).read_text(), f"{option} is gone: make quick-list"

"""A suite of its own, run by a pytest of its own with the common part of all tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parent.parent / "conftest.py"
SUITE = """
import pytest

@pytest.mark.skip(reason="some day")
def test_marked(): ...

def test_while_running():
    pytest.skip("no socat here")

@pytest.fixture
def missing():
    pytest.skip("no chromium here")

def test_by_fixture(missing): ...

@pytest.mark.xfail(reason="known", strict=True)
def test_known_to_fail():
    assert False

@pytest.mark.hardware
def test_on_the_bench(): ...

@pytest.mark.shared
def test_with_shared_pages(): ...

def test_good(): ...
"""
SETTINGS = """
[pytest]
markers =
    hardware: needs a device
    shared: needs ../shared
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A folder with our conftest, in a place without ../shared."""
    return suite_in(tmp_path)


def suite_in(place: Path) -> Path:
    folder = place / "project" / "tests"
    folder.mkdir(parents=True)
    shutil.copy(CONFTEST, folder)
    (folder.parent / "pytest.ini").write_text(SETTINGS)
    (folder / "test_suite.py").write_text(SUITE)
    return folder


def run(suite: Path, *arguments: str, no_skips: bool) -> tuple[int, str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("COV", "CARDSHOE", "PYTEST"))
    }
    environment["CARDSHOE_NO_SKIPS"] = str(int(no_skips))
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none of them has a say here, and to load all takes a second
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=suite.parent, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr

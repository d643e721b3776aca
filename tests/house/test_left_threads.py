"""A thread that a failed test leaves running fails no other test; one that a passed test leaves still does."""

from pathlib import Path

import pytest

from tests.house.suites import run, suite_in

SUITE = """
import threading

go_on, leave = threading.Event(), []

def work():
    go_on.wait(60)
    raise OSError("the line is gone")

def test_that_leaves_a_thread():
    leave.append(threading.Thread(target=work))
    leave[0].start()
    assert {passes}

def test_after_it():
    go_on.set()
    leave[0].join(60)
"""


@pytest.mark.parametrize("passes", [False, True])
def test_a_thread_that_outlives_its_test_fails_one_test(tmp_path: Path, *, passes: bool) -> None:
    suite = suite_in(tmp_path)
    (suite / "test_suite.py").write_text(SUITE.format(passes=passes))
    _, output = run(suite, "-W", "error", "-s", no_skips=False)
    assert "1 failed, 1 passed" in output, output
    assert ("FAILED tests/test_suite.py::test_after_it" in output) is passes
    assert ("test_that_leaves_a_thread, which has failed, ended by OSError('the line is gone')" in output) is not passes

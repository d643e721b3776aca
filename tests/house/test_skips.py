"""CARDSHOE_NO_SKIPS=1, as CI sets it, turns skipped tests into failures, in one process and in several."""

from pathlib import Path

import pytest

from tests.house.suites import run, suite, suite_in

__all__ = ["suite"]


SKIPPED_MODULE = """
import pytest
pytest.skip("not on this platform", allow_module_level=True)
"""


@pytest.fixture(scope="module", params=["0", "1"])
def strict(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    """How a run ends in which tests and a module are skipped: in one process, and in one of xdist's."""
    suite = suite_in(tmp_path_factory.mktemp("strict"))
    (suite / "test_whole.py").write_text(SKIPPED_MODULE)
    return run(suite, "-n", request.param, "--continue-on-collection-errors", no_skips=True)


def test_skipped_tests_fail_where_no_skips_are_allowed(strict: tuple[int, str]) -> None:
    exit_code, output = strict
    assert exit_code == pytest.ExitCode.TESTS_FAILED, output
    summary = output.partition("skipped tests, which count as failures here")[2]
    assert "test_suite.py::test_marked: some day" in summary
    assert "test_suite.py::test_while_running: no socat here" in summary
    assert "test_suite.py::test_by_fixture: no chromium here" in summary
    assert "test_known_to_fail" not in summary
    assert "test_on_the_bench:" not in summary
    assert "test_with_shared_pages:" not in summary
    assert "1 passed, 2 skipped, 1 xfailed" in output


def test_a_module_skipped_as_a_whole_fails_too(strict: tuple[int, str]) -> None:
    _, output = strict
    summary = output.partition("skipped tests, which count as failures here")[2]
    assert "tests/test_whole.py: not on this platform" in summary


def test_shared_tests_must_run_where_the_folder_is(suite: Path) -> None:
    (suite.parent.parent / "shared").mkdir()
    (suite / "test_suite.py").write_text(
        "import pytest\n@pytest.mark.shared\ndef test_pages(shared):\n    pytest.skip('page missing')\n"
    )
    exit_code, output = run(suite, no_skips=True)
    assert exit_code == pytest.ExitCode.TESTS_FAILED, output
    assert "test_pages: page missing" in output


def test_skips_are_only_reported_at_a_desk_and_the_seed_is_printed(suite: Path) -> None:
    exit_code, output = run(suite, no_skips=False)
    assert exit_code == 0, output
    assert "1 passed, 5 skipped, 1 xfailed" in output
    assert "seed: 20040055 (repeat with CARDSHOE_TEST_SEED=20040055)" in output

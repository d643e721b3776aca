"""One browser for the tests of this folder in a process; outside of it, other tests may want the loop of the thread."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.stage import LONG, PICTURES, browser_at_work

collect_ignore = [] if LONG else ["test_ways_out.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures of the person-sized check, which the processes of the tests have kept."""
    for kept in sorted(PICTURES.glob("person-sized-*.json")) if LONG else ():
        figures = json.loads(kept.read_text())
        terminalreporter.write_line(f"{kept.stem}: " + " ".join(f"{name}={value}" for name, value in figures.items()))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A headless browser."""
    with browser_at_work() as found:
        yield found

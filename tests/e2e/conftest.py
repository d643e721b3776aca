"""One browser for the tests of this folder in a process; outside of it, other tests may want the loop of the thread."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.stage import LONG, browser_at_work

collect_ignore = [] if LONG else ["test_ways_out.py"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A headless browser."""
    with browser_at_work() as found:
        yield found

"""One browser for all tests of a process."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.stage import browser_at_work


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless browser."""
    with browser_at_work() as found:
        yield found
